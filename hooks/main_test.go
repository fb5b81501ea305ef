package hooks

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// In these tests the test binary is the git-standards that a hook runs: it reports what it was given on stderr, as Git shows
// that of every hook, and exits as it is told.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		input, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(os.Stderr, "judged %q %q\n", os.Args[1:], input)
		code, _ := strconv.Atoi(os.Getenv("TEST_JUDGE_EXIT"))
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// judge returns a path of the test binary: a link of that name in a folder of its own.
func judge(t *testing.T, folder, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// repository is a real one, and hermetic.
type repository struct {
	t    *testing.T
	root string
	env  []string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t: t, root: t.TempDir(), env: []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z",
		"GIT_COMMITTER_DATE=2020-01-01T00:00:00Z"}}
	r.must("init", "-q", "-b", "main", "--template=")
	return r
}

func (r repository) git(args ...string) (output string, code int) {
	r.t.Helper()
	for {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = r.root, r.env
		out, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			r.t.Fatal(err)
		}
		// Tests install hooks in this process, and one that forks meanwhile holds the file open for a moment: no fault of git's.
		if strings.Contains(string(out), "Text file busy") {
			continue
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
}

func (r repository) must(args ...string) string {
	r.t.Helper()
	out, code := r.git(args...)
	if code != 0 {
		r.t.Fatalf("git %q: exit %d: %s", args, code, out)
	}
	return out
}

// dir asks Git where it looks, as the command does.
func (r repository) dir() Dir {
	r.t.Helper()
	absolute := func(path string) string {
		path = strings.TrimSuffix(path, "\n")
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.root, path)
		}
		return path
	}
	d := Dir{Path: absolute(r.must("rev-parse", "--git-path", "hooks")),
		Own: filepath.Join(absolute(r.must("rev-parse", "--git-common-dir")), "hooks")}
	if out, code := r.git("config", "--show-scope", "core.hooksPath"); code == 0 {
		d.Scope, _, _ = strings.Cut(out, "\t")
	}
	return d
}

func (r repository) install(binary string) Status {
	r.t.Helper()
	status, err := Install(r.dir(), binary)
	if err != nil {
		r.t.Fatal(err)
	}
	return status
}

func states(status Status) (all []State) {
	for _, hook := range status.Hooks {
		all = append(all, hook.State)
	}
	return all
}

func wantStates(t *testing.T, status Status, want ...State) {
	t.Helper()
	inForce := !slices.ContainsFunc(want, func(s State) bool { return s != Installed })
	if got := states(status); !slices.Equal(got, want) || status.InForce != inForce {
		t.Errorf("states %v, in force %v; want %v", got, status.InForce, want)
	}
}

func wantFault(t *testing.T, err error, outcome fault.Outcome, code string) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Outcome != outcome {
		t.Fatalf("error %v, want %s %s", err, outcome, code)
	}
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// listing is every entry of a folder with its mode and its text or target.
func listing(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := os.Readlink(path)
		if info.Mode().IsRegular() {
			bytes, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(bytes)
		}
		all[entry.Name()] = info.Mode().String() + " " + text
	}
	return all
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// sh types a command.
func (r repository) sh(command string) {
	r.t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = r.root, r.env
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v\n%s", command, err, out)
	}
}
