package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/gitext/gittest"
)

// git standards --help and git help standards open the manual page of that name (git-facts B83): git itself looks for it, so that a
// program without one has only "No manual entry" to say.
func TestHelpOpensTheManual(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../doc/git-standards.1")
	if err != nil {
		t.Fatal(err)
	}
	manuals := t.TempDir()
	if err := os.MkdirAll(filepath.Join(manuals, "man1"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(manuals, "man1", "git-standards.1"), page, 0o666); err != nil {
		t.Fatal(err)
	}
	r := gittest.New(t)
	r.Git("config", "man.viewer", "page")
	r.Git("config", "man.page.cmd", `page() { cat "$MANUALS/man1/$1.1"; }; page`)
	for _, args := range [][]string{{"standards", "--help"}, {"help", "standards"}, {"help", "-m", "standards"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = r.Dir
		cmd.Env = append(append([]string{}, r.Env...), "MANUALS="+manuals, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), ".TH GIT\\-STANDARDS 1 ") {
			t.Errorf("git %v: %v %.200q", args, err, out)
		}
	}
}
