package analysis

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// Answer is one answered question of one decision file. InRange says that the file differs between the sides.
type Answer struct {
	*authored.Decision
	Question string
	Record   identity.Record
	InRange  bool
}

// record is the answer as it stands in the state (RULES G1).
func (a *Answer) record() identity.Record {
	evidence := identity.List{}
	for _, e := range a.Evidence {
		evidence = append(evidence, e.SHA256)
	}
	return identity.Record{
		"question":  a.Question,
		"kind":      a.Kind,
		"result":    a.Result,
		"value":     a.Value,
		"rationale": a.Rationale,
		"principal": a.Principal,
		"evidence":  evidence,
		"signature": nil,
	}
}

// Folder is where decisions about a question are kept (RULES E2). A declaration belongs to the unit or module before its #.
func Folder(record identity.Record) string {
	for _, key := range []string{"unit", "module"} {
		if name, ok := record[key].(string); ok {
			return corpus.DecisionsFolder + "/" + authored.Slug(name)
		}
	}
	name, _ := record["declaration"].(string)
	owner, key, _ := strings.Cut(name, "#")
	if owner != "" && !(owner == "manifest" && (key == "modules" || strings.HasPrefix(key, "gate."))) {
		return corpus.DecisionsFolder + "/" + authored.Slug(owner)
	}
	return corpus.DecisionsFolder + "/_manifest"
}

// FileName is the path at which a new decision file about questions of one folder, in the order of their ids, is written.
// Several are named by the hash of their ids. attempt counts from 1: a taken name gets -2, -3, … (RULES E2).
func FileName(questions []*question.Question, principal string, attempt int) (string, error) {
	q := questions[0]
	name, id := "several", q.ID
	if len(questions) == 1 {
		name = label(q)
	} else {
		ids := identity.List{}
		for _, q := range questions {
			ids = append(ids, q.ID)
		}
		var err error
		if id, err = identity.Hash("coding-standards:decision-questions:v1", "decision-questions", ids); err != nil {
			return "", err
		}
	}
	_, hex, _ := identity.Split(id)
	suffix := ""
	if attempt > 1 {
		suffix = fmt.Sprintf("-%d", attempt)
	}
	return path.Join(Folder(q.Record), fmt.Sprintf("%s.%s.%s%s.yaml", authored.Slug(name), hex[:12], authored.Slug(principal), suffix)), nil
}

// label is the consumer, else the reason, else the kind.
func label(q *question.Question) string {
	for _, name := range []string{q.Consumer, q.Reason} {
		if name != "" {
			return name
		}
	}
	return q.Kind
}

// TemporaryPrefix begins the name of what is being written beside an answer. A kill may leave such a file, which answers nothing.
const TemporaryPrefix = ".tmp-"

// IsDecisionFile reports whether a file under standards/decisions/ holds decisions, whatever its name (RULES E2): a YAML file
// always does, so that a damaged one is not passed over; any other, such as a README, when it has the key `questions`.
func IsDecisionFile(name string, data []byte) bool {
	if !corpus.IsDecision(name) || strings.HasPrefix(path.Base(name), TemporaryPrefix) {
		return false
	}
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return true
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "questions:") {
			return true
		}
	}
	return false
}

// readAnswers reads the decision files of a side that may matter: those in the folders of the questions, and those that
// differ between the sides (RULES E6). A file that is not a decision is an error with all its findings.
func readAnswers(ctx context.Context, accepted, source content.Source, questions []*question.Question, changes []content.Change) ([]*Answer, error) {
	inRange := map[string]bool{}
	var wanted []string
	var unsure []content.Entry
	for _, change := range changes {
		if corpus.IsDecision(change.Name) && change.New != nil {
			inRange[change.Name] = true
			wanted = append(wanted, change.Name)
			if change.Old != nil && change.Old.Kind == content.Regular && change.New.Object == "" {
				unsure = append(unsure, *change.Old)
			}
		}
	}
	// A worktree file may be among the changes for its time stamp alone: then it is not of this range.
	landed, err := readAll(ctx, accepted, unsure)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		wanted = append(wanted, Folder(q.Record))
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	slices.Sort(wanted)
	listed, err := source.List(ctx, slices.Compact(wanted)...)
	if err != nil {
		return nil, err
	}
	entries := slices.DeleteFunc(listed, func(e content.Entry) bool { return e.Kind != content.Regular })
	data, err := source.Read(ctx, entries...)
	if err != nil {
		return nil, err
	}
	var answers []*Answer
	var findings []authored.Finding
	files, err := readDecisions(ctx, entries, data)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		old, known := landed[entries[i].Name]
		for _, answer := range file.answers {
			answer.InRange = inRange[entries[i].Name] && !(known && slices.Equal(old, data[i]))
		}
		answers = append(answers, file.answers...)
		findings = append(findings, file.findings...)
	}
	if corpus.HasErrors(findings) {
		return nil, &corpus.FindingsError{Findings: findings}
	}
	return answers, nil
}

// FindingsOfDecisions is what is wrong in any decision file of a side, needed or not.
func FindingsOfDecisions(ctx context.Context, source content.Source) ([]authored.Finding, error) {
	entries, err := source.List(ctx, corpus.DecisionsFolder)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(e content.Entry) bool { return e.Kind != content.Regular })
	var findings []authored.Finding
	for chunk := range slices.Chunk(entries, readChunk) {
		data, err := source.Read(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		files, err := readDecisions(ctx, chunk, data)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			findings = append(findings, file.findings...)
		}
	}
	return findings, nil
}

type decisionFile struct {
	answers  []*Answer
	findings []authored.Finding
}

// readDecisions parses files side by side: each is a function of its own bytes. One that holds no decisions is empty. It stops
// once ctx is done.
func readDecisions(ctx context.Context, entries []content.Entry, data [][]byte) ([]decisionFile, error) {
	files := make([]decisionFile, len(entries))
	corpus.SideBySide(ctx, len(entries), func(i int) {
		if IsDecisionFile(entries[i].Name, data[i]) {
			files[i].answers, files[i].findings = ReadDecision(entries[i].Name, data[i])
		}
	})
	return files, ctx.Err()
}

// ReadDecision parses one decision file and recomputes the ids of the questions embedded in it: the file verifies
// itself and says what it judged (RULES E1).
func ReadDecision(name string, data []byte) ([]*Answer, []authored.Finding) {
	decision, findings := authored.ParseDecision(name, data)
	if decision == nil || corpus.HasErrors(findings) {
		return nil, findings
	}
	var answers []*Answer
	for i, record := range decision.Questions {
		if fields, ok := record.(identity.Record); ok && question.UnknownRecipe(fields) {
			findings = append(findings, authored.Finding{
				Code: "UNSUPPORTED.RECIPE", Severity: authored.SeverityError, File: name, Line: 1, Unsupported: true,
				Message: fmt.Sprintf("question %d has recipe %q; this version knows %s", i+1, fields["recipe"], question.Recipe),
				Next:    "use a version of git-standards that knows it",
			})
			continue
		}
		id, err := question.ID(record)
		if err != nil {
			findings = append(findings, authored.Finding{
				Code: "DECISION.QUESTION", Severity: authored.SeverityError, File: name, Line: 1,
				Message: fmt.Sprintf("question %d is not a question record: %v", i+1, err),
				Next:    "remove this file and answer again with git standards resolve",
			})
			continue
		}
		fields, _ := record.(identity.Record)
		answers = append(answers, &Answer{Decision: decision, Question: id, Record: fields})
	}
	return answers, findings
}

// Open is a question without a counted answer that closes it. Stale is, of the outdated answers in this range, the one that differs least.
type Open struct {
	*question.Question
	State   string // open, blocked or stale
	Stale   *Answer
	Changed []Changed
}

// The states of an open question, verbatim as in SHAPES.
const (
	StateOpen    = "open"
	StateBlocked = "blocked"
	StateStale   = "stale"
)

// Changed is a field in which an outdated answer's record differs from the question asked now.
type Changed struct{ Field, Was, Now string }

// match closes questions with answers (RULES E5, E6, E7): blocked keeps a question open and wins, two different other
// results contradict, those of derivable questions are dormant, all others are history and come back only as what is stale.
func (v *Verdict) match() error {
	asked, derivable := v.AskedSet(), v.Derivable()
	byQuestion, byLocator := map[string][]*Answer{}, map[string][]*Answer{}
	for _, answer := range v.Answers {
		if asked[answer.Question] {
			byQuestion[answer.Question] = append(byQuestion[answer.Question], answer)
			v.Counted = append(v.Counted, answer)
		} else if derivable[answer.Question] {
			v.Dormant = append(v.Dormant, answer)
		} else if answer.InRange {
			key := question.Locator(answer.Record)
			byLocator[key] = append(byLocator[key], answer)
		}
	}
	var contradictions []authored.Finding
	for _, q := range v.Asked {
		given := byQuestion[q.ID]
		switch {
		case slices.ContainsFunc(given, func(a *Answer) bool { return a.Result == "blocked" }):
			v.Open = append(v.Open, Open{Question: q, State: StateBlocked})
		case len(given) > 0:
			for _, other := range given[1:] {
				if other.Result != given[0].Result {
					contradictions = append(contradictions, contradiction(given[0], other))
				}
			}
		default:
			o := Open{Question: q, State: StateOpen}
			if stale := byLocator[question.Locator(q.Record)]; len(stale) > 0 {
				o.State, o.Stale = StateStale, closest(stale, q)
				o.Changed = differences(o.Stale.Record, q.Record)
			}
			v.Open = append(v.Open, o)
		}
	}
	if len(contradictions) > 0 {
		return &corpus.FindingsError{Findings: contradictions}
	}
	slices.SortStableFunc(v.Counted, compareAnswers)
	slices.SortStableFunc(v.Dormant, compareAnswers)
	return nil
}

func compareAnswers(a, b *Answer) int {
	if c := strings.Compare(a.Question, b.Question); c != 0 {
		return c
	}
	return content.ComparePaths(a.File, b.File)
}

func contradiction(a, b *Answer) authored.Finding {
	return authored.Finding{
		Code: "DECISION.CONTRADICTION", Severity: authored.SeverityError, File: a.File, Line: 1,
		Message: fmt.Sprintf("answers %s to the question about %s that %s answers %s", a.Result, subject(a.Record), b.File, b.Result),
		Next:    fmt.Sprintf("let %s answer it again, or remove one of the two answers", whoever(a.Principal, b.Principal)),
	}
}

func whoever(a, b string) string {
	if a == b {
		return a
	}
	return a + " or " + b
}

// subject is what a record asks about, for a person.
func subject(record identity.Record) string {
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
	for _, key := range []string{"bytes", "revision", "structure", "relation", "program", "old", "new"} {
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
