package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

// shortDiff is how many lines of a difference stand with a question; the key d shows all.
const shortDiff = 24

// show prints a question: what it is about, what changed in the standard and in the consumer, and the keys.
func (f *form) show(at, most int) {
	q := f.items[at]
	f.print("\n%d of %d  %s", at+1, len(f.items), f.console.about(q.Open))
	if q.Declaration != "" {
		f.difference("declared", declared(q.Record["old"]), declared(q.Record["new"]), most)
	} else {
		was, now := f.texts(q)
		f.difference("the standard", was, now, most)
	}
	if q.Kind == question.ConsumerReview {
		f.showConsumer(q, most)
	}
	f.print("%s", f.console.bold(f.console.ask(q.Open)))
	if q.State == decision.StateStale {
		f.print("%s", f.console.faint(fmt.Sprintf("%s answered %s; since then %s", clean(q.Stale.Principal), cut(q.Stale.Given()), since(q.Open))))
	}
	if answer, ok := f.answers[at]; ok {
		f.print("%s", f.console.green(fmt.Sprintf("your answer: %s, %s", clean(wire.Text(answer.Result)), cut(answer.Rationale))))
	}
	f.print("%s", f.keys(at))
}

func (f *form) keys(at int) string {
	var results []string
	for i, result := range f.items[at].public.Results {
		if i == maxKeys {
			results = append(results, fmt.Sprintf("%s: type one of %d more", f.console.bold(string(typedKey)), len(f.items[at].public.Results)-i))
			break
		}
		results = append(results, fmt.Sprintf("%s: %s", f.console.bold(fmt.Sprint(i+1)), clean(result)))
	}
	return strings.Join(results, "  ") + "\n" +
		f.console.faint("a: one answer for all of "+clean(f.owner(at))+"  s: next  p: back  x: take the answer back  d: whole difference  w: to the end  q: quit without writing")
}

// texts is what a question is about on both sides: a unit, or the text of a module outside its units.
func (f *form) texts(q item) (was, now string) {
	if q.Unit != "" {
		if unit := f.verdict.Accepted.Unit(q.Unit); unit != nil {
			was = unit.Text.Normal
		}
		if unit := f.verdict.Proposed.Unit(q.Unit); unit != nil {
			now = unit.Text.Normal
		}
		return was, now
	}
	if m := f.verdict.Accepted.Module(q.Module); m != nil {
		was = m.Module.Outside.Normal
	}
	if m := f.verdict.Proposed.Module(q.Module); m != nil {
		now = m.Module.Outside.Normal
	}
	return was, now
}

// showConsumer prints what changed in the file or module that is asked about.
func (f *form) showConsumer(q item, most int) {
	target, _ := q.Record["consumer"].(identity.Record)
	if _, isModule := target["module"]; isModule {
		f.print("%s", f.console.faint("module "+clean(q.Consumer)))
		return
	}
	was, before, errWas := content.ReadFile(f.ctx, f.verdict.AcceptedSource, q.Consumer)
	now, here, errNow := content.ReadFile(f.ctx, f.verdict.ProposedSource, q.Consumer)
	name := shown(q.Consumer)
	switch {
	case errWas != nil || errNow != nil:
		f.print("%s", f.console.faint(name+" cannot be read"))
	case !utf8.Valid(was) || !utf8.Valid(now):
		f.print("%s", f.console.faint(fmt.Sprintf("%s is no text: %d bytes before, %d now", name, len(was), len(now))))
	case !here:
		f.print("%s", f.console.faint(name+" is not there"))
	case before && string(was) == string(now):
		f.print("%s", f.console.faint(name+" has not changed"))
	default:
		f.difference(name, string(was), string(now), most)
	}
}

func declared(v any) string {
	if v == nil {
		return ""
	}
	if text, ok := v.(string); ok {
		return text + "\n"
	}
	encoded, err := identity.Encode(v)
	if err != nil {
		return "?"
	}
	return string(encoded) + "\n"
}

// difference prints changed lines; most 0 is no bound.
func (f *form) difference(what, was, now string, most int) {
	unified, err := udiff.ToUnified("", "", wrap(was), udiff.Lines(wrap(was), wrap(now)), 2)
	if err != nil || unified == "" {
		f.print("%s", f.console.faint(what+" has not changed"))
		return
	}
	f.print("%s", f.console.faint(what+":"))
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(unified, "\t", "    "), "\n"), "\n")[2:]
	for i, line := range lines {
		switch {
		case most > 0 && i == most:
			f.print("  %s", f.console.faint(fmt.Sprintf("… %d more lines: d", len(lines)-i)))
			return
		case strings.HasPrefix(line, "@@"):
			f.print("  %s", f.console.faint("…"))
		case strings.HasPrefix(line, "+"):
			f.print("  %s", f.console.green(clean(line)))
		case strings.HasPrefix(line, "-"):
			f.print("  %s", f.console.red(clean(line)))
		default:
			f.print("  %s", clean(line))
		}
	}
}
