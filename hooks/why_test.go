package hooks

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// Where a hook finds its program may be gone tomorrow; each row is a place that a person has installed from.
func TestFleetingPlaces(t *testing.T) {
	t.Parallel()
	for binary, want := range map[string]string{
		"/usr/bin/git-standards": "", "/usr/local/bin/git-standards": "", "/home/a/go/bin/git-standards": "", "/opt/homebrew/bin/git-standards": "",
		"/home/a/tmp/git-standards": "", "/tmpfs/git-standards": "",
		"/tmp/git-standards":                                   "temporary",
		"/var/tmp/x/git-standards":                             "temporary",
		"/private/var/folders/ab/T/git-standards":              "temporary",
		"/work/r/bin/git-standards":                            "git clean",
		"/media/usb/git-standards":                             "mounted",
		"/mnt/share/bin/git-standards":                         "mounted",
		"/nix/store/abc-git-standards-1.0/bin/git-standards":   "next version",
		"/opt/homebrew/Cellar/git-standards/1.0/git-standards": "next version",
		"/home/a/p/node_modules/.bin/git-standards":            "next version",
	} {
		if got := fleeting(binary, "/work/r"); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", binary, got, want)
		}
	}
}

func TestHooksThatLookAtTheirName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"#!/bin/sh\nexit 0\n": false,
		"#!/bin/sh\ncall_lefthook run \"pre-commit\" \"$@\"\n":          false,
		"#!/bin/sh\n. \"$(dirname -- \"$0\")/_/husky.sh\"\n":            false,
		"basename \"$0\" without an interpreter\n":                      false,
		"#!/bin/sh\nname=$(basename \"$0\")\n":                          true,
		"#!/bin/sh\nname=`basename -- $0`\n":                            true,
		"#!/bin/bash\ncase ${0##*/} in pre-commit) ;; esac\n":           true,
		"#!/bin/bash\nname=$(basename \"${BASH_SOURCE[0]}\")\n":         true,
		"#!/usr/bin/env ruby\nhook_type = File.basename($0)\n":          true,
		"#!/usr/bin/env python3\nimport sys\nname = sys.argv[0]\n":      true,
		"#!/usr/bin/env python3\nimport sys\nsys.exit(len(sys.argv))\n": false,
	} {
		path := filepath.Join(t.TempDir(), "hook")
		write(t, path, text, 0o755)
		if got := looksAtItsName(path); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A kept hook that looks at its name is said, at installation and ever after.
func TestKeptHookThatLooksAtItsNameIsSaid(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	write(t, filepath.Join(r.root, "tools", "hook"), "#!/bin/sh\necho \"${0##*/}\" >&2\n", 0o755)
	hook := filepath.Join(r.dir().Path, "pre-commit")
	link(t, "../../tools/hook", hook)
	status := r.install(judge(t, "bin", "git-standards"))
	said := func(s Status) bool {
		return slices.ContainsFunc(s.Notes, func(n Note) bool { return strings.Contains(n.Text, "pre-commit.git-standards-original") })
	}
	if !said(status) || !said(mustInspect(t, r.dir())) {
		t.Errorf("%+v", status.Notes)
	}
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "pre-commit.git-standards-original\n"+judgedCommit+"\n" {
		t.Error(out)
	}
	if said(mustUninstall(t, r.dir())) {
		t.Error("said of the original in its place")
	}
}

// Husky 9 writes all of .husky/_ anew, and runs .husky/NAME by its own path. The texts are its own.
func TestHusky(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	folder := filepath.Join(r.root, ".husky", "_")
	// Those of 9.0, and those of 9.1.
	texts := map[string]string{"pre-commit": `. "${0%/*}/h"`, "pre-merge-commit": `. "$(dirname "$0")/h"`, "pre-push": `. "$(dirname "$0")/h"`}
	for _, name := range Names {
		write(t, filepath.Join(folder, name), "#!/usr/bin/env sh\n"+texts[name], 0o755)
	}
	write(t, filepath.Join(folder, "h"), `#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
export PATH="node_modules/.bin:$PATH"
sh -e "$s" "$@"
c=$?
exit $c
`, 0o644)
	write(t, filepath.Join(r.root, ".husky", "pre-commit"), "echo mine >&2\n", 0o644)
	r.must("config", "core.hooksPath", ".husky/_")
	r.env[0] = "PATH=" + filepath.Dir(judge(t, "bin", "git-standards")) + ":/usr/bin:/bin"
	before := listing(t, folder)
	_, err := Install(r.dir(), "/b")
	wantFault(t, err, fault.Invalid, "HOOKS.HUSKY")
	if after := listing(t, folder); !maps.Equal(after, before) {
		t.Errorf("folder changed: %v", after)
	}
	wantStates(t, mustInspect(t, r.dir()), Foreign, Foreign, Foreign)
	// What is to be typed puts ours in force, husky's own hooks stay, and it is seen.
	for _, command := range fault.As(err).Next {
		r.sh(command)
	}
	wantStates(t, mustInspect(t, r.dir()), Installed, Installed, Installed)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "mine\n"+judgedCommit+"\n" {
		t.Error(out)
	}
	wantStates(t, r.install("/b"), Installed, Installed, Installed)
	wantStates(t, mustUninstall(t, r.dir()), Installed, Installed, Installed)
	if after := listing(t, folder); !maps.Equal(after, before) {
		t.Errorf("folder changed: %v", after)
	}
}

// What makes Git look elsewhere is undone by the command printed for it; who set it is named.
func TestRelease(t *testing.T) {
	t.Parallel()
	own := Dir{Path: "/x", Own: "/r/.git/hooks", Top: "/r"}
	for _, c := range []struct{ scope, origin, whose, release string }{
		{"local", "/r/.git/config", "the local configuration (/r/.git/config)", "git config --local --unset-all core.hooksPath"},
		{"local", "/r/it's", "the local configuration (/r/it's)", `git config --file '/r/it'\''s' --unset-all core.hooksPath`},
		{"worktree", "/r/.git/config.worktree", "the worktree configuration (/r/.git/config.worktree)", "git config --worktree --unset-all core.hooksPath"},
		{"global", "/home/a/.gitconfig", "the global configuration (/home/a/.gitconfig)", "git config --local core.hooksPath /r/.git/hooks"},
		{"system", "", "the system configuration", "git config --local core.hooksPath /r/.git/hooks"},
		{"command", "", "git -c or a GIT_CONFIG_… variable", "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS"},
	} {
		d := own
		d.Scope, d.Origin = c.scope, c.origin
		if d.whose() != c.whose || d.release() != c.release {
			t.Errorf("%s: %s, %s", c.scope, d.whose(), d.release())
		}
	}
}
