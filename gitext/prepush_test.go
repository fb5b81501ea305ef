package gitext

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

func TestReadPrePush(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	zero, long := strings.Repeat("0", 40), strings.Repeat("0", 64)
	for _, c := range []struct {
		input string
		want  []Push
	}{
		{"", nil},
		{"refs/heads/x " + a + " refs/heads/y " + b + "\n", []Push{{"refs/heads/x", a, "refs/heads/y", b}}},
		{"(delete) " + zero + " refs/heads/y " + b + "\nHEAD " + a + " refs/tags/v " + zero + "\n",
			[]Push{{"(delete)", zero, "refs/heads/y", b}, {"HEAD", a, "refs/tags/v", zero}}},
		{"HEAD@{2 days ago} " + a + " refs/heads/y " + zero + "\n", []Push{{"HEAD@{2 days ago}", a, "refs/heads/y", zero}}},
		{"(delete) " + long + " refs/heads/y " + long + "\n", []Push{{"(delete)", long, "refs/heads/y", long}}},
	} {
		pushes, err := ReadPrePush(strings.NewReader(c.input))
		if err != nil || !slices.Equal(pushes, c.want) {
			t.Errorf("%q: %v %v", c.input, pushes, err)
		}
	}
	for _, input := range []string{
		"\n", "x\n", "x " + a + " y\n", "x " + a + " y " + b, "x " + a + " y " + b + " \n", " " + a + " y " + b + "\n",
		"x " + a + " y " + long + "\n", "x " + strings.ToUpper(a) + " y " + b + "\n", "x  y " + a + "\n",
	} {
		_, err := ReadPrePush(strings.NewReader(input))
		wantFault(t, err, fault.Invalid, "HOOK.INPUT")
	}
	_, err := ReadPrePush(strings.NewReader(strings.Repeat("x", maxPushInput+1)))
	wantFault(t, err, fault.Invalid, "HOOK.INPUT")
	if !IsZero(zero) || !IsZero(long) || IsZero(a) || IsZero("") || IsZero("0") {
		t.Error("IsZero")
	}
}

// What is read is what was written, field by field.
func FuzzReadPrePush(f *testing.F) {
	a := strings.Repeat("a", 40)
	f.Add("refs/heads/x " + a + " refs/heads/y " + a + "\n")
	f.Add("(delete) " + strings.Repeat("0", 64) + " refs/heads/y " + strings.Repeat("1", 64) + "\n")
	f.Add("HEAD@{1 day ago} x\n")
	f.Fuzz(func(t *testing.T, input string) {
		pushes, err := ReadPrePush(strings.NewReader(input))
		if err != nil {
			return
		}
		var b strings.Builder
		for _, p := range pushes {
			b.WriteString(p.LocalRef + " " + p.LocalID + " " + p.RemoteRef + " " + p.RemoteID + "\n")
		}
		if b.String() != input {
			t.Errorf("%q reads as %v", input, pushes)
		}
	})
}

// The lines are taken from a real push, by a hook that keeps them.
func TestReadPrePushFromGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tip := f.Commit("a", "1")
	f.Git("init", "-q", "--bare", "../remote")
	f.Git("push", "-q", "../remote", "main:old")
	f.Write(".git/hooks/pre-push", "#!/bin/sh\ncat >.git/lines\n")
	if err := os.Chmod(filepath.Join(f.Dir, ".git/hooks/pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.Git("push", "-q", "../remote", ":old", "HEAD@{1 day ago}:refs/heads/spaced", "main")
	file, err := os.Open(filepath.Join(f.Dir, ".git/lines"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pushes, err := ReadPrePush(file)
	zero := strings.Repeat("0", 40)
	want := []Push{
		{"(delete)", zero, "refs/heads/old", tip},
		{"HEAD@{1 day ago}", tip, "refs/heads/spaced", zero},
		{"refs/heads/main", tip, "refs/heads/main", zero},
	}
	slices.SortFunc(pushes, func(a, b Push) int { return strings.Compare(a.LocalRef, b.LocalRef) })
	if err != nil || !slices.Equal(pushes, want) {
		t.Errorf("%v %v", pushes, err)
	}
}
