package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/hooks"
)

func hookCommand() *cli.Command {
	return &cli.Command{
		Name:            "hook",
		Usage:           "what the installed hooks call",
		ArgsUsage:       "NAME [ARGS…]",
		Hidden:          true,
		SkipFlagParsing: true,
		Action:          hook,
	}
}

// hook runs one hook. Hooks write to standard error alone, and nothing when no standard is touched (RULES H3, I3).
func hook(cc *cli.Context) error {
	args := cc.Args().Slice()
	if len(args) == 0 {
		return usage("hook needs the name of a hook")
	}
	consoleOf(cc).out = &output{Writer: consoleOf(cc).err}
	run := map[string]func(*session, []string) error{
		"pre-commit":       (*session).preCommit,
		"pre-merge-commit": (*session).preCommit,
		"pre-push":         (*session).prePush,
		"pre-receive":      (*session).preReceive,
		"post-receive":     (*session).postReceive,
	}[args[0]]
	if run == nil {
		return usage("%q is no hook that git standards serves", args[0])
	}
	return onRepository(func(s *session, _ *cli.Context) error { return run(s, args[1:]) })(cc)
}

// preCommit judges the index that this commit will record (RULES B4).
func (s *session) preCommit([]string) error {
	s.remember()
	fork, err := s.ForkPoint(s.ctx)
	if err != nil {
		return err
	}
	index := s.Index()
	if foreign, err := s.foreign(fork, index); err != nil || foreign {
		return err
	}
	outcome, err := s.judgeHook(judge.Request{Accepted: fork.Side, Proposed: index, Base: fork.Base})
	var text *corpus.FindingsError
	if errors.As(err, &text) {
		var names []string
		for _, f := range text.Findings {
			names = append(names, f.File)
		}
		s.sayUnstaged(names)
	}
	if err != nil || outcome == nil || outcome.Analysis == nil {
		return err
	}
	changes, err := s.recorded()
	if err != nil {
		return err
	}
	onlyDecisions := len(changes) > 0 && !slices.ContainsFunc(changes, func(c gitext.Change) bool { return !corpus.IsDecision(c.Name) })
	setting := hooks.Setting(outcome.Verdict.Accepted.Manifest.Gate.Commit)
	verdict := hooks.Decide(hooks.Commit, setting, hookQuestions(outcome), onlyDecisions)
	forgetToldBefore(outcome, changes)
	return s.conclude(outcome, verdict, "commit", s.nextForCommit)
}

// sayUnstaged says of what is refused which of the files have other bytes in the worktree: a person who mended them there would
// else look for the mistake in vain.
func (s *session) sayUnstaged(names []string) {
	if s.Repo.NeedWorktree() != nil {
		return
	}
	changes, err := s.Repo.DiffWorktree(s.ctx)
	if err != nil {
		return // what is refused matters more
	}
	judged := map[string]bool{}
	for _, name := range names {
		judged[name] = true
	}
	for _, change := range changes {
		if change.Old != nil && judged[change.Name] {
			s.warn("%s has other bytes in the worktree; what is staged is judged", shown(change.Name))
		}
	}
}

// recorded is what this commit changes of its first parent; nothing for a first commit.
func (s *session) recorded() ([]gitext.Change, error) {
	head, unborn, err := s.Repo.Head(s.ctx)
	if err != nil || unborn {
		return nil, err
	}
	return s.Repo.DiffIndex(s.ctx, head.Tree)
}

// forgetToldBefore leaves out of what a commit says the deletions that an earlier commit of the same range made.
func forgetToldBefore(outcome *judge.Outcome, changes []gitext.Change) {
	gone := map[string]bool{}
	for _, c := range changes {
		gone[c.Name] = c.New == nil || !c.New.Mode.Regular()
	}
	outcome.Drop(func(n ask.Notice) bool {
		return n.Code == ask.DeletedCode && !slices.ContainsFunc(n.Paths, func(name string) bool { return gone[name] })
	})
}

// judgeHook judges where something that could ask is touched, and gives nil where nothing is: then no module is even
// read.
func (s *session) judgeHook(request judge.Request) (*judge.Outcome, error) {
	changes, err := capture.Changes(s.ctx, request.Accepted.Source, request.Proposed.Source)
	if err != nil {
		return nil, err
	}
	request.Changes = append([]content.Change{}, changes...)
	relevant, err := judge.Relevant(s.ctx, request)
	if err != nil || !relevant {
		return nil, err
	}
	outcome, err := s.judgeOnly(request)
	if err != nil {
		return nil, err
	}
	switch {
	case outcome.Adoption != nil:
		s.printOutcome(s.out, outcome, true)
	case !outcome.Verdict.Idle():
		s.record(outcome)
	}
	return outcome, nil
}

// hookQuestions is what the policy looks at of each open question (RULES I1).
func hookQuestions(o *judge.Outcome) []hooks.Question {
	list := make([]hooks.Question, len(o.Verdict.Open))
	for i, open := range o.Verdict.Open {
		list[i] = hooks.Question{Mine: o.Mine(open.Question), Waivable: o.Waivable(open.Question), Blocked: open.State == decision.StateBlocked}
	}
	return list
}

// conclude prints what a hook found and gives its exit code. A complete state is one line with its handle, after what
// whoever moved or deleted something watched is told. next is the command that answers the first question, as it must be
// typed here.
func (s *session) conclude(outcome *judge.Outcome, verdict hooks.Verdict, what string, next func(outcome *judge.Outcome) ([]advice, error)) error {
	open := count(len(outcome.Verdict.Open), "open question", "open questions")
	if verdict == hooks.Pass {
		s.printNotices(s.err, slices.DeleteFunc(slices.Clone(outcome.Analysis.Notices), func(n wire.Notice) bool {
			return n.Code != ask.CarriedCode && n.Code != ask.DeletedCode && n.Code != analysis.WaivedCode
		}))
		if !outcome.Verdict.Idle() {
			s.warn("standards complete: %s", outcome.Analysis.Analysis.ID)
		}
		return nil
	}
	s.printOutcome(s.out, outcome, true)
	commands, err := next(outcome)
	if err != nil {
		return err
	}
	if verdict == hooks.Say {
		s.warn("%s; this %s is not refused for them", open, what)
		s.advise(s.err, commands)
		return nil
	}
	s.warn("%s: %s refused", open, what)
	s.advise(s.err, commands)
	return exit(exitOpen)
}

// nextForCommit names the valid answers that stand in the worktree but not in what this commit records, and the commands
// that add them (RULES I3); where there are none, the command that answers.
func (s *session) nextForCommit(outcome *judge.Outcome) ([]advice, error) {
	var names []string
	for _, open := range outcome.Verdict.Open {
		names = append(names, open.File, open.Consumer)
	}
	s.sayUnstaged(names)
	forgotten := s.forgotten(outcome.Verdict)
	if len(forgotten) == 0 {
		return s.nextCommands(outcome, "", ""), nil
	}
	for _, name := range forgotten {
		s.warn("%s answers this, but is not part of this commit", shown(name))
	}
	commands := []advice{{"next", "git add " + s.quoteAll(forgotten)}}
	if !isPartial() {
		return commands, nil
	}
	changes, err := s.recorded()
	if err != nil || len(changes) == 0 {
		return commands, err
	}
	var paths []string
	for _, change := range changes {
		paths = append(paths, change.Name)
	}
	return append(commands, advice{"next", "git commit " + s.quoteAll(append(paths, forgotten...))}), nil
}

// maxForgotten bounds a file that may be an answer, in bytes; what reads answers refuses larger ones.
const maxForgotten = 1 << 20

// forgotten lists decision files of the worktree that answer an open question and were not read for this verdict.
func (s *session) forgotten(v *analysis.Verdict) []string {
	open, read, folders := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, q := range v.Open {
		open[q.ID] = true
		folders[decision.Folder(q.Record)] = true
	}
	for _, answer := range v.Answers {
		read[answer.File] = true
	}
	var names []string
	for folder := range folders {
		files, err := os.ReadDir(filepath.Join(s.Repo.TopLevel, folder))
		if err != nil {
			continue // no answers there
		}
		for _, file := range files {
			name := path.Join(folder, file.Name())
			info, err := file.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxForgotten || read[name] {
				continue
			}
			data, err := os.ReadFile(filepath.Join(s.Repo.TopLevel, name))
			if err != nil || !decision.IsFile(name, data) {
				continue // it cannot answer, either
			}
			answers, _ := decision.Read(name, data)
			if slices.ContainsFunc(answers, func(a *decision.Answer) bool { return open[a.Question] && a.Result != "blocked" }) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, content.ComparePaths)
	return names
}

// isPartial reports a commit of named paths: git then hands the hook an index made for it alone.
func isPartial() bool {
	return strings.HasPrefix(filepath.Base(os.Getenv("GIT_INDEX_FILE")), "next-index-")
}

// quoteAll writes repository paths as they are typed here.
func (s *session) quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fault.ShellWord(s.Typed(name))
	}
	return strings.Join(quoted, " ")
}
