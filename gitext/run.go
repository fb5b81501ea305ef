package gitext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// overrides beat the settings by which plumbing would run a program, take a lock or read names as patterns.
var overrides = []string{
	"--no-optional-locks", "--literal-pathspecs", "--no-pager",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=true",
	"-c", "advice.graftFileDeprecated=false",
}

// plainDiff keeps attributes, drivers and settings from having a say in how differences are found and printed.
var plainDiff = []string{"--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"}

// dropped are variables of git's that would contradict the above.
var dropped = []string{
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
	"GIT_ICASE_PATHSPECS", "GIT_PAGER", "GIT_REPLACE_REF_BASE", "LANGUAGE",
}

// childEnv is the environment of every git: what was inherited, the repository variables among it, made predictable.
func childEnv(environ []string) []string {
	env := unsetEnv(environ, dropped...)
	for _, pair := range [][2]string{
		{"LC_ALL", "C"}, {"GIT_NO_REPLACE_OBJECTS", "1"}, {"GIT_OPTIONAL_LOCKS", "0"}, {"GIT_TERMINAL_PROMPT", "0"},
		{"GIT_GRAFT_FILE", os.DevNull},
	} {
		env = setEnv(env, pair[0], pair[1])
	}
	return env
}

func lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

func unsetEnv(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(names, name)
	})
}

func setEnv(env []string, name, value string) []string {
	return append(unsetEnv(env, name), name+"="+value)
}

// findGit looks git up once. Relative entries of PATH are passed over: a repository could hold a git of its own.
func findGit(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		name := filepath.Join(dir, "git")
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return name, nil
		}
	}
	return "", fault.New(fault.Unavailable, "GIT.MISSING", "PATH", "git is in no absolute directory of PATH %q", path).
		Hint("git --version")
}

// output is what one git left. Its stdout is whole, its stderr bounded.
type output struct {
	args   []string
	stdout []byte
	stderr []byte
	code   int
}

func (o output) cause() error {
	if len(o.stderr) == 0 {
		return nil
	}
	return fmt.Errorf("git said %q", clip(o.stderr))
}

// The ways in which git says, under LC_ALL=C, that it needs an object that is not here: the content of a file, and what may be a commit
// or a tree.
var (
	lacksBlob   = regexp.MustCompile(`unable to read blob object ([0-9a-f]{40,64})`)
	lacksObject = regexp.MustCompile(`(?:[Cc]ould not read|unable to read tree|missing object|collecting merge info failed for trees|could not fetch) \(?([0-9a-f]{40,64})`)
)

// lacks is the object that git ended for want of, "" where it did not say so. One that is here and damaged is no such.
func (o output) lacks(said ...*regexp.Regexp) string {
	if bytes.Contains(o.stderr, []byte("corrupt")) || bytes.Contains(o.stderr, []byte("inflate")) {
		return ""
	}
	for _, form := range said {
		if found := form.FindSubmatch(o.stderr); found != nil {
			return string(found[1])
		}
	}
	return ""
}

func (o output) failed() error {
	if id := o.lacks(lacksBlob, lacksObject); id != "" {
		f := missing(id)
		if bytes.Contains(o.stderr, []byte("from promisor remote")) {
			f = fault.New(fault.Unavailable, f.Code, id, "the object is not in this partial clone, and was not fetched").Hint("git cat-file -e " + id)
		}
		return f.Because(o.cause())
	}
	return fault.New(fault.Unavailable, "GIT.FAILED", "git "+o.verb(), "git ended with code %d", o.code).Because(o.cause())
}

// complained reports errors on stderr: git merge-base passes over commits that it cannot read, says so and ends with the
// code of an answer.
func (o output) complained() bool {
	return bytes.HasPrefix(o.stderr, []byte("error: ")) || bytes.Contains(o.stderr, []byte("\nerror: "))
}

// verb is the command among the arguments, for messages.
func (o output) verb() string {
	for i := 0; i < len(o.args); i++ {
		if o.args[i] == "-c" {
			i++
		} else if !strings.HasPrefix(o.args[i], "-") {
			return o.args[i]
		}
	}
	return ""
}

// command prepares one git in a process group of its own, which ends with ctx, together with all that it started.
func command(ctx context.Context, git, dir string, env, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, git, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return signalGroup(cmd, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func signalGroup(cmd *exec.Cmd, signal syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, signal)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// killAfter is how long a git that is told to end has for taking its locks back.
const killAfter = time.Second

// run starts git and waits. When ctx ends, git is asked to end, so that it leaves no lock, and killed when it does not. An exit code is not an error here; a git that did not start or was ended is.
func run(ctx context.Context, git, dir string, env []string, stdin []byte, args ...string) (output, error) {
	cmd := command(ctx, git, dir, env, args)
	var stdout bytes.Buffer
	stderr := bounded{limit: 8 << 10}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var kill *time.Timer
	cmd.Cancel = func() error {
		kill = time.AfterFunc(killAfter, func() { _ = signalGroup(cmd, syscall.SIGKILL) })
		return signalGroup(cmd, syscall.SIGTERM)
	}
	err := cmd.Run()
	if kill != nil {
		kill.Stop() // the number of the group may be another's by now
	}
	out := output{args: args, stdout: stdout.Bytes(), stderr: stderr.data}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("git %s: %w", out.verb(), ctx.Err())
	case errors.As(err, &exit) && exit.Exited():
		out.code = exit.ExitCode()
	case err != nil:
		return out, fault.New(fault.Unavailable, "GIT.FAILED", "git "+out.verb(), "git did not run to its end").
			Because(errors.Join(err, out.cause()))
	}
	return out, nil
}

// call asks the repository with all overrides in force; any exit code but 0 is a fault.
func (r *Repo) call(ctx context.Context, args ...string) ([]byte, error) {
	return r.feed(ctx, nil, args...)
}

func (r *Repo) feed(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	out, err := run(ctx, r.git, r.dir, r.env, stdin, slices.Concat(overrides, args)...)
	if err == nil && out.code != 0 {
		err = out.failed()
	}
	return out.stdout, err
}

// try is call for commands whose exit code is an answer.
func (r *Repo) try(ctx context.Context, args ...string) (output, error) {
	return run(ctx, r.git, r.dir, r.env, nil, slices.Concat(overrides, args)...)
}

// plain asks about settings, which the overrides would change. What is asked this way must run nothing.
func (r *Repo) plain(ctx context.Context, args ...string) (output, error) {
	out, err := r.plainAny(ctx, args...)
	if err == nil && out.code != 0 {
		err = out.failed()
	}
	return out, err
}

func (r *Repo) plainAny(ctx context.Context, args ...string) (output, error) {
	return run(ctx, r.git, r.dir, r.env, nil, args...)
}

// bounded keeps the first bytes written to it and drains the rest, so that a noisy git never blocks.
type bounded struct {
	data  []byte
	limit int
}

var _ io.Writer = (*bounded)(nil)

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.limit-len(b.data))
	b.data = append(b.data, p[:room]...)
	return len(p), nil
}
