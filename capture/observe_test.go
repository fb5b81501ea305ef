package capture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/fault"
)

// script is an observation by a shell script among its own inputs.
func script(text string) capture.Observation {
	return capture.Observation{
		About: "ui.visible", Command: []string{"./bin/observe.sh", "--json"}, Limit: 30 * time.Second,
		Inputs:  map[string][]byte{"bin/observe.sh": []byte("#!/bin/sh\n" + text), "docs/a.md": []byte("a\r\n"), "docs/é/b.md": {0xff, 0}},
		Request: []byte(`{"fact":"ui.visible"}`),
	}
}

func observe(t *testing.T, o capture.Observation) string {
	t.Helper()
	answer, err := capture.Observe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// What was printed comes back byte for byte, whatever it is: what it means is for others to say.
func TestObserveReturnsExactBytes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"an answer", `echo '{"result":"claim","value":true}'`, "{\"result\":\"claim\",\"value\":true}\n"},
		{"nothing", `:`, ""},
		{"CRLF, BOM, NUL, no UTF-8", `printf '\357\273\277{}\r\n\000\377'`, "\xef\xbb\xbf{}\r\n\x00\xff"},
		{"the request", `cat`, `{"fact":"ui.visible"}`},
		{"the request is closed after it", `cat >/dev/null; echo done`, "done\n"},
		{"its words", `echo "$0" "$@"`, "./bin/observe.sh --json\n"},
		{"the last byte that is allowed", `head -c 1048576 /dev/zero`, string(make([]byte, 1<<20))},
		{"noise on standard error is drained", `head -c 2097152 /dev/zero >&2; echo done`, "done\n"},
		{"output that is closed early", `echo done; exec >&-; sleep 0.1`, "done\n"},
		{"slow pieces", `printf a; sleep 0.1; printf b`, "ab"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := observe(t, script(row.text)); got != row.want {
				t.Errorf("%.200q, not %.200q", got, row.want)
			}
		})
	}
}

// A command that reads nothing does not wait for who writes, and nobody waits for it.
func TestObserveDoesNotNeedTheRequestToBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"echo done", "exec <&-; sleep 0.1; echo done", "head -c 10 >/dev/null; echo done"} {
		o := script(text)
		o.Request = make([]byte, 8<<20)
		if got := observe(t, o); got != "done\n" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// The folder holds exactly the inputs, read-only, and only what the command names may be executed. Everything is gone afterwards.
func TestObserveGivesExactlyTheInputs(t *testing.T) {
	t.Parallel()
	got := observe(t, script(`find . -printf '%y %m %p\n' | LC_ALL=C sort -k3; pwd; ls -A "$HOME" "$TMPDIR"; od -An -c docs/a.md; ls -d "$PWD"/../*/`))
	lines := strings.Split(got, "\n")
	at := lines[6]
	want := fmt.Sprintf("d 555 .\nd 555 ./bin\nf 555 ./bin/observe.sh\nd 555 ./docs\nf 444 ./docs/a.md\nd 555 ./docs/\303\251\n"+
		"f 444 ./docs/\303\251/b.md\n%[1]s\n%[2]s/home:\n\n%[2]s/tmp:\n   a  \\r  \\n\n%[1]s/../home/\n%[1]s/../inputs/\n%[1]s/../tmp/\n",
		lines[7], filepath.Dir(lines[7]))
	if diff := cmp.Diff(want, got); diff != "" || !strings.HasPrefix(at, "f 444") {
		t.Error(diff)
	}
	if _, err := os.Lstat(filepath.Dir(lines[7])); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestObserveRemovesWhateverIsLeft(t *testing.T) {
	t.Parallel()
	left := `pwd; mkdir -p "$TMPDIR/a/b/c" "$HOME/.cache/x"; ln -s / "$TMPDIR/root"; mkfifo "$TMPDIR/pipe"; chmod 000 "$TMPDIR/a/b" "$TMPDIR/a" "$HOME"; `
	for _, end := range []string{"exit 0", "exit 1", "kill -KILL $$", "sleep 300", "yes"} {
		o := script(left + end)
		o.Command = []string{"sh", "-c", left + "pwd > /dev/fd/2; " + end}
		o.Limit = time.Second
		answer, err := capture.Observe(t.Context(), o)
		at := strings.SplitN(string(answer), "\n", 2)[0]
		if err != nil {
			if _, after, ok := strings.Cut(err.Error(), `it said "`); ok {
				at = strings.SplitN(after, `"`, 2)[0]
			}
		}
		if !filepath.IsAbs(at) {
			t.Fatalf("%s: no folder is said: %q %v", end, answer, err)
		}
		if _, err := os.Lstat(filepath.Dir(at)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the folder %s is still there: %v", end, at, err)
		}
	}
}

// No variable of Git's or of the user's reaches a command (git-facts B14, B15). The test changes its own environment.
func TestObserveScrubsTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index", "GIT_CONFIG_PARAMETERS": "'a.b=c'", "SECRET_TOKEN": "s3cr3t", "LC_ALL": "de_DE.UTF-8",
		"TZ": "Asia/Tokyo", "PATH": "/nowhere:" + os.Getenv("PATH"), "BASH_ENV": "/nowhere", "LD_PRELOAD": "", "TMPDIR": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	o := script("")
	o.Command = []string{"env"}
	lines := strings.Split(strings.TrimSuffix(observe(t, o), "\n"), "\n")
	home := strings.TrimSuffix(strings.TrimPrefix(lines[4], "HOME="), "/home")
	want := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "LANG=C", "TZ=UTC", "HOME=" + home + "/home", "TMPDIR=" + home + "/tmp"}
	if diff := cmp.Diff(want, lines); diff != "" || !filepath.IsAbs(home) {
		t.Error(diff)
	}
}

// Descriptors without close-on-exec, which this process may have been started with, stay here.
func TestObserveInheritsNoDescriptor(t *testing.T) {
	t.Parallel()
	for range 3 {
		fd, err := syscall.Open("/etc/hostname", syscall.O_RDONLY, 0) // and no O_CLOEXEC
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
	}
	o := script("")
	o.Command = []string{"ls", "/proc/self/fd"}
	if got := observe(t, o); got != "0\n1\n2\n3\n" { // 3 is the folder that ls reads
		t.Errorf("%q", got)
	}
}

// A session of its own has no terminal, and its first process leads the group that a signal reaches.
func TestObserveStartsASession(t *testing.T) {
	t.Parallel()
	o := script("")
	o.Command = []string{"cut", "-d ", "-f1,5,6,7", "/proc/self/stat"}
	fields := strings.Fields(observe(t, o))
	if fields[0] != fields[1] || fields[0] != fields[2] || fields[3] != "0" {
		t.Errorf("pid, group, session, terminal: %v", fields)
	}
	if err := failed(t, script("cat </dev/tty"), "PROVIDER.FAILED"); !strings.Contains(err.Error(), "/dev/tty") {
		t.Error(err)
	}
}

func failed(t *testing.T, o capture.Observation, code string) *fault.Error {
	t.Helper()
	answer, err := capture.Observe(t.Context(), o)
	f := fault.As(err)
	if f == nil || f.Code != code || answer != nil || f.Target != "ui.visible" {
		t.Fatalf("%v and %q, not %s", err, answer, code)
	}
	return f
}

// Whatever ends without status 0 is no answer, whatever it printed.
func TestObserveRefuses(t *testing.T) {
	t.Parallel()
	const answer = `echo '{"result":"claim","value":true}'; `
	for _, row := range []struct{ name, text, code, says string }{
		{"a status", answer + "echo oops >&2; exit 7", "PROVIDER.FAILED", `status 7: it said "oops"`},
		{"a crash", answer + "kill -SEGV $$", "PROVIDER.FAILED", "signal 11"},
		{"its own termination", answer + "kill -TERM $$", "PROVIDER.FAILED", "signal 15"},
		{"a terminal sequence in what it said", `printf '\033[31mred\377' >&2; exit 1`, "PROVIDER.FAILED", `"\x1b[31mred�"`},
		{"only the end of what it said", "head -c 100000 /dev/zero | tr '\\000' x >&2; echo end >&2; exit 1", "PROVIDER.FAILED", `xend"`},
		{"no end", answer + "sleep 300", "PROVIDER.TIMEOUT", "within 1 s"},
		{"no end, and deaf", answer + `trap "" TERM INT HUP; while :; do sleep 0.1; done`, "PROVIDER.TIMEOUT", "within 1 s"},
		{"no end of output", "yes", "PROVIDER.OUTPUT", "more than 1048576 bytes"},
		{"one byte too many", "head -c 1048577 /dev/zero", "PROVIDER.OUTPUT", "more than 1048576 bytes"},
		{"a missing interpreter's sense", "nosuchprogram", "PROVIDER.FAILED", "status 127"},
		{"an input that it changes", answer + "chmod u+w docs docs/a.md; echo x >docs/a.md", "PROVIDER.INPUT_AMBIENT", `changed "docs/a.md"`},
		{"an input that it removes", answer + "chmod u+w docs; rm -f docs/a.md", "PROVIDER.INPUT_AMBIENT", `changed "docs/a.md"`},
		{"an input that it makes a link", answer + "chmod u+w docs; cp docs/a.md $TMPDIR/; ln -sf $TMPDIR/a.md docs/a.md", "PROVIDER.INPUT_AMBIENT", `changed "docs/a.md"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o := script(row.text)
			if row.code == "PROVIDER.TIMEOUT" {
				o.Limit = time.Second
			}
			start := time.Now()
			err := failed(t, o, row.code)
			if !strings.Contains(err.Error(), row.says) || len(err.Error()) > 20000 {
				t.Errorf("%.3000s", err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if outcome := err.Outcome; (outcome == fault.Unavailable) == (row.code == "PROVIDER.INPUT_AMBIENT") {
				t.Errorf("outcome %s", outcome)
			}
		})
	}
}

func TestObserveFindsTheProgram(t *testing.T) {
	t.Parallel()
	inputs := map[string][]byte{"run": []byte("#!/bin/sh\necho input\n"), "bad": []byte("#!/nowhere/sh\n"), "junk": {0, 1, 2}, "true": []byte("#!/bin/sh\nexit 1\n")}
	for _, row := range []struct {
		command []string
		want    string // or a code
	}{
		{[]string{"./run"}, "input\n"},
		{[]string{"./x/../run"}, "PROVIDER.NO_PROGRAM"}, // there is no x
		{[]string{"sh", "run"}, "input\n"},
		{[]string{"true"}, ""}, // on the PATH, never from the folder
		{[]string{"/bin/echo", "a b", "$HOME"}, "a b $HOME\n"},
		{[]string{"run"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"nosuchprogram"}, "PROVIDER.NO_PROGRAM"},
		{[]string{""}, "PROVIDER.NO_PROGRAM"},
		{[]string{"."}, "PROVIDER.NO_PROGRAM"},
		{[]string{"./other"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"../inputs/run"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"/nowhere/run"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"/bin"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"/etc/hostname"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"./bad"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"./junk"}, "PROVIDER.NO_PROGRAM"},
		{[]string{"/bin/echo", "a\x00b"}, "PROVIDER.NO_PROGRAM"},
	} {
		o := capture.Observation{About: "ui.visible", Command: row.command, Inputs: inputs, Limit: 30 * time.Second}
		if strings.HasPrefix(row.want, "PROVIDER.") {
			failed(t, o, row.want)
		} else if got := observe(t, o); got != row.want {
			t.Errorf("%q: %q", row.command, got)
		}
	}
}

// alive reports a process that runs: one that was killed may stay as a zombie where nobody asks for it.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return len(rest) > 0 && rest[0] != 'Z' && rest[0] != 'X'
}

// Nothing that a command started outlives it, whether or not it holds the output or has left the group.
func TestObserveLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text string }{
		{"a child that holds the output", `sleep 300 & echo $!`},
		{"a child that holds standard error only", `sleep 300 >/dev/null & echo $!`},
		{"a grandchild", `sh -c 'sleep 300 & echo $!'`},
		{"a session of its own", `setsid sh -c 'echo $$; exec sleep 300' & sleep 0.3`},
		{"a double fork in a session of its own", `(setsid sh -c 'sleep 300 >/dev/null 2>&1 & echo $!' &) ; sleep 0.3`},
		{"deaf", `(trap "" TERM HUP INT; sh -c 'echo $$; while :; do sleep 1; done') & sleep 0.3`},
		{"a session without the environment", `env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec sleep 300' & sleep 0.3`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			pid := strings.TrimSpace(observe(t, script(row.text)))
			if _, err := strconv.Atoi(pid); err != nil {
				t.Fatal(pid)
			}
			for until := time.Now().Add(5 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(until) {
					t.Fatalf("%s is alive", pid)
				}
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestObserveIsCancelled(t *testing.T) {
	t.Parallel()
	seen := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if data, err := os.ReadFile(seen); err == nil && bytes.HasSuffix(data, []byte("\n")) {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	answer, err := capture.Observe(ctx, script(`trap "" INT TERM; sleep 300 & echo $! >`+seen+`; wait`))
	if !errors.Is(err, context.Canceled) || answer != nil {
		t.Fatalf("%v %q", err, answer)
	}
	pid, err := os.ReadFile(seen)
	if err != nil || alive(strings.TrimSpace(string(pid))) {
		t.Errorf("%s is alive: %v", pid, err)
	}
	// And before it starts.
	before := filepath.Join(t.TempDir(), "started")
	if _, err := capture.Observe(ctx, script("touch "+before)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(before); err == nil {
		t.Error("it was started")
	}
}

// Many at once write and start programs at the same time, and none is reported as busy or mixed up with another.
func TestObserveManyAtOnce(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if answer, err := capture.Observe(t.Context(), script(fmt.Sprintf("echo %d", i))); err != nil || string(answer) != fmt.Sprintf("%d\n", i) {
				t.Errorf("%d: %q %v", i, answer, err)
			}
		})
	}
	all.Wait()
}
