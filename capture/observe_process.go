package capture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// drainedWithin is how long the ends of a command's output are waited for once all that it started was killed.
	drainedWithin = 2 * time.Second
	// busyFor is how long a program that was just written may be busy: another thread can have forked while it was open.
	busyFor = 2 * time.Second
)

// run starts a command in a session of its own and waits until it ends, prints too much, or its time or ctx is over. All that it started
// is killed then. The error is that of starting.
func run(ctx context.Context, cmd *exec.Cmd, root string, request []byte, limit time.Duration) (ending, error) {
	var e ending
	in, out, said, err := pipes(cmd)
	if err != nil {
		return e, err
	}
	defer func() {
		for _, end := range []*os.File{in, out, said} {
			end.Close()
		}
	}()
	// A session has no terminal, and its group is what a signal reaches.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = start(ctx, cmd)
	for _, end := range []any{cmd.Stdin, cmd.Stdout, cmd.Stderr} {
		end.(*os.File).Close() // the command has its own; ours would keep the pipes open
	}
	if err != nil {
		return e, err
	}
	go func() {
		_, _ = in.Write(request) // a command need not read it
		in.Close()
	}()
	printed, complained := &limited{most: MaxAnswer, over: make(chan struct{})}, &tail{}
	drained := make(chan bool, 2)
	for _, pair := range []struct {
		to   io.Writer
		from io.Reader
	}{{printed, out}, {complained, said}} {
		go func() {
			_, err := io.Copy(pair.to, pair.from)
			drained <- err == nil
		}()
	}
	exited := make(chan struct{})
	go func() {
		awaitExit(cmd.Process.Pid)
		close(exited)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-exited:
	case <-timer.C:
		e.why = tooLong
	case <-printed.over:
		e.why = tooMuch
	case <-ctx.Done():
		e.why = cancelled
	}
	// The command is not reaped yet, so its number still names its group and nothing else.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	killStragglers(root)
	<-exited
	_ = cmd.Wait()
	e.status, _ = cmd.ProcessState.Sys().(syscall.WaitStatus)
	deadline := time.Now().Add(drainedWithin)
	for _, end := range []*os.File{out, said} {
		_ = end.SetReadDeadline(deadline)
	}
	first, second := <-drained, <-drained
	e.held = !first || !second
	if e.why == byItself && printed.isOver() {
		e.why = tooMuch // it ended while what it had printed was still read
	}
	e.answer, e.said = printed.data, complained.String()
	return e, nil
}

// pipes gives a command its three streams and returns our ends of them.
func pipes(cmd *exec.Cmd) (in, out, said *os.File, err error) {
	var ends []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			for _, end := range ends {
				end.Close()
			}
			return nil, nil, nil, err
		}
		ends = append(ends, r, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[3], ends[5]
	return ends[1], ends[2], ends[4], nil
}

// start starts a command without the descriptors that this process was started with. Its own close by themselves.
func start(ctx context.Context, cmd *exec.Cmd) error {
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		// A kernel before 5.11.
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return err
		}
		for _, entry := range open {
			if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
				unix.CloseOnExec(fd)
			}
		}
	}
	for until := time.Now().Add(busyFor); ; time.Sleep(10 * time.Millisecond) {
		err := ctx.Err()
		if err == nil {
			err = cmd.Start()
		}
		if !errors.Is(err, syscall.ETXTBSY) || time.Now().After(until) {
			return err
		}
		*cmd = exec.Cmd{
			Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Dir: cmd.Dir,
			Stdin: cmd.Stdin, Stdout: cmd.Stdout, Stderr: cmd.Stderr, SysProcAttr: cmd.SysProcAttr,
		}
	}
}

// awaitExit waits for a child to end and leaves it to be reaped.
func awaitExit(pid int) {
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), syscall.EINTR) {
	}
}

// killStragglers kills processes that left the group of a command: they have its private folder in their environment, or stand in it.
// It looks until none is found, for one may start another meanwhile.
func killStragglers(root string) {
	for range 100 {
		entries, err := os.ReadDir("/proc")
		if err != nil {
			return
		}
		found := false
		for _, entry := range entries {
			if pid, err := strconv.Atoi(entry.Name()); err == nil && pid != os.Getpid() {
				found = killIfOf(root, pid) || found
			}
		}
		if !found {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// killIfOf kills a process of the folder and reports that it was one. The descriptor holds the process while it is looked at.
func killIfOf(root string, pid int) bool {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(process)
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	env, err := os.ReadFile(filepath.Join(proc, "environ"))
	if err != nil || !bytes.Contains(env, []byte("="+root+"/")) {
		at, err := os.Readlink(filepath.Join(proc, "cwd"))
		if err != nil || !strings.HasPrefix(at, root+"/") {
			return false
		}
	}
	return unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0) == nil
}

// limited keeps what is written to it and says when it is more than most bytes; it takes no more then.
type limited struct {
	data []byte
	most int
	over chan struct{}
}

var errTooMuch = errors.New("more than may be printed")

func (l *limited) Write(p []byte) (int, error) {
	if len(l.data)+len(p) > l.most {
		close(l.over)
		return 0, errTooMuch
	}
	l.data = append(l.data, p...)
	return len(p), nil
}

func (l *limited) isOver() bool {
	select {
	case <-l.over:
		return true
	default:
		return false
	}
}

// tail keeps the last bytes written to it.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p[max(0, len(p)-keptTail):]...)
	t.data = t.data[max(0, len(t.data)-keptTail):]
	return len(p), nil
}

func (t *tail) String() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(t.data), "\ufffd"))
}
