package gitext

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// What is right is not held to be broken, whatever else git's reason was; a command that moves a HEAD is printed for none of these.
func TestHeadsThatNameSomething(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("0a", 20)
	for text, names := range map[string]bool{
		"ref: refs/heads/main\n": true, "ref:refs/heads/main": true, "ref: \trefs/heads/a b\n": true, id + "\n": true, strings.Repeat("0a", 32): true,
		"": false, "\n": false, "ref: \n": false, "ref: main\n": false, id[1:] + "\n": false, strings.ToUpper(id): false, "garbage\n": false,
	} {
		git := filepath.Join(t.TempDir(), ".git")
		for _, folder := range []string{"objects", "refs"} {
			if err := os.MkdirAll(filepath.Join(git, folder), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(git, "HEAD"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if f := lacking(filepath.Dir(git)); (f == nil) != names {
			t.Errorf("%q: %v", text, f)
		}
	}
}

// Git's words, as git 2.39 says them under LC_ALL=C; what is none of these is repeated as it is.
func TestWhatGitSaysOfARepository(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, target, message, next string }{
		{"fatal: bad config line 6 in file .git/config\n", "/r/.git/config", "line 6 of this configuration is none", "${EDITOR:-vi} /r/.git/config"},
		{"fatal: bad config line 1 in file /home/a b/.gitconfig\n", "/home/a b/.gitconfig", "line 1 of this", "${EDITOR:-vi} '/home/a b/.gitconfig'"},
		{"fatal: bad numeric config value 'x' for 'core.repositoryformatversion' in file /r/.git/config: invalid unit\n", "/r/.git/config",
			"core.repositoryformatversion has a value", "git -C / config --file /r/.git/config --unset-all core.repositoryformatversion"},
		{"fatal: bad boolean config value 'maybe' for 'core.bare'\n", "core.bare", "a value that is none", "git -C / config --show-origin --get-all core.bare"},
		{"fatal: unknown repository extension found:\n\ttomorrow\n", "/r", "(extensions: tomorrow)", "git --version"},
		{"fatal: unknown repository extensions found:\n\ta\n\tb\n", "/r", "(extensions: a, b)", "git --version"},
		{"fatal: Expected git repo version <= 1, found 2\n", "/r", "newer than this git knows", "git --version"},
		{"warning: unable to access '.git/config': Is a directory\nfatal: unknown error occurred while reading the configuration files\n", "/r/.git/config",
			"cannot be read: Is a directory", ""},
		{"fatal: something else\n", "/r", `git does not open the repository`, "git -C /r rev-parse --git-dir"},
	} {
		r := &Repo{dir: "/r", start: "/r", GitVersion: "2.39.5", found: true}
		f := r.broken("/r", output{stderr: []byte(c.said)})
		if f == nil || f.Code != "GIT.BROKEN" || f.Outcome != fault.Unavailable || f.Target != c.target || !strings.Contains(f.Message, c.message) {
			t.Errorf("%q: %+v", c.said, f)
		} else if c.next != "" && !slices.Equal(f.Next, []string{c.next}) {
			t.Errorf("%q: next %q", c.said, f.Next)
		}
	}
	none := &Repo{dir: t.TempDir(), found: true}
	for _, said := range []string{"fatal: not a git repository (or any of the parent directories): .git\n", "fatal: not a git repository: 'gone'\n", ""} {
		if f := none.broken(none.dir, output{stderr: []byte(said)}); f != nil {
			t.Errorf("%q: %v", said, f)
		}
	}
}
