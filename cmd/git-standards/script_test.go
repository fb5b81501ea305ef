package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-standards/git-standards/gitext/gittest"
	"github.com/git-standards/git-standards/schemas"
)

// binary is the program that every test runs, its hooks under guard: the one that GIT_STANDARDS_BIN names, else one built
// here.
var (
	binary string
	guards kit
)

// fixture is the standards and consumers of most scripts.
var fixture = func() string {
	path, err := filepath.Abs("testdata/fixture")
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return path
}()

// project is the top of the source, whose recipes scripts play.
var project = func() string {
	path, err := filepath.Abs(root)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return path
}()

// providers is the ready examples of commands that observe facts.
var providers = func() string {
	path, err := filepath.Abs(root + "/scripts/providers")
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return path
}()

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "git-standards-bin")
		if err == nil {
			folder, err = filepath.EvalSymlinks(folder)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		if err := plainPython(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		program := os.Getenv("GIT_STANDARDS_BIN")
		if program == "" {
			program = filepath.Join(folder, "git-standards")
			build := exec.Command("go", "build", "-o", program, ".")
			if out, err := build.CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
				return 1
			}
		}
		if guards, err = newKit(filepath.Join(folder, "kit"), program); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		binary = guards.path()
		code := m.Run()
		// What a script has not claimed was outside every script's folder.
		if reports, err := guards.found("/"); err != nil || len(reports) > 0 {
			fmt.Fprintln(os.Stderr, err, strings.Join(reports, "\n"))
			return 1
		}
		return code
	}())
}

// plainPython puts the interpreter itself first on PATH: what stands there on many machines is a script that looks for it with some
// thirty processes each time.
func plainPython(folder string) error {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return fmt.Errorf("python3: %w", err)
	}
	folder = filepath.Join(folder, "python")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	if err := os.Symlink(strings.TrimSpace(string(out)), filepath.Join(folder, "python3")); err != nil {
		return err
	}
	return os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestScript runs every behaviour under testdata/script through the real binary and the real git.
func TestScript(t *testing.T) {
	params := scripts(guards)
	params.Dir = "testdata/script"
	testscript.Run(t, params)
}

// scripts is how scripts run, with the program of a kit.
func scripts(k kit) testscript.Params {
	return testscript.Params{
		Setup: func(env *testscript.Env) error { return setup(env, k) },
		Condition: func(name string) (bool, error) {
			switch name {
			case "mount":
				return os.Getuid() == 0 && exec.Command("unshare", "-m", "true").Run() == nil, nil
			case "trace": // some sandboxes have strace and forbid what it does
				return exec.Command("strace", "-f", "-qq", "-o", "/dev/null", "true").Run() == nil, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"field":   field,
			"sub":     sub,
			"same":    same,
			"state":   state,
			"exits":   exits,
			"prepend": prepend,
			"repo":    repo,
			"valid":   valid,
			"cold":    cold,

			"answered": answered,
			"recipe":   recipe,
			"action":   action,
			"gitlab":   gitlab,
			"workflow": workflow,
			"told":     told,
			"mends":    mends,
		},
	}
}

// setup gives a script its own home, a fixed identity and date, and nothing of the machine's configuration. At its end the
// script fails if one of its hooks has changed anything, or if any JSON was printed that is none of the public shapes.
func setup(env *testscript.Env, k kit) error {
	home := filepath.Join(env.WorkDir, ".home")
	printed := filepath.Join(home, "printed")
	env.Defer(func() {
		if reports, err := k.found(env.WorkDir); err != nil || len(reports) > 0 {
			env.T().Fatal(err, strings.Join(reports, "\n"))
		}
		if err := errors.Join(checkPrinted(printed), checkForms(printed+"-forms")); err != nil {
			env.T().Fatal(err)
		}
		if err := checkStores(env.WorkDir); err != nil {
			env.T().Fatal(err)
		}
		if err := checkProjections(env.WorkDir, printed); err != nil {
			env.T().Fatal(err)
		}
	})
	if err := errors.Join(os.MkdirAll(printed, 0o777), os.Mkdir(printed+"-forms", 0o777)); err != nil {
		return err
	}
	config := filepath.Join(home, ".gitconfig")
	text := "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n[protocol \"file\"]\n\tallow = always\n[safe]\n\tdirectory = *\n" +
		"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n" // nothing runs beside a hook
	allowed, err := gittest.Allowed()
	if err != nil {
		return err
	}
	text += allowed
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		return err
	}
	for name, value := range map[string]string{
		"HOME":                home,
		"XDG_CONFIG_HOME":     filepath.Join(home, ".config"),
		"GIT_CONFIG_GLOBAL":   config,
		"GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME":     "Ann", "GIT_AUTHOR_EMAIL": "Ann@Example.com", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "Ann@Example.com", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
		"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TZ": "UTC", "NO_COLOR": "1", "GIT_MERGE_AUTOEDIT": "no", "EDITOR": "true",
		"PATH":              filepath.Dir(k.path()) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_STANDARDS_BIN": k.path(), "RECORDED": filepath.Dir(k.guard()), "PRINTED": printed,
		"PROVIDERS": providers, "PROJECT": project,
	} {
		env.Setenv(name, value)
	}
	return nil
}

// checkPrinted checks every result that a script had printed as JSON against the public schema.
func checkPrinted(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		if len(text) == 0 {
			continue // the help, or a message alone
		}
		if err := schemas.Validate("", text); err != nil {
			return fmt.Errorf("printed JSON that is no public shape: %w\n%.2000s", err, text)
		}
	}
	return nil
}

// field VAR FILE PATH sets VAR to a field of a JSON file, such as questions[0].abbrev; len counts a list. FILE may be stdout.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: field VAR FILE PATH")
	}
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &value))
	for _, step := range regexp.MustCompile(`[^.\[\]]+`).FindAllString(args[2], -1) {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[step]
			if !ok {
				ts.Fatalf("%s: no field %q", args[2], step)
			}
			value = next
		case []any:
			if step == "len" {
				value = float64(len(v))
				continue
			}
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(v) {
				ts.Fatalf("%s: no element %s of %d", args[2], step, len(v))
			}
			value = v[n]
		default:
			ts.Fatalf("%s: nothing below %q", args[2], step)
		}
	}
	text, ok := value.(string)
	if !ok {
		encoded, err := json.Marshal(value)
		ts.Check(err)
		text = string(encoded)
	}
	ts.Setenv(args[0], text)
}

// sub FILE OLD NEW replaces a text that must occur in a file.
func sub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: sub FILE OLD NEW")
	}
	old, now := strings.ReplaceAll(args[1], `\n`, "\n"), strings.ReplaceAll(args[2], `\n`, "\n")
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, old) {
		ts.Fatalf("%s does not hold %q", args[0], old)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, old, now)), 0o666))
}

// prepend FILE TEXT puts a line first.
func prepend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: prepend FILE TEXT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]+"\n"+ts.ReadFile(args[0])), 0o666))
}

// answered FILE compares what a query printed with a file, but for its last line, which is the handle of the answer.
func answered(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answered FILE")
	}
	printed := ts.ReadFile("stdout")
	at := strings.LastIndex(strings.TrimSuffix(printed, "\n"), "\n") + 1
	if !regexp.MustCompile(`^navigation-result:sha256:[0-9a-f]{64}\n$`).MatchString(printed[at:]) {
		ts.Fatalf("the last line is no handle of an answer:\n%s", printed)
	}
	if want := ts.ReadFile(args[0]); printed[:at] != want {
		ts.Fatalf("printed:\n%s\nwanted:\n%s", printed[:at], want)
	}
}

// same VAR VALUE fails unless the two are equal; ! turns it round.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same A B")
	}
	if (args[0] == args[1]) == neg {
		ts.Fatalf("%q and %q", args[0], args[1])
	}
}

// exits CODE COMMAND… runs a command and fails unless it exits with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// state save|same REPOSITORY compares what a hook must never change: index, refs, HEAD, configuration, and the names,
// sizes and bytes of objects.
func state(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || args[0] != "save" && args[0] != "same" {
		ts.Fatalf("usage: state save|same REPOSITORY")
	}
	var lines []string
	root := ts.MkAbs(args[1])
	gitDir := filepath.Join(root, ".git")
	if _, err := os.Stat(gitDir); err != nil {
		gitDir = root
	}
	ts.Check(filepath.WalkDir(gitDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(gitDir, path)
		if err != nil {
			return err
		}
		if name != "index" && name != "HEAD" && name != "config" && name != "packed-refs" && !slices.Contains([]string{"refs", "objects"}, strings.Split(name, "/")[0]) {
			return nil
		}
		data, err := os.ReadFile(path)
		lines = append(lines, fmt.Sprintf("%s %d %x", name, len(data), data))
		return err
	}))
	sort.Strings(lines)
	name := "STATE_" + regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(args[1], "_")
	now := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
	if args[0] == "same" && ts.Getenv(name) != now {
		ts.Fatalf("the repository %s changed", args[1])
	}
	ts.Setenv(name, now)
}

// repo NAME [FORMAT] makes a repository from testdata/fixture, whose first commit adopts it, with hooks installed and a
// bare remote NAME.git that has main. It is what a team has on the day after adoption.
func repo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: repo NAME [FORMAT]")
	}
	name, format := ts.MkAbs(args[0]), "sha1"
	if len(args) == 2 {
		format = args[1]
	}
	ts.Check(ts.Exec("git", "init", "-q", "--object-format="+format, name))
	ts.Check(ts.Exec("git", "init", "-q", "--bare", "--object-format="+format, name+".git"))
	ts.Check(os.CopyFS(name, os.DirFS(fixture)))
	for _, command := range [][]string{
		{"git", "-C", name, "add", "-A"},
		{"git", "-C", name, "commit", "-q", "-m", "adopt standards"},
		{"git", "-C", name, "remote", "add", "origin", name + ".git"},
		{"git", "-C", name, "push", "-q", "-u", "origin", "main"},
		{binary, "-C", name, "hooks", "install"},
	} {
		ts.Check(ts.Exec(command[0], command[1:]...))
	}
}

// valid FILE fails unless the file holds one result in its public shape.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: valid FILE")
	}
	ts.Check(schemas.Validate("", []byte(ts.ReadFile(args[0]))))
}
