package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// console is where a command reads and prints: results to out, the rest to err (RULES H3). A message is lower case, one
// or two lines, and the command to type next stands on a line of its own.
type console struct {
	in    io.Reader
	out   *output
	err   io.Writer
	json  bool
	form  string // a form of others in which the command reports, or ""
	color bool

	reports string // the command that reports in a form of others

	// onBranch goes before a command that must run on another branch than the one at hand: "git switch NAME && ", or "".
	onBranch string
}

// interruptible is an input whose reading ends with a context: a terminal or a pipe may give nothing for ever.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	buffer := make([]byte, len(p)) // p is the caller's again once we return
	go func() {
		n, err := r.Reader.Read(buffer)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case d := <-done:
		return copy(p, buffer[:d.n]), d.err
	}
}

// output remembers the first failure to write, so that a result nobody received is not taken for one.
type output struct {
	io.Writer
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	if _, err := o.Writer.Write(p); err != nil && o.failed == nil {
		o.failed = err
	}
	return len(p), nil
}

func newConsole() *console {
	return &console{in: os.Stdin, out: &output{Writer: os.Stdout}, err: os.Stderr, color: wantsColor(os.Stdout, os.Stderr)}
}

func consoleOf(cc *cli.Context) *console { return cc.App.Metadata["console"].(*console) }

// wantsColor is terminals that are not told otherwise (https://no-color.org).
func wantsColor(files ...*os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && (isOwnPager() || areTerminals(files))
}

func areTerminals(files []*os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	for _, f := range files {
		info, err := f.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.SameFile(info, null) {
			return false
		}
	}
	return true
}

// isOwnPager is git's word that it has put a pager between us and a terminal, which shows colours (git -p).
func isOwnPager() bool {
	inUse, err := strconv.ParseBool(os.Getenv("GIT_PAGER_IN_USE"))
	return err == nil && inUse
}

func (c *console) paint(code, text string) string {
	if !c.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (c *console) bold(text string) string  { return c.paint("1", text) }
func (c *console) faint(text string) string { return c.paint("2", text) }
func (c *console) red(text string) string   { return c.paint("31", text) }
func (c *console) green(text string) string { return c.paint("32", text) }

func (c *console) say(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }

// warn prints one line to err, marked with the command's name as Git's own children do.
func (c *console) warn(format string, args ...any) {
	fmt.Fprintf(c.err, "git-standards: "+format+"\n", args...)
}

// hint prints the command to type next.
func (c *console) hint(w io.Writer, next string) {
	fmt.Fprintf(w, "  %s %s\n", c.faint("next:"), clean(next))
}

// printJSON prints a result in its public shape.
func (c *console) printJSON(result any) error {
	text, err := wire.JSON(result)
	if err != nil {
		return err
	}
	_, err = c.out.Write(text)
	return err
}

// reject says an error: in its public shape on out where JSON was asked for, or in the form that was, and always for people on err.
func (c *console) reject(err error) int {
	r := judge.Reject(err)
	if c.form != "" {
		if formErr := c.printReport(&report.Report{Version: version, Rejected: &r}); formErr != nil {
			c.warn("%v", formErr)
		}
	}
	if c.json {
		if jsonErr := c.printJSON(r); jsonErr != nil {
			c.warn("%v", jsonErr)
		}
	}
	if len(r.Findings) > 0 {
		c.printFindings(c.err, r.Findings)
		if len(r.Findings) == 1 && r.Findings[0].Next == nil {
			return codeOf(err) // the line says all there is to say
		}
		c.warn("%s: %s", r.Outcome, count(foundIn(r.Findings), "finding", "findings"))
		return codeOf(err)
	}
	target := ""
	if r.Target != nil {
		target = named(*r.Target) + ": "
	}
	c.warn("%s%s (%s)", target, clean(r.Message), r.Code)
	for _, next := range r.Next {
		c.hint(c.err, next)
	}
	printCI(c.err, r.Code)
	return codeOf(err)
}

// handle is an id of ours or of git's in full length.
var handle = regexp.MustCompile(`^(?:([a-z][a-z.0-9-]*):sha256:)?([0-9a-f]{40,64})$`)

// named is a target for people: ids are cut, for nothing else begins like them.
func named(target string) string {
	parts := handle.FindStringSubmatch(target)
	switch {
	case parts == nil:
		return shown(target)
	case parts[1] == "":
		return short(parts[2])
	}
	return parts[1] + " " + short(parts[2])
}

func (c *console) printFindings(w io.Writer, findings []wire.Finding) {
	for _, f := range findings {
		severity := c.red(f.Severity)
		if f.Severity == "warning" {
			severity = c.bold(f.Severity)
		}
		fmt.Fprintf(w, "%s:%d: %s: %s (%s)\n", shown(f.File), f.Line, severity, clean(f.Message), f.Code)
		if f.Next != nil {
			fmt.Fprintf(w, "  %s\n", c.faint(clean(*f.Next)))
		}
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// shown is a name from outside as it may stand on a terminal: itself where every character prints, else quoted.
func shown(name string) string {
	if clean(name) == name {
		return name
	}
	return strconv.Quote(name)
}

// clean escapes, in text that may hold names from outside, what does not print: controls, bidirectional marks, bytes
// that are not UTF-8, line ends.
func clean(text string) string { return report.Printable(text) }
