package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// childTask names, in the environment of a child, which of the children below the test binary is.
const childTask = "STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch task := os.Getenv(childTask); task {
	case "":
		os.Exit(m.Run())
	case "put-once":
		exitWith(childPutOnce(os.Args[1], os.Args[2]))
	case "counted":
		exitWith(childCounted(os.Args[1]))
	case "killed":
		exitWith(childKilled(os.Args[1], os.Args[2], os.Args[3]))
	case "faulted":
		exitWith(childFaulted(os.Args[1], os.Args[2]))
	case "fill":
		exitWith(childFill(os.Args[1]))
	case "limited":
		exitWith(childLimited(os.Args[1]))
	case "lost":
		exitWith(childLost(os.Args[1], os.Args[2]))
	case "checked":
		exitWith(childChecked(os.Stdin))
	case "put-until-killed":
		exitWith(childPutUntilKilled(os.Args[1], os.Args[2]))
	default:
		exitWith(fmt.Errorf("unknown task %q", task))
	}
}

func exitWith(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t *testing.T, task string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childTask+"="+task)
	cmd.Stderr = os.Stderr
	return cmd
}

// childPutOnce opens the store, which may not exist, and puts one object of its own and one that all children share. It
// waits longer than the product, so that a slow disk under fifty processes is no failure.
func childPutOnce(path, name string) error {
	ctx := context.Background()
	s, err := open(ctx, path, codecs, Create, time.Minute)
	if err != nil {
		return err
	}
	if err := s.Put(ctx, tree(name, leaf("shared"), leaf("own "+name))); err != nil {
		return err
	}
	return s.Close()
}

// childPutUntilKilled puts trees and prints the number of each once it is acknowledged.
func childPutUntilKilled(path, name string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for i := 0; ; i++ {
		if err := s.Put(ctx, sweepTree(name, i)); err != nil {
			return err
		}
		fmt.Fprintln(out, i)
		out.Flush()
	}
}

func sweepTree(name string, i int) authority.Node {
	label := name + " " + strconv.Itoa(i)
	return tree(label, leaf(label+" a"), leaf(label+" b"))
}

// The two kinds of these tests: a leaf is a text, a tree a label and the ids of what it depends on.
var (
	leafCodec = authority.Codec{Kind: "test-leaf", Domain: "git-standards:test-leaf:v1", PayloadContract: "test-leaf.v1",
		Examine: func(payload any) (any, []authority.Reference, error) {
			if _, ok := payload.(string); !ok {
				return nil, nil, fmt.Errorf("payload is %T", payload)
			}
			return payload, nil, nil
		}}
	treeCodec = authority.Codec{Kind: "test-tree", Domain: "git-standards:test-tree:v1", PayloadContract: "test-tree.v1",
		Examine: func(payload any) (any, []authority.Reference, error) {
			record, ok := payload.(identity.Record)
			if !ok {
				return nil, nil, fmt.Errorf("payload is %T", payload)
			}
			var references []authority.Reference
			for _, id := range record["parts"].(identity.List) {
				kind, _, _ := identity.Split(id.(string))
				references = append(references, authority.Reference{Kind: kind, ID: id.(string)})
			}
			return payload, references, nil
		}}
	codecs = authority.Compose([]authority.Codec{leafCodec, treeCodec})
)

func node(codec authority.Codec, payload any, parts ...authority.Node) authority.Node {
	id, err := codec.ID(payload)
	if err != nil {
		panic(err)
	}
	return authority.Node{Reference: authority.Reference{Kind: codec.Kind, ID: id},
		Parts: parts, Payload: func() (any, error) { return payload, nil }}
}

func leaf(text string) authority.Node { return node(leafCodec, text) }

func tree(label string, parts ...authority.Node) authority.Node {
	ids := identity.List{}
	for _, part := range parts {
		ids = append(ids, part.ID)
	}
	return node(treeCodec, identity.Record{"label": label, "parts": ids}, parts...)
}

// newStore makes a store at its usual place in a folder of the test.
func newStore(t testing.TB) *Store {
	t.Helper()
	return mustOpen(t, Location(filepath.Join(t.TempDir(), ".git"), ""), Create)
}

func mustOpen(t testing.TB, path string, mode Mode) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, codecs, mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustPut(t testing.TB, s *Store, nodes ...authority.Node) {
	t.Helper()
	if err := s.Put(context.Background(), nodes...); err != nil {
		t.Fatal(err)
	}
}

// stored reports which of the nodes the store holds, proven.
func stored(t testing.TB, s *Store, nodes ...authority.Node) (held []bool) {
	t.Helper()
	for _, n := range nodes {
		text, err := s.Get(context.Background(), n.ID)
		if fault.Is(err, "HANDLE.UNKNOWN") {
			held = append(held, false)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codecs.Open(n.ID, text); err != nil {
			t.Fatal(err)
		}
		held = append(held, true)
	}
	return held
}

func wantFault(t testing.TB, err error, outcome fault.Outcome, code string) *fault.Error {
	t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || f.Outcome != outcome {
		t.Fatalf("error %v (%+v), want %s %s", err, f, outcome, code)
	}
	return f
}
