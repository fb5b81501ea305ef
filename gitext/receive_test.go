package gitext

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

func TestReadReceived(t *testing.T) {
	t.Parallel()
	a, b, zero, long := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("0", 40), strings.Repeat("0", 64)
	for _, c := range []struct {
		input string
		want  []Received
	}{
		{"", nil},
		{a + " " + b + " refs/heads/x\n", []Received{{a, b, "refs/heads/x"}}},
		{zero + " " + b + " refs/heads/x\n" + a + " " + zero + " refs/tags/v\n", []Received{{zero, b, "refs/heads/x"}, {a, zero, "refs/tags/v"}}},
		{long + " " + long + " refs/heads/ü\n", []Received{{long, long, "refs/heads/ü"}}},
	} {
		received, err := ReadReceived(strings.NewReader(c.input), "pre-receive")
		if err != nil || !slices.Equal(received, c.want) {
			t.Errorf("%q: %v %v", c.input, received, err)
		}
	}
	for _, input := range []string{
		"\n", "x\n", a + " " + b + "\n", a + " " + b + " \n", a + " " + b + " refs/heads/x", a + " " + long + " x\n",
		strings.ToUpper(a) + " " + b + " x\n", " " + a + " " + b + " x\n", a + "  " + b + " x\n",
	} {
		_, err := ReadReceived(strings.NewReader(input), "pre-receive")
		wantFault(t, err, fault.Invalid, "HOOK.INPUT")
	}
	_, err := ReadReceived(strings.NewReader(strings.Repeat("x", maxPushInput+1)), "post-receive")
	wantFault(t, err, fault.Invalid, "HOOK.INPUT")
}

// What is read is what was written, field by field.
func FuzzReadReceived(f *testing.F) {
	a := strings.Repeat("a", 40)
	f.Add(a + " " + a + " refs/heads/x\n")
	f.Add(strings.Repeat("0", 64) + " " + strings.Repeat("1", 64) + " refs/heads/a b\n")
	f.Add("x y z\n")
	f.Fuzz(func(t *testing.T, input string) {
		all, err := ReadReceived(strings.NewReader(input), "pre-receive")
		if err != nil {
			return
		}
		var b strings.Builder
		for _, line := range all {
			b.WriteString(line.OldID + " " + line.NewID + " " + line.Ref + "\n")
		}
		if b.String() != input {
			t.Errorf("%q reads as %v", input, all)
		}
	})
}

// The lines are taken from a real push, by a hook that keeps them; while it runs nothing has moved yet.
func TestReadReceivedFromGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := f.Commit("a", "1")
	bare := f.At(filepath.Join(t.TempDir(), "remote.git"))
	f.Git("init", "-q", "--bare", "-b", "main", bare.Dir)
	f.Git("push", "-q", bare.Dir, "main", "main:old")
	two := f.Commit("a", "2")
	hook := filepath.Join(bare.Dir, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ncat >lines\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.Git("push", "-q", bare.Dir, ":old", "main", "main:new")
	file, err := os.Open(filepath.Join(bare.Dir, "lines"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	received, err := ReadReceived(file, "pre-receive")
	zero := strings.Repeat("0", 40)
	want := []Received{{one, two, "refs/heads/main"}, {zero, two, "refs/heads/new"}, {one, zero, "refs/heads/old"}}
	slices.SortFunc(received, func(a, b Received) int { return strings.Compare(a.Ref, b.Ref) })
	if err != nil || !slices.Equal(received, want) {
		t.Errorf("%v %v", received, err)
	}
}

func TestBranchesAndWhatTheyContain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := f.Commit("a", "1")
	two := f.Commit("a", "2")
	f.Git("branch", "old", one)
	f.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
	f.Git("tag", "v1")
	r := f.open()
	all, err := r.Branches(t.Context())
	want := []Branch{{"refs/heads/alias", two, "refs/heads/main"}, {"refs/heads/main", two, ""}, {"refs/heads/old", one, ""}}
	if err != nil || !slices.Equal(all, want) {
		t.Errorf("%v %v", all, err)
	}
	for _, c := range []struct {
		id   string
		in   []string
		want bool
	}{
		{one, []string{two}, true}, {one, []string{one}, true}, {two, []string{one}, false}, {two, []string{one, two}, true}, {one, nil, false},
	} {
		if got, err := r.IsContained(t.Context(), c.id, c.in); err != nil || got != c.want {
			t.Errorf("%.7s in %v: %v %v", c.id, c.in, got, err)
		}
	}
	_, err = r.IsContained(t.Context(), strings.Repeat("1", 40), []string{one})
	wantFault(t, err, fault.Unavailable, "GIT.FAILED")
}
