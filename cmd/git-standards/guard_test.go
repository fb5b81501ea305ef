package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Every hook of a script runs under guard (testdata/guard): what it changes fails the script. No script can forget it, because
// the guard stands where the program believes to be itself, and so in the path that `hooks install` records. Kit is the
// folder with all of it:
//
//	bin/git-standards       first on PATH: hooks go to the guard, all else to the program, with nothing in between but for a copy
//	                        of the JSON that it prints, in the folder $PRINTED, and of what
//	                        it prints in the forms of others, in $PRINTED-forms
//	recorded/git-standards  the guard
//	recorded/program        leads to the program
//	recorded/reports/       a file for every hook that changed something
type kit string

func (k kit) path() string    { return filepath.Join(string(k), "bin", "git-standards") }
func (k kit) guard() string   { return filepath.Join(string(k), "recorded", "git-standards") }
func (k kit) reports() string { return filepath.Join(string(k), "recorded", "reports") }

// programs keeps the programs of all kits open.
var programs []*os.File

// newKit lays the kit out in a new folder, for a program.
func newKit(folder, program string) (kit, error) {
	k := kit(folder)
	if err := errors.Join(os.MkdirAll(filepath.Dir(k.path()), 0o777), os.MkdirAll(k.reports(), 0o777)); err != nil {
		return "", err
	}
	// The program is opened where the guard will stand. For Linux a program that is run through this descriptor has that
	// path for ever, also after the guard has taken the place.
	data, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(k.guard(), data, 0o777); err != nil {
		return "", err
	}
	opened, err := os.Open(k.guard())
	if err != nil {
		return "", err
	}
	programs = append(programs, opened)
	running := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), opened.Fd())
	if out, err := exec.Command("go", "build", "-o", k.guard()+".new", "./testdata/guard").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	fork := fmt.Sprintf(`#!/bin/sh
case " $* " in
*' hook '*) exec '%[1]s' "$@" ;;
*' gate '*'format sarif'*) out=$PRINTED-forms/sarif.XXXXXX ;;
*' gate '*'format junit'*) out=$PRINTED-forms/junit.XXXXXX ;;
*' gate '*'format github'*) out=$PRINTED-forms/github.XXXXXX ;;
*json*) out=$PRINTED/XXXXXX ;;
*) PRINTED= ;;
esac
if [ "$PRINTED" ]; then
	out=$(mktemp "$out") && %[2]s "$@" >"$out"; code=$?
	cat "$out" && exit $code
	exit
fi
exec %[2]s "$@"
`, k.guard(), running)
	return k, errors.Join(
		os.Rename(k.guard()+".new", k.guard()),
		os.Symlink(running, filepath.Join(string(k), "recorded", "program")),
		os.WriteFile(k.path(), []byte(fork), 0o777),
	)
}

// found returns, and removes, the reports about repositories below a folder.
func (k kit) found(below string) (reports []string, err error) {
	entries, err := os.ReadDir(k.reports())
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(k.reports(), entry.Name())
		text, err := os.ReadFile(path)
		where, what, whole := strings.Cut(string(text), "\n")
		if err != nil || !whole || where != below && !strings.HasPrefix(where, below+"/") {
			continue // another script's, perhaps gone or half-written by now
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		reports = append(reports, what)
	}
	return reports, nil
}

// writer is a program that does what $WRITE says, and reads what it is given.
const writer = "#!/bin/sh\ncat\neval \"$WRITE\"\n"

func newWriterKit(t *testing.T) kit {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "writer")
	if err := os.WriteFile(program, []byte(writer), 0o777); err != nil {
		t.Fatal(err)
	}
	k, err := newKit(filepath.Join(folder, "kit"), program)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The guard can fail: whatever a hook writes is found, wherever it is. What a hook may do is not.
func TestGuardFindsWhatAHookChanges(t *testing.T) {
	t.Parallel()
	k := newWriterKit(t)
	env := append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com")
	template := t.TempDir()
	sh(t, template, env, `mkdir home && echo >home/.gitconfig && git init -q -b main r && cd r && echo a >file && echo b >clean && git add file clean &&
		git commit -q -m 1 && git commit -q --allow-empty -m 2 && git worktree add -q -b other ../linked && git clone -q --bare . ../bare &&
		echo changed >>file && echo changed >>../linked/file && touch .git/next-index-1.lock`)
	for _, c := range []struct{ in, write, report string }{
		{"r", "true", ""},
		{"r", "mkdir .standards-engine; echo >.standards-engine/x", ""},
		{"r", "git --no-optional-locks status; git log; git cat-file -t HEAD", ""},
		{"r", "echo more >>file", "/file\n"},
		{"r", "echo else >file", "/file\n"},
		{"r", "touch -c file", "/file\n"},
		{"r", "cp -p file x; mv x file", "/file\n"},
		{"r", "chmod 600 file", "/file\n"},
		{"r", "touch -r file x; rm file; ln -s x file", "/file\n"},
		{"r", "mkdir empty", "/empty is new"},
		{"r", "rm file", "/file is gone"},
		{"r", "git update-index --refresh", "/.git/index\n"},
		{"r", "git add file", "/.git/index\n"},
		{"r", "echo >>.git/next-index-1.lock", "/next-index-1.lock\n"},
		{"r", "touch .git/index.lock; rm .git/index.lock", "/.git\n"},
		{"r", "git config x.y z", "/.git/config\n"},
		{"r", "git config --global x.y z", "/home/.gitconfig\n"},
		{"r", "git update-ref refs/notes/x HEAD", "/refs/notes/x is new"},
		{"r", "git pack-refs --all", "/packed-refs is new"},
		{"r", "git symbolic-ref HEAD refs/heads/other", "/HEAD\n"},
		{"r", "git update-ref -m log refs/heads/main HEAD^", "/logs/refs/heads/main\n"},
		{"r", "echo object | git hash-object -w --stdin", "/.git/objects/"},
		{"r", "git stash", "/refs/stash is new"},
		{"linked", "mkdir ../r/.standards-engine", ""},
		{"linked", "mkdir .standards-engine", "/linked\n"}, // the store is elsewhere
		{"linked", "git add file", "/worktrees/linked/index\n"},
		{"linked", "git config x.y z", "/r/.git/config\n"},
		{"linked", "git branch x", "/r/.git/refs/heads/x is new"},
		{"linked", "echo else >file", "/linked/file\n"},
		{"bare", "git branch x", "/bare/refs/heads/x is new"},
		{"bare", "mkdir .standards-engine", ""},
	} {
		t.Run(c.in+": "+c.write, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			sh(t, dir, env, "cp -a '"+template+"/'. . && echo \"gitdir: $PWD/r/.git/worktrees/linked\" >linked/.git")
			hook := exec.Command(k.guard(), "hook", "pre-commit")
			hook.Dir, hook.Env, hook.Stdin = filepath.Join(dir, c.in), slices.Concat(env, []string{"WRITE=" + c.write + "; exit 7",
				"HOME=" + dir + "/home", "GIT_CONFIG_GLOBAL=" + dir + "/home/.gitconfig"}), strings.NewReader("input\n")
			out, _ := hook.CombinedOutput()
			if hook.ProcessState.ExitCode() != 7 || !strings.HasPrefix(string(out), "input\n") {
				t.Errorf("exit %d: %s", hook.ProcessState.ExitCode(), out)
			}
			reports, err := k.found(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(reports, ""); (c.report == "") != (got == "") || !strings.Contains(got, c.report) {
				t.Errorf("reported: %s", got)
			}
		})
	}
}

// A report fails the script it belongs to, although the script itself saw nothing.
func TestGuardFailsTheScript(t *testing.T) {
	t.Parallel()
	k := newWriterKit(t)
	for write, want := range map[string]bool{"true": false, "echo >>r/f": true, "git -C r config x.y z": true} {
		script := filepath.Join(t.TempDir(), "s.txtar")
		text := "exec git init -q r\nenv WRITE='" + write + "'\nexec git-standards -C r hook pre-commit\n"
		if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		params := scripts(k)
		params.Files = []string{script}
		outer := &recorder{}
		testscript.RunT(outer, params)
		if outer.failed != want {
			t.Errorf("%s: failed %v, want %v\n%s", write, outer.failed, want, outer.text.String())
		}
	}
}

// JSON that is none of the public shapes fails the script, although the script itself did not look at it.
func TestPrintedJSONIsChecked(t *testing.T) {
	t.Parallel()
	k := newWriterKit(t)
	for print, want := range map[string]bool{
		`{"schema_version": 11, "result": "pruned", "removed": []}`:            false,
		`{"schema_version": 11, "result": "pruned", "removed": [], "more": 1}`: true,
		`{"schema_version": 11, "result": "pruned", "removed": []} and more`:   true,
		``: false, // a message alone, on standard error
	} {
		folder := t.TempDir()
		script, printed := filepath.Join(folder, "s.txtar"), filepath.Join(folder, "printed")
		text := "env 'WRITE=cat " + printed + "'\nexec git-standards prune --format json\n"
		if err := errors.Join(os.WriteFile(printed, []byte(print), 0o666), os.WriteFile(script, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		params := scripts(k)
		params.Files = []string{script}
		outer := &recorder{}
		testscript.RunT(outer, params)
		if outer.failed != want {
			t.Errorf("%s: failed %v, want %v\n%s", print, outer.failed, want, outer.text.String())
		}
	}
}

// recorder is a test whose failure is a result.
type recorder struct {
	failed bool
	text   strings.Builder
}

func (r *recorder) Skip(...any)   { runtime.Goexit() }
func (r *recorder) Parallel()     {}
func (r *recorder) Verbose() bool { return false }
func (r *recorder) Log(a ...any)  { fmt.Fprintln(&r.text, a...) }
func (r *recorder) FailNow()      { r.failed = true; runtime.Goexit() }
func (r *recorder) Fatal(a ...any) {
	r.Log(a...)
	r.FailNow()
}

func (r *recorder) Run(_ string, f func(testscript.T)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
}

func sh(t *testing.T, dir string, env []string, script string) {
	t.Helper()
	command := exec.Command("sh", "-c", script)
	command.Dir, command.Env = dir, env
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}
