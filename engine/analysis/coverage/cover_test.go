package coverage

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
)

// blob is the id of made-up bytes, which are a digit.
func blob(digit int) string { return fmt.Sprintf("sha1:%040d", digit) }

// list writes members as "a1 b2": a path of one letter and the digit of its bytes.
func list(text string) (members []decisionfile.Member) {
	for ; len(text) > 0; text = text[min(3, len(text)):] {
		members = append(members, decisionfile.Member{Path: text[:1], Blob: blob(int(text[1] - '0'))})
	}
	return members
}

func paths(members []decisionfile.Member) (text string) {
	for _, m := range members {
		text += m.Path
	}
	return text
}

func by(principal, key, members string) Attestation {
	return Attestation{Principal: principal, Key: key, Members: list(members)}
}

func TestWhatIsLeft(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rule, name string
		members    string
		required   int64
		given      []Attestation
		left       string
	}{
		{"E8", "nobody", "a1 b1 c1", 1, nil, "abc"},
		{"E8", "all by one", "a1 b1 c1", 1, []Attestation{by("ann", "", "a1 b1 c1")}, ""},
		{"E8", "some", "a1 b1 c1", 1, []Attestation{by("ann", "", "b1")}, "ac"},
		{"E8", "in several answers", "a1 b1 c1", 1, []Attestation{by("ann", "", "b1"), by("ann", "", "a1 c1")}, ""},
		{"E8", "by several people", "a1 b1 c1", 1, []Attestation{by("ann", "", "b1"), by("bob", "", "a1 c1")}, ""},
		{"E8", "other bytes", "a1 b2 c1", 1, []Attestation{by("ann", "", "a1 b1 c1")}, "b"},
		{"E8", "other bytes, attested anew", "a1 b2 c1", 1, []Attestation{by("ann", "", "a1 b1 c1"), by("ann", "", "b2")}, ""},
		{"E8", "a new file", "a1 b1 c1 d1", 1, []Attestation{by("ann", "", "a1 b1 c1")}, "d"},
		{"E8", "a file that is gone, and one outside", "a1", 1, []Attestation{by("ann", "", "a1 b1 z9")}, ""},
		{"E8", "moved bytes are another member", "b1", 1, []Attestation{by("ann", "", "a1")}, "b"},
		{"E8", "two are needed", "a1 b1", 2, []Attestation{by("ann", "", "a1 b1")}, "ab"},
		{"E8", "two are there", "a1 b1", 2, []Attestation{by("ann", "", "a1 b1"), by("bob", "", "a1 b1")}, ""},
		{"E8", "two of some", "a1 b1", 2, []Attestation{by("ann", "", "a1 b1"), by("bob", "", "b1")}, "a"},
		{"E8", "one of other bytes", "a1 b2", 2, []Attestation{by("ann", "", "a1 b1"), by("bob", "", "a1 b2")}, "b"},
		{"F5", "one person twice", "a1", 2, []Attestation{by("ann", "k1", "a1"), by("ann", "k2", "a1")}, "a"},
		{"F5", "one person unsigned and signed", "a1", 2, []Attestation{by("ann", "", "a1"), by("ann", "k2", "a1")}, "a"},
		{"F5", "one key twice", "a1", 2, []Attestation{by("ann", "k1", "a1"), by("bob", "k1", "a1")}, "a"},
		{"F5", "one key twice, and another", "a1", 2, []Attestation{by("ann", "k1", "a1"), by("bob", "k1", "a1"), by("bob", "k2", "a1")}, ""},
		{"F5", "the other way round", "a1", 2, []Attestation{by("bob", "k2", "a1"), by("bob", "k1", "a1"), by("ann", "k1", "a1")}, ""},
		{"F5", "two people without keys", "a1", 2, []Attestation{by("ann", "", "a1"), by("bob", "", "a1")}, ""},
		{"F5", "three with two keys", "a1", 3, []Attestation{by("ann", "k1", "a1"), by("bob", "k2", "a1"), by("cid", "k1", "a1"), by("cid", "k2", "a1")}, "a"},
	} {
		c := NewCover(NewMembers(list(row.members)), nil, row.required, row.given)
		if got := paths(c.Left()); got != row.left || c.Complete() != (row.left == "") {
			t.Errorf("%s %s: left %q, complete %t; want %q", row.rule, row.name, got, c.Complete(), row.left)
		}
	}
}

// A horizon that holds nothing is attested by as many as one that holds something: that it is empty is what they say.
func TestAnEmptyHorizonIsAttestedToo(t *testing.T) {
	t.Parallel()
	none := NewMembers(nil)
	if c := NewCover(none, none, 1, nil); c.Complete() {
		t.Error("nobody looked")
	}
	ann := by("ann", "", "")
	if c := NewCover(none, nil, 1, []Attestation{ann}); !c.Complete() || !slices.Equal(c.Attesters(), []string{"ann"}) {
		t.Error("ann looked")
	}
	c := NewCover(none, nil, 2, []Attestation{ann, by("ann", "", "a1")})
	if _, waits := c.LeftFor("ann"); c.Complete() || !waits {
		t.Error("ann looked twice")
	}
	if members, waits := c.LeftFor("bob"); len(members) > 0 || waits {
		t.Error("bob did not look")
	}
}

func TestLandedSince(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name              string
		members, accepted string
		required          int64
		given             []Attestation
		landed            string
	}{
		{"a file landed", "a1 b1", "a0 b1", 1, []Attestation{by("ann", "", "a1")}, "b"},
		{"bytes landed", "a1 b2", "a1 b2", 1, []Attestation{by("ann", "", "a1 b1")}, "b"},
		{"several", "a1 b1 c1", "b1 c1", 1, []Attestation{by("ann", "", "a1")}, "bc"},
		{"one of them is of this change", "a1 b1 c1", "b1", 1, []Attestation{by("ann", "", "a1")}, ""},
		{"one has other bytes here", "a1 b1 c2", "b1 c1", 1, []Attestation{by("ann", "", "a1")}, ""},
		{"nothing was attested", "a1 b1", "a1 b1", 1, []Attestation{by("ann", "", "z1")}, ""},
		{"nobody answered", "a1 b1", "a1 b1", 1, nil, ""},
		{"the set was not complete: one of two looked", "a1 b1", "b1", 2, []Attestation{by("ann", "", "a1")}, ""},
		{"the set was not complete: one of two, twice", "a1 b1", "b1", 2, []Attestation{by("ann", "", "a1"), by("ann", "", "a1")}, ""},
		{"two looked", "a1 b1", "b1", 2, []Attestation{by("ann", "", "a1"), by("bob", "", "a1")}, "b"},
		{"two looked, one since", "a1 b1", "b1", 2, []Attestation{by("ann", "", "a1 b1"), by("bob", "", "a1")}, "b"},
		{"all is attested", "a1 b1", "b1", 1, []Attestation{by("ann", "", "a1 b1")}, ""},
	} {
		members, accepted := NewMembers(list(row.members)), NewMembers(list(row.accepted))
		listed, asking := NewCover(members, accepted, row.required, row.given), NewCover(members, nil, row.required, row.given)
		if got := paths(listed.Landed()); got != row.landed {
			t.Errorf("%s: landed %q, want %q", row.name, got, row.landed)
		}
		if row.landed != "" && (!listed.Complete() || len(listed.Left()) > 0 || asking.Complete() || paths(asking.Left()) != row.landed) {
			t.Errorf("%s: left %q where it is listed, %q where it is asked", row.name, paths(listed.Left()), paths(asking.Left()))
		}
		if row.landed == "" && (listed.Complete() != asking.Complete() || paths(listed.Left()) != paths(asking.Left())) {
			t.Errorf("%s: listing changed what is left", row.name)
		}
	}
}

// most is the greatest number of attestations that stand beside each other, by trying every subset.
func most(all []Attestation) int64 {
	best := 0
	for set := range 1 << len(all) {
		principals, keys, n := map[string]bool{}, map[string]bool{}, 0
		for i, a := range all {
			if set&(1<<i) == 0 {
				continue
			}
			n++
			principals[a.Principal] = true
			if a.Key == "" {
				keys["by "+a.Principal] = true
			} else {
				keys[a.Key] = true
			}
		}
		if len(principals) == n && len(keys) == n {
			best = max(best, n)
		}
	}
	return int64(best)
}

func drawAttestations(t *rapid.T) []Attestation {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Attestation {
		a := Attestation{
			Principal: rapid.SampledFrom([]string{"ann", "bob", "cid"}).Draw(t, "principal"),
			Key:       rapid.SampledFrom([]string{"", "k1", "k2", "k3"}).Draw(t, "key"),
		}
		for _, path := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.ID[string]).Draw(t, "paths") {
			a.Members = append(a.Members, decisionfile.Member{Path: path, Blob: blob(rapid.IntRange(1, 2).Draw(t, "bytes"))})
		}
		return a
	}), 0, 6).Draw(t, "attestations")
}

func drawMembers(t *rapid.T) *Members {
	var members []decisionfile.Member
	for _, path := range []string{"a", "b", "c"} {
		if digit := rapid.IntRange(0, 2).Draw(t, path); digit > 0 {
			members = append(members, decisionfile.Member{Path: path, Blob: blob(digit)})
		}
	}
	return NewMembers(members)
}

// RULES E8 as a set of (principal, key, path, blob): a member is left unless enough of those that list it have neither a principal nor a
// key in common. No order of the answers, and no answer beside, makes another cover.
func TestCoverIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		members, given, required := drawMembers(t), drawAttestations(t), int64(rapid.IntRange(1, 3).Draw(t, "required"))
		c := NewCover(members, nil, required, given)
		var left []decisionfile.Member
		for _, m := range members.List {
			var listing []Attestation
			for _, a := range given {
				if slices.Contains(a.Members, m) {
					listing = append(listing, a)
				}
			}
			if most(listing) < required {
				left = append(left, m)
			}
		}
		if !slices.Equal(c.Left(), left) {
			t.Fatalf("left %v, want %v", c.Left(), left)
		}
		if want := len(left) == 0 && (len(members.List) > 0 || most(given) >= required); c.Complete() != want {
			t.Fatalf("complete %t, want %t", c.Complete(), want)
		}
		again := NewCover(members, nil, required, rapid.Permutation(given).Draw(t, "order"))
		if !slices.Equal(again.Left(), c.Left()) || again.Complete() != c.Complete() {
			t.Fatal("the order of the answers counts")
		}
		split := slices.Clone(given)
		for i, a := range split {
			if n := len(a.Members) / 2; n > 0 {
				split[i].Members = a.Members[:n]
				split = append(split, Attestation{Principal: a.Principal, Key: a.Key, Members: a.Members[n:]})
			}
		}
		if again := NewCover(members, nil, required, split); !slices.Equal(again.Left(), c.Left()) {
			t.Fatal("how many files an answer is spread over counts")
		}
	})
}

// What a principal is told is left for them is what makes the question complete once enough have done so, and nothing else does.
func TestAttestingWhatIsLeftCompletes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		members, given, required := drawMembers(t), drawAttestations(t), rapid.IntRange(1, 3).Draw(t, "required")
		for i := range given {
			given[i].Key = "" // one key each: nobody stands in another's light
		}
		for n, name := range []string{"new1", "new2", "new3"} {
			c := NewCover(members, nil, int64(required), given)
			if c.Complete() {
				return
			}
			if n == required {
				t.Fatalf("%d attested all that was left, and %v is left", n, c.Left())
			}
			left, waits := c.LeftFor(name)
			if waits || !slices.Equal(left, c.Left()) {
				t.Fatalf("%s: %v, %t of %v", name, left, waits, c.Left())
			}
			given = append(given, Attestation{Principal: name, Members: left})
			if after := NewCover(members, nil, int64(required), given); !after.Complete() {
				if again, waits := after.LeftFor(name); len(again) > 0 || !waits {
					t.Fatalf("%s attested all and is told %v", name, again)
				}
			}
		}
		if !NewCover(members, nil, int64(required), given).Complete() {
			t.Fatal("three new people attested all")
		}
	})
}

// Without is as if the principals had said nothing.
func TestWithoutIsAsIfTheyHadSaidNothing(t *testing.T) {
	t.Parallel()
	c := NewCover(NewMembers(list("a1 b1")), nil, 1, []Attestation{by("ann", "", "a1 b1"), by("bob", "", "b1"), by("cid", "", "z1")})
	if got := c.Attesters(); !slices.Equal(got, []string{"ann", "bob"}) {
		t.Errorf("attesters %q", got)
	}
	if got := paths(c.Without(func(p string) bool { return p == "ann" }).Left()); got != "a" {
		t.Errorf("left %q", got)
	}
	if members, none := c.UnseenBy("bob"); paths(members) != "a" || none {
		t.Errorf("bob has not seen %q", paths(members))
	}
	if members, none := c.UnseenBy("ann"); len(members) > 0 || !none {
		t.Errorf("ann has not seen %q", paths(members))
	}
}
