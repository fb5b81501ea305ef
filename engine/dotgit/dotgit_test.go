package dotgit_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/dotgit"
)

// refusedByGit asks git fsck which of the names it takes for ".git" (message hasDotgit), one tree a name.
func refusedByGit(t *testing.T, names []string) []bool {
	t.Helper()
	dir := t.TempDir()
	git := func(stdin []byte, args ...string) (string, []byte) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		cmd.Stdin = bytes.NewReader(stdin)
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		err := cmd.Run()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String()), complaints.Bytes()
	}
	git(nil, "init", "-q", ".")
	blob, _ := git([]byte("x"), "hash-object", "-w", "--stdin")
	if len(blob) != 40 {
		t.Fatalf("no blob: %q", blob)
	}
	raw, err := hex.DecodeString(blob)
	if err != nil {
		t.Fatal(err)
	}
	var paths strings.Builder
	for i, name := range names {
		path := fmt.Sprintf("%s/tree-%d", dir, i)
		if err := os.WriteFile(path, append(append([]byte("100644 "+name), 0), raw...), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&paths, path)
	}
	out, _ := git([]byte(paths.String()), "hash-object", "-w", "-t", "tree", "--literally", "--no-filters", "--stdin-paths")
	ids := strings.Fields(out)
	if len(ids) != len(names) {
		t.Fatalf("%d trees for %d names", len(ids), len(names))
	}
	_, complaints := git(nil, append([]string{"fsck", "--no-dangling"}, ids...)...)
	refused := make([]bool, len(names))
	for i, id := range ids {
		for line := range strings.Lines(string(complaints)) {
			refused[i] = refused[i] || strings.Contains(line, id) && strings.Contains(line, "hasDotgit")
		}
	}
	return refused
}

// What both rules would admit only together, git admits: the mixed forms stand in the product of the lists below.
func TestSpellingsAreThoseOfGit(t *testing.T) {
	t.Parallel()
	names := []string{".git", "git~1", "git~2", ".gitx", "x.git", ".git~1", ".gi", "git", "..git", ".g\u0130t", ".g\u0131t", ".git\u2063", ".git.\u200c", ".g\u200cit ", "g\u200dit~1",
		".git\xff", ".git\xffx", ".gi\xfft", ".git\u200c\xc0\x80", ".git\xed\xa0\x80", ".git\ufffd", ".git\ufffe", ".git\uffffx", ".git\U0001fffe", "git~1\xff"}
	for _, head := range []string{"", "a\\", "\\", "a/", "\u200e"} {
		for _, stem := range []string{".git", ".GIT", ".gIt", "git~1", "GIT~1", ".g\u200cit", "\u202a.git"} {
			for _, tail := range []string{"", ".", " ", ". .", ":", ":x", " :x", "\\", "\\x", "x", ".x", " x", "\u206a", "\ufeff", "\u200b", "\u200c ", " \u200c", "\u200c:x"} {
				if name := head + stem + tail; !strings.Contains(name, "/") {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	refused, mixed := 0, false
	for i, byGit := range refusedByGit(t, names) {
		if byUs := dotgit.Refused(names[i]); byUs != byGit {
			t.Errorf("%q: refused by git %v, by us %v", names[i], byGit, byUs)
		}
		if byGit {
			refused++
		} else if names[i] == ".git\u200c " {
			mixed = true
		}
	}
	if !mixed {
		t.Error("git refuses a mixed form, or none was asked for")
	}
	if refused < 50 || refused == len(names) {
		t.Errorf("git refused %d of %d names: the comparison says nothing", refused, len(names))
	}
}
