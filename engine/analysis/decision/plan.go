package decision

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// Submitted is one answer on its way in: a result, or the value of a fact in its canonical form.
type Submitted struct {
	Question  *question.Question
	Result    string
	Value     any
	Rationale string
	Evidence  []decisionfile.Evidence
	Provider  *decisionfile.Observation // how a provider came to the value
	Members   []decisionfile.Member     // of a coverage question: those that are attested by it
}

// attests reports an answer that lists members. Several of one principal stand beside each other.
func (s Submitted) attests() bool {
	return s.Question.Kind == question.Coverage && s.Result == decisionfile.CompleteResult
}

// Plan is what an accepted submission writes and removes under standards/decisions/.
// Replaces says that it takes an answer of the same principal out.
type Plan struct {
	Write    map[string][]byte
	Remove   []string
	Replaces bool
}

// Written lists the paths of new or rewritten files in order.
func (p *Plan) Written() []string {
	names := make([]string, 0, len(p.Write))
	for name := range p.Write {
		names = append(names, name)
	}
	slices.SortFunc(names, content.ComparePaths)
	return names
}

// Check refuses a submission that a question does not allow, before anything is written (RULES H1, E3, E4).
func Check(s Submitted) error {
	q := s.Question
	if q.Kind == question.Fact && q.Contract == nil && s.Result != facts.Waiver {
		return undeclared(q)
	}
	isValue := q.Kind == question.Fact && (s.Value != nil || s.Result == facts.Absent && q.Contract.Nullable)
	if isValue || s.Result == facts.Waiver || slices.Contains(q.Results(), s.Result) {
		if strings.TrimSpace(s.Rationale) == "" {
			return fault.New(fault.Invalid, "ANSWER.RATIONALE", q.ID, "an answer needs a rationale").Hint(command(q, s.given()))
		}
		return nil
	}
	allowed := strings.Join(q.Results(), ", ")
	if s.Result == "updated" && q.Kind == question.ConsumerReview {
		return fault.New(fault.Invalid, "ANSWER.NOT_UPDATED", q.ID, "%q is the same on both sides, so it was not updated; allowed: %s", q.Consumer, allowed).
			Hint(command(q, "no-change"))
	}
	return fault.New(fault.Invalid, "ANSWER.RESULT", q.ID, "%q is no result for this %s; allowed: %s", s.Result, q.Kind, allowed).
		Hint(command(q, q.Results()[0]))
}

// given is the result or the value as it is typed.
func (s Submitted) given() string {
	if s.Value != nil {
		return s.Question.Contract.Show(s.Value)
	}
	return s.Result
}

// command is what to type to answer the question so.
func command(q *question.Question, result string) string {
	_, hex, _ := identity.Split(q.ID)
	return fmt.Sprintf("git standards resolve %s %s -m \"why\"", hex[:12], fault.ShellWord(result))
}

// OneOf refuses an answer that has neither a result nor the value of a fact, or both; word is what names its question.
func OneOf(word string, result *string, value any) error {
	if (result == nil) == (value == nil) {
		return fault.New(fault.Invalid, "ANSWER.RESULT", word, "an answer has a result or the value of a fact, one of them").Hint("git standards resolve -h")
	}
	return nil
}

// Answered reads an answer to a question: a result, which of a fact is its value as it is typed, or nil for none, or a value in the
// types of JSON, nil for none.
func Answered(q *question.Question, result *string, value any) (Submitted, error) {
	s := Submitted{Question: q}
	if err := OneOf(q.ID, result, value); err != nil {
		return s, err
	}
	switch {
	case q.Kind != question.Fact && value != nil:
		return s, fault.New(fault.Invalid, "ANSWER.RESULT", q.ID, "this %s takes a result and no value; allowed: %s", q.Kind, strings.Join(q.Results(), ", ")).
			Hint(command(q, q.Results()[0]))
	case q.Kind != question.Fact || result != nil && *result == facts.Waiver:
		s.Result = *result
		return s, nil
	case q.Contract == nil:
		return s, undeclared(q)
	case value == nil && q.Results()[0] == question.AnyValue && isMistyped(*result):
		return s, fault.New(fault.Invalid, "ANSWER.RESULT", q.ID, "%s is no answer to this question of fact, which takes a text of its own; "+
			"where that very text is meant, a submission with value: records it", *result).Hint("git standards status", "git standards schema submission")
	}
	var err error
	if value != nil {
		s.Value, err = q.Contract.Check(value)
	} else {
		s.Value, err = q.Contract.Parse(*result)
	}
	if err != nil {
		allowed := q.Results()
		if allowed[0] == question.AnyValue { // what it takes stands in the error
			allowed = allowed[1:]
		}
		also := ""
		if len(allowed) > 0 {
			also = "; allowed: " + strings.Join(allowed, ", ")
		}
		return s, fault.New(fault.Invalid, "ANSWER.RESULT", q.ID, "%v%s", err, also).Hint(command(q, q.Suggested()))
	}
	if s.Value == nil {
		s.Result = facts.Absent
	}
	return s, nil
}

// isMistyped reports a word that stands in a command or a list of results for what is to be typed, alone or as the members of a set are
// shown, or that answers questions of another kind.
func isMistyped(word string) bool {
	first, rest, _ := strings.Cut(word, ",")
	shown := first == question.Placeholder && (rest == "" || rest == "…")
	return shown || word == question.AnyValue || slices.ContainsFunc([]string{question.ConsumerReview, question.ImpactReview, question.Coverage}, func(kind string) bool {
		return slices.Contains(decisionfile.Results(kind), word)
	})
}

// undeclared refuses an answer to a stored question whose fact no side declares so any more: nobody can say what it takes.
func undeclared(q *question.Question) error {
	return fault.New(fault.Invalid, "QUESTION.NOT_ASKED", q.ID, "the fact is not declared here as it was when it was asked about").Hint("git standards status")
}

// PlanAnswers works out the files of a submission by one principal against the tree they will stand in, which differs from the
// accepted side by changes. It takes out of that tree the principal's own answers to the same questions, and those of this range
// whose locator is the same and which are asked no more, so that no superseded answer of one's own is left (RULES E9). asked says
// what is asked now.
func PlanAnswers(
	ctx context.Context, accepted, tree content.Source, changes []content.Change, asked map[string]bool, principal string, submitted []Submitted,
) (*Plan, error) {
	questions := make([]*question.Question, len(submitted))
	for i, s := range submitted {
		if err := Check(s); err != nil {
			return nil, err
		}
		questions[i] = s.Question
	}
	existing, err := ReadAnswers(ctx, accepted, tree, questions, changes)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Write: map[string][]byte{}}
	if err := plan.supersede(existing, asked, principal, submitted); err != nil {
		return nil, err
	}
	listed, err := tree.List(ctx, corpus.DecisionsFolder)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, entry := range listed {
		for name := entry.Name; name != corpus.DecisionsFolder && name != "."; name = path.Dir(name) {
			taken[name] = true // a folder takes a name, too
		}
	}
	for _, name := range plan.Remove {
		delete(taken, name)
	}
	for _, alike := range together(submitted) {
		if err := plan.add(alike, principal, taken); err != nil {
			return nil, err
		}
	}
	plan.Remove = slices.DeleteFunc(plan.Remove, func(name string) bool { return plan.Write[name] != nil })
	return plan, nil
}

func (p *Plan) supersede(existing []*Answer, asked map[string]bool, principal string, submitted []Submitted) error {
	answered, located := map[string]Submitted{}, map[string]bool{}
	for _, s := range submitted {
		answered[s.Question.ID] = s
		located[question.Locator(s.Question.Record)] = true
	}
	byFile := map[string][]*Answer{}
	for _, answer := range existing {
		byFile[answer.File] = append(byFile[answer.File], answer)
	}
	for file, answers := range byFile {
		if answers[0].Principal != principal {
			continue
		}
		var kept []any
		for _, answer := range answers {
			superseded := answer.InRange && !asked[answer.Question] && located[question.Locator(answer.Record)]
			now, again := answered[answer.Question]
			if !superseded && !(again && now.replaces(answer)) {
				kept = append(kept, any(answer.Record))
			}
		}
		p.Replaces = p.Replaces || len(kept) < len(answers)
		switch {
		case len(kept) == len(answers):
		case len(kept) == 0:
			p.Remove = append(p.Remove, file)
		default:
			rest := *answers[0].Decision
			rest.Questions, rest.Lines = kept, nil
			text, err := decisionfile.Format(rest)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			p.Write[file] = text
		}
	}
	slices.SortFunc(p.Remove, content.ComparePaths)
	return nil
}

// replaces reports whether an answer takes the place of an earlier one of its principal to the same question. An attestation takes
// that of another only where it attests all of its members anew; what else was attested stays attested.
func (s Submitted) replaces(earlier *Answer) bool {
	if !s.attests() || earlier.Result != decisionfile.CompleteResult {
		return true
	}
	anew := make(map[string]bool, len(s.Members))
	for _, m := range s.Members {
		anew[m.Path] = true
	}
	return !slices.ContainsFunc(earlier.Members, func(m decisionfile.Member) bool { return !anew[m.Path] })
}

// together gathers what may share a file: answers of one submission alike in all but the question, whose files are kept in one
// folder (RULES E2).
func together(submitted []Submitted) [][]Submitted {
	var groups [][]Submitted
	at := map[string]int{}
	for _, s := range submitted {
		key := fmt.Sprintf("%q %q %q %q %q", Folder(s.Question.Record), s.Question.Kind, s.Result+show(s.Value), s.Rationale, s.Evidence)
		if s.Provider != nil {
			key += fmt.Sprintf(" %q", *s.Provider)
		}
		if s.attests() { // each lists its own members
			key = s.Question.ID
		}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// add writes answers alike into one file, or into as many as it takes for each to be one that can be read.
func (p *Plan) add(alike []Submitted, principal string, taken map[string]bool) error {
	slices.SortFunc(alike, func(a, b Submitted) int { return strings.Compare(a.Question.ID, b.Question.ID) })
	err := p.addFile(alike, principal, taken)
	switch {
	case !fault.Is(err, "YAML.TOO_BIG"):
		return err
	case len(alike) == 1 && len(alike[0].Members) > 1:
		half := len(alike[0].Members) / 2
		first, second := alike[0], alike[0]
		first.Members, second.Members = first.Members[:half], second.Members[half:]
		if err := p.add([]Submitted{first}, principal, taken); err != nil {
			return err
		}
		return p.add([]Submitted{second}, principal, taken)
	case len(alike) == 1:
		return err
	}
	half := len(alike) / 2
	if err := p.add(alike[:half], principal, taken); err != nil {
		return err
	}
	return p.add(alike[half:], principal, taken)
}

func (p *Plan) addFile(alike []Submitted, principal string, taken map[string]bool) error {
	questions, records := make([]*question.Question, len(alike)), make([]any, len(alike))
	for i, s := range alike {
		questions[i], records[i] = s.Question, any(s.Question.Record)
	}
	name := ""
	for attempt := 1; ; attempt++ {
		var err error
		if name, err = FileName(questions, principal, attempt); err != nil {
			return err
		}
		if !taken[name] {
			break
		}
	}
	s := alike[0]
	text, err := decisionfile.Format(decisionfile.Decision{
		File:      name,
		Questions: records,
		Kind:      s.Question.Kind,
		Result:    s.Result,
		Value:     s.Value,
		Rationale: s.Rationale,
		Principal: principal,
		Evidence:  s.Evidence,
		Members:   s.Members,
		Provider:  s.Provider,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	taken[name] = true
	p.Write[name] = text
	return nil
}
