package hooks

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const judgedCommit = `judged ["hook" "pre-commit"] ""`

func TestHookRunsTheRecordedBinary(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	names := []string{"git-standards", "with space", "it's", `do"uble $HOME $(touch x) ` + "`touch y`", `back\slash\n`, "*?[a]", "-dash"}
	for _, name := range names {
		r.env = slices.DeleteFunc(r.env, func(v string) bool { return v == "TEST_JUDGE_EXIT=1" })
		r.install(judge(t, name, name))
		if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n" {
			t.Errorf("%q: %s", name, out)
		}
		r.env = append(r.env, "TEST_JUDGE_EXIT=1")
		if out, code := r.git("commit", "-q", "--allow-empty", "-m", "x"); code == 0 || out != judgedCommit+"\n" {
			t.Errorf("%q: refusal: exit %d: %s", name, code, out)
		}
	}
}

func TestMergeAndPushAreJudged(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.must("commit", "-q", "--allow-empty", "-m", "one")
	r.must("checkout", "-q", "-b", "side")
	r.must("commit", "-q", "--allow-empty", "-m", "two")
	r.must("checkout", "-q", "main")
	r.install(judge(t, "bin", "git-standards"))
	if out := r.must("merge", "-q", "--no-ff", "-m", "m", "side"); out != `judged ["hook" "pre-merge-commit"] ""`+"\n" {
		t.Errorf("merge: %s", out)
	}
	remote := t.TempDir()
	r.must("init", "-q", "--bare", remote)
	tip := strings.TrimSpace(r.must("rev-parse", "main"))
	line := "refs/heads/main " + tip + " refs/heads/main " + strings.Repeat("0", 40) + "\n"
	want := fmt.Sprintf("judged %q %q\n", []string{"hook", "pre-push", remote, remote}, line)
	if out := r.must("push", "-q", remote, "main"); out != want {
		t.Errorf("push: %s\nwant  %s", out, want)
	}
}

func TestBinaryIsLookedForOnPath(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	gone := filepath.Join(t.TempDir(), "gone")
	r.install(gone)
	r.env[0] = "PATH=" + filepath.Dir(judge(t, "on path", "git-standards")) + ":/usr/bin:/bin"
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != judgedCommit+"\n" {
		t.Error(out)
	}
}

func TestNoBinaryRefusesInOneLine(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	gone := filepath.Join(t.TempDir(), `go\ne`)
	r.install(gone)
	// One in the current directory is the repository's own and is not trusted.
	write(t, filepath.Join(r.root, "git-standards"), "#!/bin/sh\nexit 0\n", 0o755)
	for _, path := range []string{"PATH=/usr/bin:/bin", "PATH=.:/usr/bin:/bin", "PATH=:/usr/bin:/bin"} {
		r.env[0] = path
		out, code := r.git("commit", "-q", "--allow-empty", "-m", "x")
		want := "git-standards: pre-commit refused: neither " + gone + " nor a git-standards on PATH can be run; " +
			"install git-standards, then type: git standards hooks install\n"
		if code == 0 || out != want {
			t.Errorf("%s: exit %d: %s", path, code, out)
		}
	}
}

func TestRecordedBinaryMustBeAnExecutableFile(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, mode := range []os.FileMode{0o644, os.ModeDir} {
		path := filepath.Join(t.TempDir(), "b")
		if mode.IsDir() {
			os.Mkdir(path, 0o755)
		} else {
			write(t, path, "#!/bin/sh\nexit 0\n", mode)
		}
		r.install(path)
		if out, code := r.git("commit", "-q", "--allow-empty", "-m", "x"); code == 0 || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: exit %d: %s", mode, code, out)
		}
	}
}

// shells are those that may be /bin/sh; one that is not here is left out by name.
func shells(t *testing.T) map[string][]string {
	all := map[string][]string{"dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}, "ksh": {"ksh"}}
	maps.DeleteFunc(all, func(name string, _ []string) bool {
		_, err := exec.LookPath(name)
		if err != nil {
			t.Logf("no %s here", name)
		}
		return err != nil
	})
	return all
}

// The original gets the exact arguments and input and runs first; then the judge gets the same.
func TestOriginalIsChained(t *testing.T) {
	t.Parallel()
	const original = `for argument; do printf '<%s>' "$argument"; done >&2
printf '[' >&2; cat >&2; printf ']\n' >&2
exit ${ORIGINAL_EXIT:-0}
`
	ref := "refs/heads/x " + strings.Repeat("0", 40)
	long := strings.Repeat(ref+" "+ref+"\n", 3_000)
	for name, shell := range shells(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			hook := filepath.Join(r.dir().Path, "pre-push")
			write(t, hook, "#!/bin/sh\n"+original, 0o755)
			r.install(judge(t, "bin", "git-standards"))
			run := func(input string, extra ...string) (string, int) {
				cmd := exec.Command(shell[0], append(shell[1:], hook, "origin", "a b'c\"$HOME*")...)
				cmd.Stdin, cmd.Env, cmd.Dir = strings.NewReader(input), append(r.env, extra...), r.root
				out, _ := cmd.CombinedOutput()
				return string(out), cmd.ProcessState.ExitCode()
			}
			first := func(input string) string { return "<origin><a b'c\"$HOME*>[" + input + "]\n" }
			inputs := []string{"", "one line\n", "no newline", "blank lines\n\n\n", "percent %s \\n back\\slash\n", "\xff\xfe\n", long}
			for _, input := range inputs {
				want := first(input) + fmt.Sprintf("judged %q %q\n", []string{"hook", "pre-push", "origin", "a b'c\"$HOME*"}, input)
				if out, code := run(input); code != 0 || out != want {
					t.Errorf("input %.20q: exit %d: %.300s", input, code, out)
				}
			}
			if out, code := run("line\n", "ORIGINAL_EXIT=42"); code != 42 || out != first("line\n") {
				t.Errorf("refusal of the original: exit %d: %s", code, out)
			}
			if _, code := run("line\n", "TEST_JUDGE_EXIT=7"); code != 7 {
				t.Errorf("refusal of the judge: exit %d", code)
			}
		})
	}
}

func TestOriginalThatReadsNothing(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	hook := filepath.Join(r.dir().Path, "pre-push")
	write(t, hook, "#!/bin/sh\nexit 0\n", 0o755)
	r.install(judge(t, "bin", "git-standards"))
	cmd := exec.Command(hook, "o", "u")
	cmd.Stdin, cmd.Env = strings.NewReader(strings.Repeat("x\n", 100_000)), r.env
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "judged ") || strings.Count(string(out), `x\n`) != 100_000 {
		t.Errorf("%v: %.200s", err, out)
	}
}

func TestOriginalOfEveryKind(t *testing.T) {
	t.Parallel()
	const greeting = "#!/bin/sh\necho original >&2\n"
	for name, c := range map[string]struct {
		make func(path string)
		want string
		code int
	}{
		"file":           {func(path string) { write(t, path, greeting, 0o755) }, "original\n" + judgedCommit + "\n", 0},
		"no interpreter": {func(path string) { write(t, path, "echo original >&2\n", 0o755) }, "original\n" + judgedCommit + "\n", 0},
		// Git ignores a hook that is not executable; so do we, without Git's hint.
		"not executable": {func(path string) { write(t, path, greeting, 0o644) }, judgedCommit + "\n", 0},
		"relative link": {func(path string) {
			write(t, filepath.Join(filepath.Dir(path), "..", "..", "tools", "check"), greeting, 0o755)
			os.Symlink("../../tools/check", path)
		}, "original\n" + judgedCommit + "\n", 0},
		// Git refuses the commit then, and so it stays.
		"carriage returns": {func(path string) { write(t, path, strings.ReplaceAll(greeting, "\n", "\r\n"), 0o755) }, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			path := filepath.Join(r.dir().Path, "pre-commit")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			c.make(path)
			before := listing(t, r.dir().Path)
			wantStates(t, r.install(judge(t, "bin", "git-standards")), Installed, Installed, Installed)
			out, code := r.git("commit", "-q", "--allow-empty", "-m", "x")
			if code != c.code || c.code == 0 && out != c.want || c.code != 0 && strings.Contains(out, "judged") {
				t.Errorf("exit %d: %s", code, out)
			}
			if _, err := Uninstall(r.dir()); err != nil {
				t.Fatal(err)
			}
			if after := listing(t, r.dir().Path); !maps.Equal(after, before) {
				t.Errorf("after uninstall %v\nbefore          %v", after, before)
			}
		})
	}
}

// Variables that the user exports reach the original as they are.
func TestHookChangesNoVariableOfTheUser(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	path := filepath.Join(r.dir().Path, "pre-commit")
	write(t, path, "#!/bin/sh\necho \"$name $dir $bin $input $original\" >&2\n", 0o755)
	r.install(judge(t, "bin", "git-standards"))
	r.env = append(r.env, "name=n", "dir=d", "bin=b", "input=i", "original=o", "gs_input=x", "CDPATH=/usr")
	if out := r.must("commit", "-q", "--allow-empty", "-m", "x"); out != "n d b i o\n"+judgedCommit+"\n" {
		t.Error(out)
	}
}

// A rendered hook is recognised with the path it records, whatever that is; any other text with the marker is not known.
func TestParseIsTheInverseOfRender(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(Names).Draw(t, "name")
		binary := "/" + rapid.String().Draw(t, "binary")
		text := render(name, binary)
		if s := parse(name, text); s == nil || !s.known || s.binary != binary {
			t.Fatalf("parse gave %+v", s)
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		changed := text[:at] + "#" + text[at:]
		if s := parse(name, changed); s != nil && s.known && renderVersion(s.version, name, s.binary) != changed {
			t.Fatalf("%q is known", changed)
		}
	})
	for _, text := range []string{"", "#!/bin/sh", "#!/bin/sh\n", "#!/bin/sh\necho # git-standards hook v1\n", "\x7fELF"} {
		if parse("pre-commit", text) != nil {
			t.Errorf("%q is taken for ours", text)
		}
	}
	for _, text := range []string{"#!/bin/sh\n# git-standards hook v3 pre-commit\n", render("pre-push", "/b"),
		render("pre-commit", "/b") + "echo more\n"} {
		if s := parse("pre-commit", text); s == nil || s.known {
			t.Errorf("%.60q: %+v", text, s)
		}
	}
}

// Whatever stands in a hook's place: what is taken for a known hook is exactly what its version writes.
func FuzzParse(f *testing.F) {
	f.Add(render("pre-commit", "/usr/bin/git-standards"))
	f.Add("#!/bin/sh\n# git-standards hook v3 pre-commit\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s := parse("pre-commit", text); s != nil && s.known && renderVersion(s.version, "pre-commit", s.binary) != text {
			t.Errorf("%q is known as a hook for %q", text, s.binary)
		}
	})
}

// The text that an installed hook has is known for as long as any clone may hold it: whoever changes it gives it a new version,
// and keeps this one recognised.
func TestInstalledTextIsRecognised(t *testing.T) {
	t.Parallel()
	for number, name := range []string{"testdata/pre-push.v1", "testdata/pre-push.v2"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const binary = "/opt/it's here/git-standards"
		if s := parse("pre-push", string(text)); s == nil || !s.known || s.version != number+1 || s.binary != binary {
			t.Errorf("%s is parsed as %+v", name, s)
		}
		r := newRepository(t)
		write(t, filepath.Join(r.dir().Path, "pre-push"), string(text), 0o755)
		wantStates(t, mustInspect(t, r.dir()), Absent, Absent, Outdated) // its program is gone
		wantStates(t, r.install(judge(t, "bin", "git-standards")), Installed, Installed, Installed)
		wantStates(t, mustUninstall(t, r.dir()), Absent, Absent, Absent)
	}
	// One whose program is there, and that is older, is brought up to date.
	r := newRepository(t)
	binary := judge(t, "bin", "git-standards")
	write(t, filepath.Join(r.dir().Path, "pre-push"), renderVersion(1, "pre-push", binary), 0o755)
	wantStates(t, mustInspect(t, r.dir()), Absent, Absent, Outdated)
	wantStates(t, r.install(binary), Installed, Installed, Installed)
}
