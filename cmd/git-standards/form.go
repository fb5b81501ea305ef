package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/resolve"
	"github.com/git-standards/git-standards/engine/wire"
)

// answersOf is the answers as typed on the command line, or in the form.
func (s *session) answersOf(cc *cli.Context, finder *resolve.Finder) ([]wire.Answer, error) {
	if !cc.Bool("interactive") {
		return s.readAnswers(cc)
	}
	for _, name := range []string{"all", "unit", "submission", "message", "evidence"} {
		if cc.IsSet(name) {
			return nil, usage("-i asks for everything; give no --%s beside it", name)
		}
	}
	if cc.Args().Present() {
		return nil, usage("-i walks all questions that are open; give none beside it")
	}
	tty, err := capture.OpenTerminal()
	if err != nil {
		return nil, usage("-i needs a terminal; elsewhere: git standards resolve QUESTION RESULT -m TEXT")
	}
	defer tty.Close()
	first, err := finder.First(s.ctx)
	if err != nil {
		return nil, err
	}
	me, err := finder.Principal(s.ctx)
	if err != nil {
		return nil, err
	}
	f := &form{session: s, tty: tty, finder: finder, answers: map[int]wire.Answer{}}
	own := *s.console
	own.color = wantsColor()
	f.console = &own
	if first.Verdict != nil {
		f.verdict = first.Verdict
		for i, open := range first.Verdict.Open {
			q := first.Analysis.Questions[i]
			if q.Who == "mine" && (open.State != decision.StateBlocked || mayLift(first.Verdict, open, me)) {
				f.items = append(f.items, item{open, q})
			}
		}
	}
	if len(f.items) == 0 {
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", "", "nothing is open that an answer of yours would close").Hint("git standards status")
	}
	answers, err := f.walk()
	if errors.Is(err, io.EOF) || err == nil && len(answers) == 0 {
		f.print("nothing was written")
		s.warn("%s left open", count(len(f.items), "question is", "questions are"))
		return nil, exit(exitOpen)
	}
	return answers, err
}

// item is one question of the form.
type item struct {
	decision.Open
	public wire.Question
}

// form asks one question after the other on a terminal, line by line: nothing is drawn over, so that any width will do and what was
// said can be read again. Nothing is written before its end.
type form struct {
	*session
	console *console
	tty     *capture.Terminal
	finder  *resolve.Finder
	verdict *analysis.Verdict
	items   []item
	answers map[int]wire.Answer
	reason  string // the last one
}

func (f *form) print(format string, args ...any) { fmt.Fprintf(f.tty, format+"\n", args...) }

// walk gives the answers that were confirmed, or io.EOF where the person left.
func (f *form) walk() ([]wire.Answer, error) {
	shown := -1
	for at := 0; ; {
		if at >= len(f.items) {
			confirmed, err := f.confirm()
			if err != nil || confirmed {
				return f.given(), err
			}
			at, shown = len(f.items)-1, -1
		}
		if shown != at {
			f.show(at, shortDiff)
			shown = at
		}
		key, err := f.key()
		if err != nil {
			return nil, err
		}
		switch {
		case key == 'q':
			return nil, io.EOF
		case key == 's':
			at++
		case key == 'x':
			delete(f.answers, at)
			shown = -1
		case key == 'p':
			at = max(at-1, 0)
			shown = -1
		case key == 'w':
			at = len(f.items)
		case key == 'd':
			f.show(at, 0)
		case key == 'a':
			f.print("for all of %s: which answer?", clean(f.owner(at)))
			if key, err = f.key(); err != nil {
				return nil, err
			}
			if result, ok := f.result(at, key); ok {
				err = f.answerAlike(at, result)
				shown = -1
			}
			at = f.nextOpen(at)
		default:
			result, ok := f.result(at, key)
			if !ok {
				f.print("%s", f.keys(at))
				continue
			}
			var done bool
			if done, err = f.answer(at, result); done {
				at++
			} else {
				shown = -1
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

func (f *form) key() (rune, error) {
	fmt.Fprint(f.tty, "> ")
	key, err := f.tty.Key(f.ctx)
	if err == nil {
		f.print("%s", clean(string(key)))
	}
	return key, err
}

// nextOpen is the next question without an answer.
func (f *form) nextOpen(at int) int {
	for at < len(f.items) {
		if _, answered := f.answers[at]; !answered {
			return at
		}
		at++
	}
	return at
}

// maxKeys is how many answers have a key of their own; where there are more, typedKey takes any of them as text.
const (
	maxKeys  = 9
	typedKey = 'v'
)

func (f *form) result(at int, key rune) (string, bool) {
	n := int(key - '1')
	if results := f.items[at].public.Results; n >= 0 && n < len(results) && n < maxKeys {
		return results[n], true
	}
	if results := f.items[at].public.Results; key == typedKey && len(results) > maxKeys {
		return question.AnyValue, true
	}
	return "", false
}

// owner is what questions are grouped by: a unit, else a module, else the file of a declaration.
func (f *form) owner(at int) string {
	q := f.items[at]
	owner, _, _ := strings.Cut(q.Declaration, "#")
	for _, name := range []string{q.Unit, q.Module, owner} {
		if name != "" {
			return name
		}
	}
	return q.Kind
}

// answer takes the reason for a result, checks both as the end will, and keeps them; false where the reason was left out.
func (f *form) answer(at int, result string) (bool, error) {
	reason, err := f.why(f.items[at], result)
	if err != nil || reason == "" {
		return false, err
	}
	return f.keep(at, result, reason)
}

func (f *form) keep(at int, result, reason string) (bool, error) {
	if result == question.AnyValue {
		fmt.Fprint(f.tty, "the value: ")
		line, err := f.tty.Line(f.ctx)
		if err != nil {
			return false, err
		}
		result = strings.TrimSpace(line)
	}
	answer := wire.Answer{Question: f.items[at].ID, Result: &result, Rationale: reason}
	if _, err := f.finder.Answers(f.ctx, []wire.Answer{answer}); err != nil {
		refused := fault.As(err)
		if f.ctx.Err() != nil || refused == nil || refused.Outcome == fault.Unavailable {
			return false, err
		}
		f.print("%s", f.console.red(clean(refused.Message)))
		return false, nil
	}
	f.answers[at], f.reason = answer, reason
	return true, nil
}

// answerAlike gives one answer to all questions of the same unit that allow it, from the one at hand on.
func (f *form) answerAlike(at int, result string) error {
	reason, err := f.why(f.items[at], result)
	if err != nil || reason == "" {
		return err
	}
	n := 0
	for i := range f.items {
		if _, answered := f.answers[i]; answered || f.owner(i) != f.owner(at) || !slices.Contains(f.items[i].public.Results, result) {
			continue
		}
		kept, err := f.keep(i, result, reason)
		if err != nil {
			return err
		}
		if kept {
			n++
		}
	}
	f.print("%s: %s", count(n, "answer", "answers"), clean(result))
	return nil
}

// why is the reason, from one typed line or from the editor; "" where none was given.
func (f *form) why(q item, result string) (string, error) {
	again := ""
	if f.reason != "" {
		again = ", = for the last one again"
	}
	fmt.Fprintf(f.tty, "why %s? (one line; empty opens your editor%s)\n> ", clean(result), again)
	line, err := f.tty.Line(f.ctx)
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "=" && f.reason != "":
		return f.reason, nil
	case line != "":
		return line, nil
	}
	text, err := capture.Edit(f.ctx, f.Repo, fmt.Sprintf("\n# Why %s? %s\n# Lines that begin with # are left out; without any other nothing is answered.\n", clean(result), f.plain(q)))
	if f.ctx.Err() != nil {
		return "", f.ctx.Err()
	}
	if refused := fault.As(err); refused != nil {
		f.print("%s", f.console.red(clean(refused.Error())))
		return "", nil
	}
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimRight(line, " \t\r\n"))
		}
	}
	reason := strings.TrimSpace(strings.Join(lines, "\n"))
	if reason == "" {
		f.print("without a reason nothing is answered")
	}
	return reason, err
}

// plain is the question without colours.
func (f *form) plain(q item) string { return (&console{}).ask(q.Open) }

// given is the answers in the order of their questions.
func (f *form) given() []wire.Answer {
	var list []wire.Answer
	for i := range f.items {
		if answer, ok := f.answers[i]; ok {
			list = append(list, answer)
		}
	}
	return list
}

// confirm shows what would be written, and asks; false is the way back.
func (f *form) confirm() (bool, error) {
	if len(f.answers) == 0 {
		return false, io.EOF
	}
	f.print("")
	for i, q := range f.items {
		answer, ok := f.answers[i]
		if !ok {
			f.print("  %s  %-14s  %s", q.public.Abbrev, "open", shown(subject(q.Question)))
			continue
		}
		f.print("  %s  %-14s  %s  %s", q.public.Abbrev, clean(wire.Text(answer.Result)), shown(subject(q.Question)), f.console.faint(cut(answer.Rationale)))
	}
	for {
		f.print("write %s? y: yes  p: back  q: quit without writing", count(len(f.answers), "answer", "answers"))
		switch key, err := f.key(); {
		case err != nil:
			return false, err
		case key == 'y':
			return true, nil
		case key == 'q':
			return false, io.EOF
		case key == 'p':
			return false, nil
		}
	}
}
