package capture

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// The bounds of what a command may print: MaxAnswer bytes of standard output; of standard error the last kept bytes are repeated.
const (
	MaxAnswer = 1 << 20
	keptTail  = 2 << 10
)

// Consent is where a repository's own configuration keeps the digests of the commands that were agreed to.
const Consent = "standards.consent"

// searched is the PATH of a command that is run over exact inputs: not the user's, so that two machines find the same names.
const searched = "/usr/local/bin:/usr/bin:/bin"

// Observation is one run of a command over exact inputs (RULES F6).
type Observation struct {
	About   string            // what faults name as their target
	Command []string          // its words, at least one
	Inputs  map[string][]byte // the files it finds where it starts, by path
	Request []byte            // its standard input
	Limit   time.Duration     // how long it may run
}

// Observe runs a command in a folder that holds its inputs and nothing else, and returns the exact bytes that it printed before it
// ended with status 0. The folder, its home and its place for temporary files are private and gone afterwards; so is whatever it
// started. It has no terminal, none of this process's descriptors, and of its environment only PATH, LC_ALL, LANG, TZ, HOME and
// TMPDIR, each set here (doc/providers.md).
//
// Observe does not keep a command from opening what it was not given by an absolute path, nor from the network.
//
// Faults: PROVIDER.NO_PROGRAM, PROVIDER.FAILED, PROVIDER.TIMEOUT and PROVIDER.OUTPUT, all unavailable, and PROVIDER.INPUT_AMBIENT for a
// command that changed its own inputs. When ctx ends the command is killed and the context's error returned.
func Observe(ctx context.Context, o Observation) (answer []byte, err error) {
	folder, err := layOut(o.Inputs, o.Command)
	if err != nil {
		return nil, err
	}
	defer func() {
		if gone := folder.remove(); err == nil && gone != nil {
			answer, err = nil, fault.New(fault.Unavailable, "TEMP.UNWRITABLE", folder.root, "the private directory cannot be removed").Because(gone)
		}
	}()
	program, err := o.program(folder)
	if err != nil {
		return nil, err
	}
	ended, err := run(ctx, &exec.Cmd{
		Path: program, Args: o.Command, Dir: folder.inputs,
		Env: []string{
			"PATH=" + searched, "LC_ALL=C", "LANG=C", "TZ=UTC", "HOME=" + folder.home, "TMPDIR=" + folder.temp,
		},
	}, folder.root, o.Request, o.Limit)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", o.About, ctx.Err())
	case err != nil:
		return nil, o.fault("PROVIDER.NO_PROGRAM", "the command %q cannot be started", o.Command[0]).Because(err)
	}
	if err := o.judge(ended); err != nil {
		return nil, err
	}
	if changed := folder.changed(o.Inputs); changed != "" {
		return nil, fault.New(fault.Invalid, "PROVIDER.INPUT_AMBIENT", o.About, "the command changed %q, which it was to read", changed).
			Hint("let it write below $TMPDIR")
	}
	return ended.answer, nil
}

func (o Observation) fault(code, format string, args ...any) *fault.Error {
	return fault.New(fault.Unavailable, code, o.About, format, args...)
}

// program finds what the first word names: an absolute path as it is, a path with a slash among the inputs, a bare name on the fixed
// PATH. A program among the inputs keeps its relative name, so that a script is not told the name of the private folder.
func (o Observation) program(f *folder) (string, error) {
	word := o.Command[0]
	if !strings.Contains(word, "/") {
		for _, dir := range filepath.SplitList(searched) {
			name := filepath.Join(dir, word)
			if info, err := os.Stat(name); word != "" && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return name, nil
			}
		}
		return "", o.fault("PROVIDER.NO_PROGRAM", "there is no program %q in %s", word, searched).Hint("git standards observe -h")
	}
	if _, isInput := o.Inputs[path.Clean(word)]; path.IsAbs(word) || isInput {
		return word, nil
	}
	return "", o.fault("PROVIDER.NO_PROGRAM", "the command %q is not among the inputs", word).Hint("git standards observe -h")
}

// judge turns how a command ended into the fault that it is, nil for an answer.
func (o Observation) judge(e ending) error {
	seconds := fmt.Sprintf("%g s", o.Limit.Seconds())
	var f *fault.Error
	switch {
	case e.why == tooLong:
		f = o.fault("PROVIDER.TIMEOUT", "the command did not end within %s", seconds)
	case e.why == tooMuch:
		f = o.fault("PROVIDER.OUTPUT", "the command printed more than %d bytes", MaxAnswer)
	case e.held:
		f = o.fault("PROVIDER.FAILED", "the command ended, but something that it started holds its output open")
	case e.status.Signaled():
		f = o.fault("PROVIDER.FAILED", "the command was ended by signal %d (%s)", e.status.Signal(), e.status.Signal())
	case e.status.ExitStatus() != 0:
		f = o.fault("PROVIDER.FAILED", "the command ended with status %d", e.status.ExitStatus())
	default:
		return nil
	}
	if e.said != "" {
		f.Because(fmt.Errorf("it said %q", e.said))
	}
	return f.Hint("git standards observe " + fault.ShellWord(o.About))
}

// ending is how a command ended.
type ending struct {
	why    reason
	status syscall.WaitStatus
	held   bool   // an end of its output is still open
	answer []byte // all of standard output
	said   string // the end of standard error
}

// reason is why a command is over.
type reason int

const (
	byItself reason = iota
	tooLong
	tooMuch
	cancelled
)
