package hooks

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

func mustInspect(t *testing.T, dir Dir) Status {
	t.Helper()
	status, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func mustUninstall(t *testing.T, dir Dir) Status {
	t.Helper()
	status, err := Uninstall(dir)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestInstallIsIdempotent(t *testing.T) {
	t.Parallel()
	r := newRepository(t) // made without a hooks folder
	wantStates(t, mustInspect(t, r.dir()), Absent, Absent, Absent)
	binary := judge(t, "bin", "git-standards")
	wantStates(t, r.install(binary), Installed, Installed, Installed)
	once := listing(t, r.dir().Path)
	if names := slices.Sorted(maps.Keys(once)); !slices.Equal(names, Names) {
		t.Errorf("folder holds %q", names)
	}
	wantStates(t, r.install(binary), Installed, Installed, Installed)
	if twice := listing(t, r.dir().Path); !maps.Equal(twice, once) {
		t.Errorf("second install: %v", twice)
	}
	wantStates(t, mustUninstall(t, r.dir()), Absent, Absent, Absent)
	wantStates(t, mustUninstall(t, r.dir()), Absent, Absent, Absent)
	if left := listing(t, r.dir().Path); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSamplesAreUntouched(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	sample := filepath.Join(r.dir().Path, "pre-commit.sample")
	write(t, sample, "#!/bin/sh\nexit 1\n", 0o755)
	before := listing(t, r.dir().Path)
	r.install(judge(t, "bin", "git-standards"))
	r.must("commit", "-q", "--allow-empty", "-m", "x")
	mustUninstall(t, r.dir())
	if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
		t.Errorf("%v", after)
	}
}

func TestMovedBinary(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	hook := filepath.Join(r.dir().Path, "pre-commit")
	write(t, hook, "#!/bin/sh\necho original >&2\n", 0o711)
	before := listing(t, r.dir().Path)
	old := judge(t, "old", "git-standards")
	r.install(old)
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	wantStates(t, mustInspect(t, r.dir()), Outdated, Outdated, Outdated)
	wantStates(t, r.install(judge(t, "new", "git-standards")), Installed, Installed, Installed)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "original\n"+judgedCommit+"\n" {
		t.Error(out)
	}
	mustUninstall(t, r.dir())
	if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
		t.Errorf("%v", after)
	}
}

func TestHookThatLostItsMode(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	r.install(binary)
	if err := os.Chmod(filepath.Join(r.dir().Path, "pre-push"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantStates(t, mustInspect(t, r.dir()), Installed, Installed, NotExecutable)
	wantStates(t, r.install(binary), Installed, Installed, Installed)
}

// A tool that writes its own hook over ours, and our hook aside, as lefthook and pre-commit do.
func TestOverwrittenByAnotherTool(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	folder := r.dir().Path
	hook := filepath.Join(folder, "pre-commit")
	write(t, hook, "#!/bin/sh\necho first >&2\n", 0o755)
	r.install(binary)

	// It runs what it found, which is our hook under another name: that one must not begin the chain again.
	if err := os.Rename(hook, hook+".legacy"); err != nil {
		t.Fatal(err)
	}
	tool := "#!/bin/sh\necho tool >&2\n\"$0.legacy\" \"$@\" 2>&1 | sed 's/^/legacy: /' >&2\n"
	tool = strings.ReplaceAll(tool, "$0.legacy", "${0%/*}/pre-commit.legacy")
	write(t, hook, tool, 0o755)
	wantStates(t, mustInspect(t, r.dir()), Foreign, Installed, Installed)
	// While the tool's hook is in the place, our old one still runs the first original, once.
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "tool\nlegacy: first\nlegacy: "+judgedCommit+"\n" {
		t.Error(out)
	}
	before := listing(t, folder)

	wantStates(t, r.install(binary), Installed, Installed, Installed)
	want := "first\ntool\nlegacy: " + judgedCommit + "\n" + judgedCommit + "\n"
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}

	// The tool writes the same hook again: it is not chained twice.
	write(t, hook, tool, 0o755)
	r.install(binary)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != want {
		t.Errorf("written again: %s", out)
	}
	mustUninstall(t, r.dir())
	after := listing(t, folder)
	if first := "pre-commit" + keptSuffix; after["pre-commit"] != before["pre-commit"] || after[first] != before[first] {
		t.Errorf("after uninstall %v\nbefore %v", after, before)
	}
	// And in again: nothing was lost on the way.
	r.install(binary)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != want {
		t.Errorf("in again: %s", out)
	}
}

func TestOurHookUnderTheNameOfAnOriginal(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	hook := filepath.Join(r.dir().Path, "pre-commit")
	write(t, hook+keptSuffix, render("pre-commit", filepath.Join(t.TempDir(), "gone")), 0o755)
	r.install(binary)
	r.env[0] = "PATH=" + filepath.Dir(binary) + ":/usr/bin:/bin"
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n"+judgedCommit+"\n" {
		t.Error(out)
	}
}

func TestInterruptedInstall(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	hook := filepath.Join(r.dir().Path, "pre-commit")
	write(t, hook, "#!/bin/sh\necho original >&2\n", 0o755)
	before := listing(t, r.dir().Path)
	// After the second name was given, before our hook was written.
	if err := os.Link(hook, hook+keptSuffix); err != nil {
		t.Fatal(err)
	}
	r.install(binary)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "original\n"+judgedCommit+"\n" {
		t.Error(out)
	}
	// Our hook deleted by hand.
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	mustUninstall(t, r.dir())
	if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
		t.Errorf("%v", after)
	}
}

func TestTooManyOriginals(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	hook := filepath.Join(r.dir().Path, "pre-commit")
	binary := judge(t, "bin", "git-standards")
	for n := range 9 {
		write(t, hook, "#!/bin/sh\nprintf "+string(rune('1'+n))+" >&2\n", 0o755)
		r.install(binary)
	}
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "123456789"+judgedCommit+"\n" {
		t.Error(out)
	}
	write(t, hook, "#!/bin/sh\n", 0o755)
	before := listing(t, r.dir().Path)
	_, err := Install(r.dir(), binary)
	wantFault(t, err, fault.Invalid, "HOOKS.TOO_MANY")
	if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
		t.Errorf("%v", after)
	}
}

// What cannot be installed over is refused before anything changes.
func TestRefusedPlaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make    func(path string) error
		outcome fault.Outcome
		code    string
	}{
		"dangling link":  {func(path string) error { return os.Symlink("nowhere", path) }, fault.Invalid, "HOOKS.DANGLING"},
		"link to itself": {func(path string) error { return os.Symlink("pre-push", path) }, fault.Invalid, "HOOKS.DANGLING"},
		"directory":      {func(path string) error { return os.Mkdir(path, 0o755) }, fault.Invalid, "HOOKS.NOT_A_FILE"},
		"fifo":           {func(path string) error { return syscall.Mkfifo(path, 0o755) }, fault.Invalid, "HOOKS.NOT_A_FILE"},
		"edited": {func(path string) error {
			return os.WriteFile(path, []byte(render("pre-push", "/b")+"echo mine\n"), 0o755)
		}, fault.Invalid, "HOOKS.EDITED"},
		"newer": {func(path string) error {
			return os.WriteFile(path, []byte("#!/bin/sh\n# git-standards hook v3 pre-push\n"), 0o755)
		}, fault.Unsupported, "HOOKS.NEWER"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			path := filepath.Join(r.dir().Path, "pre-push")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			before := listing(t, r.dir().Path)
			_, err := Install(r.dir(), judge(t, "bin", "git-standards"))
			wantFault(t, err, c.outcome, c.code)
			if f := fault.As(err); f.Target != path || len(f.Next) == 0 {
				t.Errorf("no place or no next command: %+v", f)
			}
			if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
				t.Errorf("folder changed: %v", after)
			}
			wantOther := Foreign
			if c.code == "HOOKS.EDITED" || c.code == "HOOKS.NEWER" {
				wantOther = Outdated
				_, err := Uninstall(r.dir())
				wantFault(t, err, c.outcome, c.code)
			} else {
				mustUninstall(t, r.dir())
			}
			wantStates(t, mustInspect(t, r.dir()), Absent, Absent, wantOther)
		})
	}
}

func TestRefusedBinary(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, binary := range []string{"", "git-standards", "./git-standards", "/new\nline", "/esc\x1b[31m", "/nul\x00"} {
		_, err := Install(r.dir(), binary)
		wantFault(t, err, fault.Invalid, "HOOKS.BINARY")
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.must("config", "core.hooksPath", "/dev/null")
	_, err := Install(r.dir(), "/b")
	wantFault(t, err, fault.Invalid, "HOOKS.NOT_A_FOLDER")
	wantStates(t, mustInspect(t, r.dir()), Absent, Absent, Absent)
	r.sh(fault.As(err).Next[0])
	write(t, r.dir().Path, "", 0o644)
	_, err = Install(r.dir(), "/b")
	wantFault(t, err, fault.Invalid, "HOOKS.NOT_A_FOLDER")
	r.sh(fault.As(err).Next[0])
	r.install(judge(t, "bin", "git-standards"))
	r.must("config", "core.hooksPath", "/proc/self/hooks")
	_, err = Install(r.dir(), "/b")
	wantFault(t, err, fault.Unavailable, "HOOKS.UNWRITABLE")
}

// RULES I4: a hooks path from outside this repository's own configuration is refused by name.
func TestHooksPathFromOutside(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	r.install(binary)
	shared := t.TempDir()
	write(t, filepath.Join(shared, "pre-commit"), "#!/bin/sh\nexit 0\n", 0o755)
	config := filepath.Join(t.TempDir(), "config")
	write(t, config, "[core]\n\thooksPath = "+shared+"\n", 0o644)
	before := listing(t, shared)
	outside := map[string][]string{
		"global":  {"GIT_CONFIG_GLOBAL=" + config},
		"system":  {"GIT_CONFIG_NOSYSTEM=0", "GIT_CONFIG_SYSTEM=" + config},
		"command": {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=" + shared},
	}
	for scope, env := range outside {
		there := r
		there.env = append(slices.Clone(r.env), env...)
		dir := there.dir()
		if dir.Scope != scope || dir.Path != shared {
			t.Fatalf("git says %+v", dir)
		}
		_, err := Install(dir, binary)
		wantFault(t, err, fault.Invalid, "HOOKS.FOREIGN_PATH")
		said := map[string]string{"command": "GIT_CONFIG_"}[scope]
		if said == "" {
			said = scope
		}
		if f := fault.As(err); f.Target != shared || !strings.Contains(f.Message, said) || len(f.Next) != 2 {
			t.Errorf("%+v", f)
		}
		wantStates(t, mustInspect(t, dir), Shadowed, Shadowed, Shadowed)
		if after := listing(t, shared); !maps.Equal(after, before) {
			t.Errorf("%s: the shared folder changed: %v", scope, after)
		}
	}
	// Taking ours out works there too, and leaves the shared folder alone.
	there := r
	there.env = append(slices.Clone(r.env), outside["global"]...)
	wantStates(t, mustUninstall(t, there.dir()), Foreign, Absent, Absent)
	if after := listing(t, shared); !maps.Equal(after, before) {
		t.Errorf("the shared folder changed: %v", after)
	}
}

func TestHooksPathOfTheRepository(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	r.install(binary)
	r.must("config", "core.hooksPath", "tools/hooks")
	wantStates(t, mustInspect(t, r.dir()), Shadowed, Shadowed, Shadowed)
	wantStates(t, r.install(binary), Installed, Installed, Installed)
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n" {
		t.Error(out)
	}
	wantStates(t, mustUninstall(t, r.dir()), Absent, Absent, Absent)
	r.must("config", "--unset", "core.hooksPath")
	wantStates(t, mustInspect(t, r.dir()), Absent, Absent, Absent)
}

func TestLinkedWorktreeAndSubmodule(t *testing.T) {
	t.Parallel()
	binary := judge(t, "bin", "git-standards")
	r := newRepository(t)
	r.must("commit", "-q", "--allow-empty", "-m", "x")
	linked := r
	linked.root = filepath.Join(t.TempDir(), "linked")
	r.must("worktree", "add", "-q", linked.root)
	wantStates(t, linked.install(binary), Installed, Installed, Installed)
	for _, at := range []repository{r, linked} {
		if out := at.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n" {
			t.Error(out)
		}
	}
	super := newRepository(t)
	super.must("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.root, "lib")
	lib := super
	lib.root = filepath.Join(super.root, "lib")
	wantStates(t, lib.install(binary), Installed, Installed, Installed)
	if out := lib.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n" {
		t.Error(out)
	}
	wantStates(t, mustInspect(t, super.dir()), Absent, Absent, Absent)
}

func TestUmaskAloneDecidesTheMode(t *testing.T) {
	// Not parallel: the umask is the whole process's.
	for _, umask := range []int{0, 0o022, 0o077} {
		r := newRepository(t)
		dir := r.dir()
		old := syscall.Umask(umask)
		_, err := Install(dir, "/b")
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir.Path, "pre-commit"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := info.Mode().Perm(), 0o755&^os.FileMode(umask); got != want {
			t.Errorf("umask %03o: mode %03o, want %03o", umask, got, want)
		}
	}
}
