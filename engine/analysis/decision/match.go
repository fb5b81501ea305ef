package decision

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// Open is a question without a counted answer that closes it. Stale is, of the outdated answers in this range, the one that
// differs least.
type Open struct {
	*question.Question
	State   string // open, blocked or stale
	Stale   *Answer
	Changed []Changed
	Cover   *coverage.Cover // of a coverage question: what of it is left
}

// The states of an open question, verbatim as in SHAPES.
const (
	StateOpen    = "open"
	StateBlocked = "blocked"
	StateStale   = "stale"
)

// Changed is a field in which an outdated answer's record differs from the question asked now.
type Changed struct{ Field, Was, Now string }

// Matched is what answers do to the questions that are asked.
type Matched struct {
	Counted []*Answer // by question, then file
	Dormant []*Answer // those of questions that an edge would ask, were it not carried: in the state and not counted (RULES E6)
	Open    []Open    // in the order of the questions
}

// Match closes questions with answers (RULES E5, E6, E7): blocked keeps a question open and wins, two different other
// results contradict, those of derivable questions are dormant, all others are history and come back only as what is stale.
// derivable is beside asked. Answers that contradict each other are a *corpus.FindingsError.
func Match(asked, derivable []*question.Question, answers []*Answer) (Matched, error) {
	isAsked, isDerivable := question.IDs(asked), question.IDs(derivable)
	var m Matched
	byQuestion, byLocator := map[string][]*Answer{}, map[string][]*Answer{}
	for _, answer := range answers {
		if isAsked[answer.Question] {
			byQuestion[answer.Question] = append(byQuestion[answer.Question], answer)
			m.Counted = append(m.Counted, answer)
		} else if isDerivable[answer.Question] {
			m.Dormant = append(m.Dormant, answer)
		} else if answer.InRange {
			key := question.Locator(answer.Record)
			byLocator[key] = append(byLocator[key], answer)
		}
	}
	var contradictions []reading.Finding
	for _, q := range asked {
		given := byQuestion[q.ID]
		switch {
		case slices.ContainsFunc(given, func(a *Answer) bool { return a.Result == "blocked" }):
			m.Open = append(m.Open, Open{Question: q, State: StateBlocked})
		case q.Kind == question.Coverage && len(given) > 0: // whether they are enough, Cover says
		case len(given) > 0:
			for _, other := range given[1:] {
				if !other.sameAnswer(given[0]) {
					contradictions = append(contradictions, contradiction(given[0], other))
				}
			}
		default:
			o := Open{Question: q, State: StateOpen}
			if stale := byLocator[question.Locator(q.Record)]; len(stale) > 0 {
				o.State, o.Stale = StateStale, closest(stale, q)
				o.Changed = differences(o.Stale.Record, q.Record)
			}
			m.Open = append(m.Open, o)
		}
	}
	if len(contradictions) > 0 {
		return Matched{}, &corpus.FindingsError{Findings: contradictions}
	}
	slices.SortStableFunc(m.Counted, compareAnswers)
	slices.SortStableFunc(m.Dormant, compareAnswers)
	return m, nil
}

func compareAnswers(a, b *Answer) int {
	if c := strings.Compare(a.Question, b.Question); c != 0 {
		return c
	}
	return content.ComparePaths(a.File, b.File)
}

func contradiction(a, b *Answer) reading.Finding {
	return reading.Finding{
		Code: "DECISION.CONTRADICTION", Severity: reading.SeverityError, File: a.File, Line: 1,
		Message: fmt.Sprintf("answers %s to the question about %s that %s answers %s", a.Given(), Subject(a.Record), b.File, b.Given()),
		Next:    fmt.Sprintf("let %s answer it again, or remove one of the two answers", whoever(a.Principal, b.Principal)),
	}
}

func whoever(a, b string) string {
	if a == b {
		return a
	}
	return a + " or " + b
}

// Subject is what a record asks about, for a person.
func Subject(record identity.Record) string {
	q := question.Stored("", record)
	for _, name := range []string{q.Declaration, q.Unit, q.Module} {
		if name != "" {
			if q.Consumer != "" {
				name += " > " + q.Consumer
			}
			return name
		}
	}
	return q.Kind
}

// closest picks the outdated answer that differs least, so that what is shown as changed is as short as it can be.
func closest(stale []*Answer, q *question.Question) *Answer {
	return slices.MinFunc(stale, func(a, b *Answer) int {
		if c := len(differences(a.Record, q.Record)) - len(differences(b.Record, q.Record)); c != 0 {
			return c
		}
		return content.ComparePaths(a.File, b.File)
	})
}

// differences names the fields in which two records of one locator differ; "consumer" is the consumer's bytes.
func differences(was, now identity.Record) []Changed {
	var changed []Changed
	for _, key := range []string{"bytes", "revision", "structure", "relation", "program", "old", "new", "contract", "inputs", "units"} {
		a, hasA := was[key]
		b, hasB := now[key]
		if !hasA && !hasB {
			continue
		}
		if x, y := show(a), show(b); x != y {
			name := key
			if key == "bytes" {
				name = "consumer"
			}
			changed = append(changed, Changed{name, x, y})
		}
	}
	return changed
}

func show(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	text, err := identity.Encode(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
