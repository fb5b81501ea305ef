package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/landing"
	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/publish"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

func publishCommand() *cli.Command {
	return &cli.Command{
		Name:  "publish",
		Usage: "land a change that the gate lets through, and record what was judged",
		Description: "Judges as gate does. With --into the branch is moved from the base to what was judged, at once or not at all; without it the\n" +
			"head has landed already. The record is a note of the landed commit in refs/notes/standards, which --verify judges again.\n" +
			"Exit codes: 0 landed or verified, 1 the gate is closed, the branch has moved or a record is wrong, 2 invalid text, request or\n" +
			"merge conflict, 3 unavailable (such as no record, or a publish that was interrupted where nobody can tell).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "base", Usage: "the commit that the change lands on: `REV`"},
			&cli.StringFlag{Name: "head", Value: "HEAD", Usage: "the commit that lands: `REV`"},
			&cli.StringFlag{Name: "into", Usage: "move this `BRANCH`, which stands at the base"},
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Usage: "the message of a merge that is made: `TEXT`"},
			&cli.StringFlag{Name: "verify", Usage: "judge again what the record of `REV` says, from Git alone"},
			&cli.BoolFlag{Name: "records", DisableDefaultText: true, Usage: "publish nothing: finish what was interrupted, take in records that were fetched"},
			&cli.StringFlag{Name: "settle", Usage: "say what became of an interrupted publish of which nobody can tell: `landed|absent`"},
			formatFlag, storeFlag,
		},
		Action: withoutArguments((*session).publish),
	}
}

func (s *session) publish(cc *cli.Context) error {
	word := landing.Word(cc.String("settle"))
	onlyRecords := cc.Bool("records") || word != landing.NoWord
	landsSomething := cc.String("base") != "" || cc.IsSet("head") || cc.String("into") != "" || cc.String("message") != ""
	switch {
	case cc.String("verify") != "" && (landsSomething || onlyRecords):
		return usage("--verify takes no other option than --format")
	case cc.String("verify") != "":
		return s.verifyPublication(cc.String("verify"))
	case word != landing.NoWord && word != landing.Landed && word != landing.Absent:
		return usage("--settle is landed or absent, not %q", string(word))
	case onlyRecords && landsSomething:
		return usage("--records and --settle publish nothing: they take neither --base nor --into")
	case onlyRecords && s.json:
		return usage("--records and --settle have no result to print as JSON")
	case onlyRecords:
		return s.settleRecords(word)
	case cc.String("base") == "":
		return usage("publish needs --base REV, the commit that the change lands on, such as --base main")
	case cc.String("message") != "" && cc.String("into") == "":
		return usage("-m is the message of the merge that --into makes")
	}
	// What became of an earlier one comes first: it may have moved what is named here.
	if !landing.Idle(s.ctx, s.Repo) {
		if _, err := s.settle(landing.NoWord); err != nil {
			return err
		}
	}
	base, err := s.Repo.Commit(s.ctx, cc.String("base"))
	if err != nil {
		return err
	}
	branch := ""
	if into := cc.String("into"); into != "" {
		branch = "refs/heads/" + strings.TrimPrefix(into, "refs/heads/")
		if err := s.checkBranch(cc, branch, base.ID); err != nil {
			return err
		}
	}
	outcome, done, err := s.judgeLanding(base.ID, cc.String("head"), "")
	if err != nil {
		return err
	}
	defer done()
	if !s.mayLand(outcome) {
		err := s.finishGate(outcome)
		s.warn("nothing was published")
		return err
	}
	plan, landed, err := s.plan(cc, outcome, branch)
	if err != nil {
		return err
	}
	if plan == nil {
		s.addNotice(outcome, wire.Notice{
			Code: "PUBLICATION.NOTHING", Target: wire.Optional(landed), Message: "the base contains the head already: nothing lands, and nothing is recorded",
		})
		return s.finishGate(outcome)
	}
	if err := s.carryOut(outcome, *plan); err != nil {
		return s.toRepeat(cc, err)
	}
	return s.finishGate(outcome)
}

// checkBranch refuses a branch that cannot be moved before anything is judged for it.
func (s *session) checkBranch(cc *cli.Context, branch, base string) error {
	return s.toRepeat(cc, landing.CheckBranch(s.ctx, s.Repo, branch, base))
}

// toRepeat adds how to publish again to the refusal of a branch that has moved.
func (s *session) toRepeat(cc *cli.Context, err error) error {
	if f := fault.As(err); f != nil && f.Code == "PUBLISH.MOVED" {
		into := fault.ShellWord(cc.String("into"))
		f.Hint(fmt.Sprintf("git standards publish --base %s --head %s --into %s", into, fault.ShellWord(cc.String("head")), into))
	}
	return err
}

// mayLand reports what the gate lets through.
func (s *session) mayLand(o *judge.Outcome) bool {
	if o.Adoption != nil {
		return true
	}
	fails := func(step report.Step) bool { return step.State == report.Fails }
	return o.Analysis.Result == "complete" && !slices.ContainsFunc(s.steps, fails)
}

func landedOf(o *judge.Outcome) *wire.Landed {
	if o.Adoption != nil {
		return o.Adoption.Landed
	}
	return o.Analysis.Landed
}

func (s *session) addNotice(o *judge.Outcome, n wire.Notice) {
	if o.Adoption != nil {
		o.Adoption.Notices = append(o.Adoption.Notices, n)
	} else {
		o.Analysis.Notices = append(o.Analysis.Notices, n)
	}
}

// publication is what was judged, as a record; which commit holds it is for the caller to say.
func (s *session) publication(o *judge.Outcome) (p publish.Publication, err error) {
	if p, err = publish.Of(s.ctx, o.Verdict); err != nil {
		return p, err
	}
	l := landedOf(o)
	base, err := s.Repo.Commit(s.ctx, l.Base)
	if err != nil {
		return p, err
	}
	head, err := s.Repo.Commit(s.ctx, l.Head)
	if err != nil {
		return p, err
	}
	p.Accepted = publish.Commit{Commit: base.ID, Tree: base.Tree}
	p.Proposed = publish.Commit{Commit: head.ID, Tree: head.Tree}
	p.Landed = publish.Commit{Commit: head.ID, Tree: l.Tree}
	p.Tool = publish.Tool{
		Version: version, Git: s.Repo.GitVersion, Interface: wire.SchemaVersion, Handle: wire.HandleVersion, Envelope: wire.EnvelopeVersion,
		Identity: wire.IdentityVersion,
	}
	return p, nil
}

// plan is what is to be done about a change that may land; nil, with the base, where nothing lands.
func (s *session) plan(cc *cli.Context, o *judge.Outcome, branch string) (*landing.Plan, string, error) {
	l := landedOf(o)
	if contained, err := s.Repo.IsAncestor(s.ctx, l.Head, l.Base); err != nil || contained {
		return nil, l.Base, err
	}
	p, err := s.publication(o)
	if err != nil {
		return nil, "", err
	}
	p.Branch = branch
	plan := landing.Plan{Base: l.Base, Head: l.Head, Tree: l.Tree, Branch: branch}
	switch {
	case l.Merged && branch == "":
		into, head := "BRANCH", fault.ShellWord(cc.String("head"))
		if id, _, err := s.Repo.Ref(s.ctx, "refs/heads/"+cc.String("base")); err == nil && id == l.Base {
			into = fault.ShellWord(cc.String("base"))
		}
		return nil, "", fault.New(fault.Invalid, "PUBLISH.NOT_LANDED", short(l.Head),
			"it does not contain the base %s: their merge may land, but is no commit yet that a record could stand on", short(l.Base)).
			Hint(fmt.Sprintf("git standards publish --base %s --head %s --into %s", fault.ShellWord(cc.String("base")), head, into),
				"git standards publish --base "+l.Base+" --head MERGED")
	case l.Merged:
		if plan.Text, err = s.mergeText(cc, o, branch); err != nil {
			return nil, "", err
		}
		if p.Landed.Commit, err = s.Repo.ObjectID("commit", plan.Text); err != nil {
			return nil, "", err
		}
	}
	plan.Commit = p.Landed.Commit
	lines, err := p.Lines()
	if err != nil {
		return nil, "", err
	}
	plan.Note = strings.Join(lines, "\n") + "\n"
	plan.Publication, _, err = p.Text()
	return &plan, "", err
}

// mergeText is the merge commit of base and head over the tree that was judged.
func (s *session) mergeText(cc *cli.Context, o *judge.Outcome, branch string) ([]byte, error) {
	l := landedOf(o)
	author, committer, err := s.Repo.Identities(s.ctx)
	if err != nil {
		return nil, err
	}
	name := strings.TrimPrefix(cc.String("head"), "refs/heads/")
	if gitext.IsID(name) || name == "HEAD" {
		name = "commit " + short(l.Head)
		if current, err := s.Repo.CurrentBranch(s.ctx); err == nil && current != "" && cc.String("head") == "HEAD" {
			name = current
		}
	}
	message := cmp.Or(strings.TrimSpace(cc.String("message")), fmt.Sprintf("Merge %s into %s", clean(name), strings.TrimPrefix(branch, "refs/heads/")))
	if o.Verdict != nil {
		message += "\n\nStandards-Analysis: " + o.Verdict.Root.ID
	}
	return gitext.CommitText(l.Tree, []string{l.Base, l.Head}, author, committer, message), nil
}

// carryOut lands a plan and says so in the outcome.
func (s *session) carryOut(o *judge.Outcome, plan landing.Plan) error {
	log, err := landing.Open(s.ctx, s.Repo)
	if err != nil {
		return err
	}
	defer log.Close()
	settled, err := log.Settle(s.ctx, landing.NoWord) // of those that began meanwhile
	s.saySettled(settled)
	if err != nil {
		return err
	}
	if err := log.Publish(s.ctx, plan); err != nil {
		return err
	}
	records, _, err := publish.Read([]byte(plan.Note))
	if err != nil || len(records) != 1 {
		return fmt.Errorf("internal error: the note of %s holds %d records: %v", plan.Commit, len(records), err)
	}
	var root *authority.Node
	if o.Verdict != nil {
		root = &o.Verdict.Root
	}
	node, err := records[0].Node(root)
	if err != nil {
		return err
	}
	if err := s.Record(s.ctx, func(repository authority.Repository) error { return repository.Put(s.ctx, node) }); err != nil {
		s.warnNotRecorded(err)
	}
	where := "is recorded"
	if plan.Branch != "" {
		where = fmt.Sprintf("is on %s, which stood at %s, and recorded", strings.TrimPrefix(plan.Branch, "refs/heads/"), plan.Base)
	}
	s.addNotice(o, wire.Notice{
		Code: "PUBLICATION.RECORDED", Target: &plan.Publication, Message: fmt.Sprintf("commit %s %s in %s", plan.Commit, where, landing.NotesRef),
		Next: wire.Optional("git standards publish --verify " + short(plan.Commit)),
	})
	return nil
}

// settle ends what was interrupted, and says what became of it.
func (s *session) settle(word landing.Word) (int, error) {
	log, err := landing.Open(s.ctx, s.Repo)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	settled, err := log.Settle(s.ctx, word)
	s.saySettled(settled)
	return len(settled), err
}

func (s *session) saySettled(settled []landing.Settled) {
	for _, one := range settled {
		s.warn("%s", clean(one.String()))
	}
}

// settleRecords brings the records up to date and publishes nothing.
func (s *session) settleRecords(word landing.Word) error {
	n, err := s.settle(word)
	if err != nil {
		return err
	}
	log, err := landing.Open(s.ctx, s.Repo)
	if err != nil {
		return err
	}
	defer log.Close()
	changed, err := log.TakeIn(s.ctx)
	switch {
	case err != nil:
		return err
	case changed:
		s.say("the records that were fetched are in %s", landing.NotesRef)
	case n == 0:
		s.say("the records are up to date")
	}
	return nil
}
