package store

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

var ctx = context.Background()

// sqlite runs SQL by the sqlite3 command, which knows nothing of this package, and returns what it prints.
func sqlite(t testing.TB, path, sql string) string {
	t.Helper()
	out, err := exec.Command("sqlite3", "-batch", path, sql).CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3 %q: %v: %s", sql, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func TestPutStoresPartsBeforeWhatNeedsThem(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b := leaf("a"), leaf("b")
	inner := tree("inner", a, b)
	outer := tree("outer", inner, a)
	mustPut(t, s, outer)
	if held := stored(t, s, outer, inner, a, b); slices.Contains(held, false) {
		t.Errorf("held %v", held)
	}
	text, err := s.Get(ctx, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	// Derived by hand from the seed's seven fields in scalar order of their keys.
	want := `{"direct_dependencies":[],"envelope_kind":"authority-envelope","envelope_version":1,"object_kind":"test-leaf",` +
		`"payload":"a","payload_contract":"test-leaf.v1","semantic_id":"` + a.ID + `"}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	query := "SELECT typeof(envelope), CAST(envelope AS TEXT) FROM authority_objects WHERE handle='" + a.ID + "'"
	if got := sqlite(t, s.path, query); got != "blob|"+want {
		t.Errorf("sqlite3 shows %s", got)
	}
}

func TestPutTwiceIsOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	n := tree("t", leaf("a"), leaf("b"))
	mustPut(t, s, n)
	before := fileBytes(t, s.path)
	mustPut(t, s, n, n, leaf("a"))
	mustPut(t, s)
	if !bytes.Equal(fileBytes(t, s.path), before) {
		t.Error("the second Put changed the file")
	}
	if rows := sqlite(t, s.path, "SELECT count(*) FROM authority_objects"); rows != "3" {
		t.Errorf("%s objects stored", rows)
	}
}

func TestStoredObjectIsNotDescendedInto(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	part := leaf("part")
	whole := tree("whole", part)
	mustPut(t, s, whole)
	part.Payload = func() (any, error) {
		return nil, errors.New("built although its owner is stored")
	}
	whole.Parts = []authority.Node{part}
	mustPut(t, s, whole)
}

func TestSharedPartIsBuiltOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	shared := leaf("shared")
	built := 0
	shared.Payload = func() (any, error) { built++; return "shared", nil }
	mustPut(t, s, tree("x", shared), tree("y", shared), shared)
	if built != 1 {
		t.Errorf("built %d times", built)
	}
}

func TestOtherBytesUnderAnIDAreAContradiction(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	n := leaf("true")
	sqlite(t, s.path, "INSERT INTO authority_objects VALUES ('"+n.ID+"', CAST('forged' AS BLOB))")
	wantFault(t, s.Put(ctx, leaf("other"), tree("t", n)), fault.Invalid, "IDENTITY.COLLISION")
	if stored(t, s, leaf("other"))[0] {
		t.Error("the object beside the contradiction was stored")
	}
	text, err := s.Get(ctx, n.ID)
	if err != nil || string(text) != "forged" {
		t.Fatalf("Get: %q, %v", text, err)
	}
	if _, err := codecs.Open(n.ID, text); err == nil {
		t.Error("the codec accepts forged bytes")
	}
}

// A rival that stores between the look and the transaction is met by the insert.
func TestWriteMeetsARival(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	fresh, err := s.gather(ctx, []authority.Node{leaf("a"), leaf("b")})
	if err != nil || len(fresh) != 2 {
		t.Fatal(fresh, err)
	}
	mustPut(t, s, leaf("a"))
	if err := s.write(ctx, fresh); err != nil {
		t.Fatal(err)
	}
	if held := stored(t, s, leaf("a"), leaf("b")); slices.Contains(held, false) {
		t.Error(held)
	}
	fresh, _ = s.gather(ctx, []authority.Node{leaf("c"), leaf("d")})
	sqlite(t, s.path, "INSERT INTO authority_objects VALUES ('"+leaf("d").ID+"', x'00')")
	wantFault(t, s.write(ctx, fresh), fault.Invalid, "IDENTITY.COLLISION")
	if stored(t, s, leaf("c"))[0] {
		t.Error("half a transaction was stored")
	}
}

func TestPutIsAllOrNothing(t *testing.T) {
	t.Parallel()
	good := leaf("good")
	failing := leaf("failing")
	cause := errors.New("no bytes")
	failing.Payload = func() (any, error) { return nil, cause }
	misnamed := leaf("misnamed")
	misnamed.Payload = func() (any, error) { return "something else", nil }
	refused := leaf("refused")
	refused.Payload = func() (any, error) { return identity.List{}, nil }
	absent := tree("needs what is not given", leaf("not given"))
	absent.Parts = nil
	circular := tree("circular", good)
	circular.Parts = []authority.Node{circular}
	unknown := authority.Node{Reference: authority.Reference{Kind: "no-such-kind", ID: "no-such-kind:sha256:00"}, Payload: good.Payload}
	for name, bad := range map[string]authority.Node{"failing": failing, "misnamed": misnamed, "refused": refused,
		"absent dependency": absent, "circular": circular, "unknown kind": unknown} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			err := s.Put(ctx, good, bad)
			if name == "failing" {
				if !errors.Is(err, cause) {
					t.Errorf("error %v", err)
				}
			} else if f := wantFault(t, err, fault.Invalid, "STORE.INTERNAL"); !strings.HasPrefix(f.Message, "internal error: ") {
				t.Errorf("message %q", f.Message)
			}
			if n := sqlite(t, s.path, "SELECT count(*) FROM authority_objects"); n != "0" {
				t.Errorf("%s objects stored", n)
			}
		})
	}
}

func TestDependencyThatIsStoredNeedsNoNode(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	part := leaf("part")
	mustPut(t, s, part)
	whole := tree("whole", part)
	whole.Parts = nil
	mustPut(t, s, whole)
	if !stored(t, s, whole)[0] {
		t.Error("not stored")
	}
}

func TestCancelledPutStoresNothing(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	cancelled, cancel := context.WithCancel(ctx)
	n := leaf("n")
	n.Payload = func() (any, error) { cancel(); return "n", nil }
	if err := s.Put(cancelled, tree("t", n)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if rows := sqlite(t, s.path, "SELECT count(*) FROM authority_objects"); rows != "0" {
		t.Errorf("%s objects stored", rows)
	}
}

func TestDeepGraph(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	n := leaf("bottom")
	for range 5000 {
		n = tree("level", n)
	}
	mustPut(t, s, n)
	if rows := sqlite(t, s.path, "SELECT count(*) FROM authority_objects"); rows != "5001" {
		t.Errorf("%s objects stored", rows)
	}
}

func TestGetOfAnUnknownHandle(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for _, id := range []string{leaf("x").ID, "", "test-leaf", "x'; DROP TABLE authority_objects; --"} {
		_, err := s.Get(ctx, id)
		wantFault(t, err, fault.Unavailable, "HANDLE.UNKNOWN")
	}
}

func TestFindByPrefix(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var leaves, all []string
	for _, text := range []string{"a", "b", "c", "d", "e"} {
		mustPut(t, s, tree(text, leaf(text)))
		leaves = append(leaves, leaf(text).ID)
		all = append(all, leaf(text).ID, tree(text, leaf(text)).ID)
	}
	slices.Sort(leaves)
	slices.Sort(all)
	for _, c := range []struct {
		prefix string
		limit  int
		want   []string
	}{
		{"test-leaf:sha256:", 100, leaves},
		{"test-leaf:sha256:", 2, leaves[:2]},
		{"test-leaf:sha256:", 0, nil},
		{"test-leaf:sha256:", -1, nil},
		{leaves[3], 100, leaves[3:4]},
		{leaves[3][:24], 100, leaves[3:4]},
		{leaves[3] + "0", 100, nil},
		{"", 100, all},
		{"test-%", 100, nil},
		{"TEST-LEAF", 100, nil},
		{"zzz", 100, nil},
	} {
		got, err := s.Find(ctx, c.prefix, c.limit)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Find(%q, %d) = %v, %v; want %v", c.prefix, c.limit, got, err, c.want)
		}
	}
}
