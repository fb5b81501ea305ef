package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

func gateCommand() *cli.Command {
	return &cli.Command{
		Name:  "gate",
		Usage: "judge what would land: base and head merged, against the base",
		Description: "For continuous integration: needs no store and no configuration. Exit codes: 0 may land, 1 the gate is closed,\n" +
			"2 invalid text, request or merge conflict, 3 unavailable (such as history too shallow).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "base", Usage: "the commit that the change lands on: `REV`"},
			&cli.StringFlag{Name: "head", Value: "HEAD", Usage: "the commit that lands: `REV`"},
			&cli.StringFlag{Name: "landed", Usage: "the tree that the host already made of the two: `TREEISH`"},
			&cli.BoolFlag{Name: "since-publication", DisableDefaultText: true, Usage: "judge what came onto the base branch, or the line of --base, since its last publication"},
			&cli.BoolFlag{Name: "rerun-providers", DisableDefaultText: true, Usage: "run the providers of observed answers again, and compare"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print the result as `text|json|sarif|github|junit`"},
			&cli.StringFlag{Name: "summary", Usage: "append what changed, who answered and what is open, as Markdown, to `FILE`, such as $GITHUB_STEP_SUMMARY"},
			storeFlag,
		},
		Action: withoutArguments((*session).summarizedGate),
	}
}

func (s *session) gate(cc *cli.Context) error {
	baseRev, headRev := cc.String("base"), cc.String("head")
	var notices []wire.Notice
	switch since := cc.Bool("since-publication"); {
	case since && cc.String("landed") != "":
		return usage("--since-publication judges what is there; --landed is a tree that the host made of two commits")
	case since:
		if !cc.IsSet("head") {
			headRev = ""
		}
		base, head, notice, err := s.sincePublication(baseRev, headRev)
		if err != nil {
			return err
		}
		baseRev, headRev, notices = base, head, append(notices, notice)
	case baseRev == "":
		return usage("gate needs --base REV, the commit that the change lands on, such as --base origin/main")
	}
	outcome, done, err := s.judgeLanding(baseRev, headRev, cc.String("landed"))
	if err != nil {
		return err
	}
	for _, notice := range notices {
		s.addNotice(outcome, notice)
	}
	defer done()
	if cc.Bool("rerun-providers") {
		differences, err := s.rerunProviders(outcome)
		if err != nil {
			return err
		}
		s.steps = look(outcome, true, differences)
	}
	return s.finishGate(outcome)
}

// judgeLanding judges what would land of a head on a base (RULES B5), and all that gate and publish refuse beside the verdict, which it
// leaves in s.steps. landed is the tree that the host made of the two, "" where it is to be made here. done gives up what the proposed
// side is read from.
func (s *session) judgeLanding(baseRev, headRev, landed string) (outcome *judge.Outcome, done func(), err error) {
	base, err := s.Repo.Commit(s.ctx, baseRev)
	if err != nil {
		return nil, nil, err
	}
	head, err := s.Repo.Commit(s.ctx, headRev)
	if err != nil {
		return nil, nil, err
	}
	accepted, err := s.Commit(s.ctx, base.ID)
	if err != nil {
		return nil, nil, err
	}
	if s.onBranch, err = s.switchTo(headRev, head.ID); err != nil {
		return nil, nil, err
	}
	request := judge.Request{Accepted: accepted, Landed: &wire.Landed{Base: base.ID, Head: head.ID}}
	done, err = s.landing(&request, landed, base.Tree, head.Tree)
	if f := fault.As(err); f != nil && strings.HasPrefix(f.Code, "MERGE.") {
		merge := "git merge "
		if f.Code == "MERGE.UNRELATED" {
			merge += "--allow-unrelated-histories "
		}
		f.Next = []string{s.onBranch + merge + base.ID}
	}
	if err != nil {
		return nil, nil, err
	}
	if request.Notices, err = s.deletedAnswers(base.ID, head.ID); err == nil {
		outcome, err = s.judge(request)
	}
	if err == nil {
		err = s.checkIndependence(outcome, base.ID, head.ID)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	taken, err := s.takenRevisions(outcome)
	if err != nil {
		done()
		return nil, nil, err
	}
	for _, notice := range taken {
		s.addNotice(outcome, notice)
	}
	s.steps = look(outcome, false, 0)
	return outcome, done, nil
}

// checkIndependence keeps a change from landing whose authors are needed among the attesters of its coverage (RULES F5, J1).
func (s *session) checkIndependence(outcome *judge.Outcome, base, head string) error {
	if outcome.Verdict == nil || !outcome.Verdict.HangsOnAuthors() {
		return nil
	}
	commits, err := s.Repo.AuthorsBetween(s.ctx, base, head)
	if err != nil {
		return err
	}
	written := make([]analysis.Written, len(commits))
	for i, c := range commits {
		written[i] = analysis.Written{Mail: c.Mail, Paths: c.Paths}
	}
	return outcome.CheckAuthors(written)
}

// switchTo is what brings the head of a gate into a worktree, so that what is typed next is typed there; "" where it is at hand. A bare
// repository has none, and gets one beside it.
func (s *session) switchTo(name, id string) (string, error) {
	head, unborn, err := s.Repo.Head(s.ctx)
	if err != nil || !unborn && head.ID == id && !s.Repo.Bare {
		return "", err
	}
	name = strings.TrimPrefix(name, "refs/heads/")
	if _, branch, ok := strings.Cut(strings.TrimPrefix(name, "refs/remotes/"), "/"); ok && !s.Repo.Bare {
		name = branch // git switch makes a branch that follows the remote one
	}
	isBranch := !gitext.IsID(name) && name != "HEAD" && !strings.ContainsAny(name, "^~:@{") && !strings.HasPrefix(name, "-")
	switch {
	case s.Repo.Bare && isBranch:
		place := fault.ShellWord("../" + strings.ReplaceAll(name, "/", "-"))
		return "git worktree add " + place + " " + fault.ShellWord(name) + " && cd " + place + " && ", nil
	case s.Repo.Bare:
		place := "../" + short(id)
		return "git worktree add --detach " + place + " " + short(id) + " && cd " + place + " && ", nil
	case isBranch:
		return "git switch " + fault.ShellWord(name) + " && ", nil
	}
	return "git switch --detach " + short(id) + " && ", nil
}

// landing sets the proposed side to what would land (RULES B5). done removes what the merge needed.
func (s *session) landing(request *judge.Request, landed, baseTree, headTree string) (done func(), err error) {
	if landed != "" {
		tree, err := s.Repo.Tree(s.ctx, landed)
		if err != nil {
			return nil, err
		}
		source, err := s.Tree(s.ctx, tree)
		if err != nil {
			return nil, err
		}
		// What the host made is a merge unless it is one of the two as it was.
		request.Landed.Tree, request.Landed.Merged = tree, tree != baseTree && tree != headTree
		request.Proposed = judge.Side{Info: wire.Side{Source: "landed", Tree: &tree}, Source: source}
		return func() {}, nil
	}
	landing, err := s.Repo.Landing(s.ctx, request.Landed.Base, request.Landed.Head)
	if err != nil {
		return nil, err
	}
	request.Landed.Tree, request.Landed.Merged = landing.Tree, landing.Merged
	request.Proposed = judge.Side{
		Info:   wire.Side{Source: "landed", Tree: &landing.Tree},
		Source: capture.Tree(s.Repo, landing.Objects, landing.Tree),
	}
	return func() { landing.Close() }, nil
}

// deletedAnswers lists decision files that the range added and later deleted, blocked ones first (RULES E9): an answer
// that was taken back is said aloud where the change lands.
func (s *session) deletedAnswers(base, head string) ([]wire.Notice, error) {
	files, err := s.Repo.DeletedBetween(s.ctx, base, head, corpus.DecisionsFolder)
	if err != nil {
		return nil, err
	}
	var blocked, others []wire.Notice
	for _, file := range files {
		if !decision.IsFile(file.Name, file.Data) {
			continue
		}
		notice := wire.Notice{Code: "DECISION.DELETED", Target: &file.Name, Message: "this range added the answer and deleted it again"}
		answers, _ := decision.Read(file.Name, file.Data)
		if len(answers) > 0 {
			notice.Message = fmt.Sprintf("this range added the answer %s by %s and deleted it again", answers[0].Given(), answers[0].Principal)
		}
		if len(answers) > 0 && answers[0].Result == "blocked" {
			blocked = append(blocked, notice)
		} else {
			others = append(others, notice)
		}
	}
	return append(blocked, others...), nil
}

// untouched is the notice of a change that no standard has to do with.
const untouched = "STANDARDS.UNTOUCHED"

// finishGate adds what only the gate says: that no standard is touched (RULES C16), and what closes it beside open questions.
func (s *session) finishGate(outcome *judge.Outcome) error {
	if outcome.Verdict != nil && outcome.Verdict.Idle() {
		outcome.Analysis.Notices = append(outcome.Analysis.Notices, wire.Notice{Code: untouched, Message: "no standard touched"})
	}
	if outcome.Analysis != nil && slices.ContainsFunc(s.steps, func(step report.Step) bool { return step.State == report.Fails }) {
		outcome.Analysis.Result = "pending" // complete is what may land, whoever reads it
	}
	if s.summary != nil {
		if err := s.summarize(outcome); err != nil {
			return err
		}
	}
	err := s.finish(outcome)
	for _, step := range s.steps {
		if step.State != report.Fails {
			continue
		}
		s.warn("the gate is closed: %s (%s)", step.Message, step.Code)
		if err == nil {
			err = exit(exitOpen)
		}
	}
	return err
}
