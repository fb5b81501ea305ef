package main

import (
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/observe"
	"github.com/git-standards/git-standards/engine/resolve"
	"github.com/git-standards/git-standards/engine/wire"
)

func observeCommand() *cli.Command {
	return &cli.Command{
		Name:      "observe",
		Usage:     "have providers answer questions of fact: run their commands, write and stage what they say",
		ArgsUsage: "[FACT…]",
		Description: "Runs, for every open question of fact or for each FACT, the provider that the accepted side names for it, over exactly the files\n" +
			"that the fact declares. A command runs only after you agreed to it, once in each repository. The page is doc/providers.md.\n" +
			"Exit codes: 0 nothing is open any more, 1 questions are, 2 refused or not agreed to, 3 a provider failed.",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "consent", KeepSpace: true, Usage: "agree to the command of this `DIGEST`, in this repository, from now on"},
			&cli.StringFlag{Name: "as", Usage: "answer as `PRINCIPAL` instead of the author's mail address"},
			&cli.BoolFlag{Name: "no-stage", DisableDefaultText: true, Usage: "leave the index alone"},
		}, sideFlags()...),
		Action: onRepository((*session).observe),
	}
}

// observed is what one command has done so far.
type observed struct {
	tried   map[string]bool // by question
	written map[string]bool
	notices []wire.Notice
}

func (s *session) observe(cc *cli.Context) error {
	which, err := proposedBy(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	s.sides = sidesOf(cc)
	done := observed{tried: map[string]bool{}, written: map[string]bool{}}
	for agreed := cc.StringSlice("consent"); ; agreed = nil {
		finder := resolve.New(s, s.engine, cc.String("accepted"), which)
		outcome, err := finder.First(s.ctx)
		if err != nil {
			return err
		}
		if outcome.Verdict == nil {
			return s.finish(outcome)
		}
		if err := s.consentTo(outcome.Verdict.Accepted, agreed); err != nil {
			return err
		}
		tasks, err := s.openTasks(outcome.Verdict, cc.Args().Slice(), done.tried)
		if err != nil {
			return err
		}
		again := "git standards observe" + s.sides
		for _, word := range cc.Args().Slice() {
			again += " " + fault.ShellWord(word)
		}
		if err := s.askConsent(tasks, again+" --consent "); err != nil {
			return err
		}
		planned, err := s.observeAll(finder, outcome.Verdict, tasks, &done, cc.Bool("no-stage"))
		if err != nil {
			return err
		}
		if planned != nil {
			outcome = planned.Outcome
		}
		// An answer may raise another question. It is looked for where the answers stand now.
		if planned == nil || cc.Args().Present() || which != nil {
			outcome.Analysis.Notices = append(outcome.Analysis.Notices, done.notices...)
			return s.finishAnswers(outcome, slices.SortedFunc(maps.Keys(done.written), content.ComparePaths), which == nil)
		}
	}
}

// openTasks is what the providers of the accepted side can be asked now: about the facts that are named, else about all that are open.
// A fact that is named and that no provider can answer is refused.
func (s *session) openTasks(v *analysis.Verdict, words []string, tried map[string]bool) ([]*observe.Task, error) {
	var named []authored.Fact
	for _, word := range words {
		fact, err := observe.Find(v.Accepted, word)
		if err != nil {
			return nil, err
		}
		if _, ok := observe.ProviderOf(v.Accepted, fact); !ok {
			return nil, noProvider(fact.ID)
		}
		named = append(named, fact)
	}
	asked, open := map[string]*question.Question{}, map[string]bool{}
	for _, q := range v.Asked {
		if id, ok := q.Record["fact"].(string); ok {
			asked[id] = q
		}
	}
	for _, o := range v.Open {
		open[o.ID] = true
	}
	if len(words) == 0 {
		for _, id := range slices.Sorted(maps.Keys(asked)) {
			if fact, err := observe.Find(v.Accepted, id); err == nil && open[asked[id].ID] {
				named = append(named, fact)
			}
		}
	}
	var tasks []*observe.Task
	for _, fact := range named {
		provider, ok := observe.ProviderOf(v.Accepted, fact)
		q := asked[fact.ID]
		if q == nil {
			return nil, fault.New(fault.Invalid, "QUESTION.NOT_ASKED", fact.ID, "nothing here asks about this fact").Hint("git standards status")
		}
		if !ok || tried[q.ID] {
			continue
		}
		tried[q.ID] = true
		task, err := observe.Prepare(s.ctx, q, fact, provider, v.ProposedSource, s.isInside)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

func noProvider(fact string) error {
	return fault.New(fault.Invalid, "PROVIDER.NONE", fact, "the accepted side names no provider for this fact: people answer it").Hint("git standards status")
}

// observeAll runs tasks and writes what they say, all or nothing. What is planned is nil where there is nothing to write.
func (s *session) observeAll(
	finder *resolve.Finder, v *analysis.Verdict, tasks []*observe.Task, done *observed, noStage bool,
) (*resolve.Planned, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	principal, err := finder.Principal(s.ctx)
	if err != nil {
		return nil, err
	}
	var submitted []decision.Submitted
	var evidence []authority.Node
	for _, task := range tasks {
		claim, err := s.run(task)
		if err != nil {
			return nil, err
		}
		if !claim.Observed {
			done.notices = append(done.notices, observedNothing(task, claim))
			continue
		}
		answered, err := agreesWith(v, task, claim)
		if err != nil {
			return nil, err
		}
		if !s.json {
			s.say("%s: %s, by %s", task.Fact.ID, clean(task.Shown(claim)), task.Provider.ID)
		}
		if answered {
			continue
		}
		printed, err := content.FileNode(task.Fact.ID, claim.Printed)
		if err != nil {
			return nil, err
		}
		if evidence = append(evidence, printed); task.Snapshot != nil {
			evidence = append(evidence, *task.Snapshot)
		}
		submitted = append(submitted, task.Submitted(claim))
	}
	if len(submitted) == 0 {
		return nil, nil
	}
	planned, err := finder.Plan(s.ctx, submitted, principal)
	if err != nil {
		return nil, err
	}
	if err := s.write(planned, noStage); err != nil {
		return nil, err
	}
	for _, name := range planned.Written() {
		done.written[name] = true
	}
	// What was printed and read stands in no tree: the store is the only place that can keep it.
	if err := s.Record(s.ctx, func(repository authority.Repository) error { return repository.Put(s.ctx, evidence...) }); err != nil {
		s.warn("not recorded: %s", clean(err.Error()))
	}
	return planned, nil
}

func observedNothing(task *observe.Task, claim *observe.Claim) wire.Notice {
	message := "provider " + task.Provider.ID + " observed nothing"
	if claim.Reason != "" {
		message += ": " + claim.Reason
	}
	return wire.Notice{Code: "PROVIDER.NO_OBSERVATION", Target: &task.Fact.ID, Message: message}
}

// agreesWith reports a question that is answered as the claim says. Two different answers to one question are a contradiction, whoever
// gave the other and however: nothing is written then.
func agreesWith(v *analysis.Verdict, task *observe.Task, claim *observe.Claim) (answered bool, err error) {
	for _, answer := range v.Counted {
		if answer.Question != task.Question.ID {
			continue
		}
		if !claim.Agrees(answer.Decision) {
			return false, fault.New(fault.Invalid, "PROVIDER.CONTRADICTION", task.Fact.ID, "provider %s claims %s, and %s answers %q; nothing is written",
				task.Provider.ID, task.Shown(claim), answer.File, said(task, answer)).Hint("git rm " + fault.ShellWord(answer.File) + " && git standards observe " + fault.ShellWord(task.Fact.ID))
		}
		answered = true
	}
	return answered, nil
}
