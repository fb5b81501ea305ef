package main

import (
	"fmt"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/observe"
	"github.com/git-standards/git-standards/engine/wire"
)

// rerunProviders runs the providers of the observed answers that count once more, over the same inputs on the proposed side, and says
// where one claims something else (RULES F6). Neither the state nor its handle knows of it. It gives the number of differences.
func (s *session) rerunProviders(outcome *judge.Outcome) (differences int, err error) {
	if outcome.Verdict == nil {
		return 0, nil
	}
	notice := func(code string, answer *decision.Answer, format string, args ...any) {
		outcome.Analysis.Notices = append(outcome.Analysis.Notices, wire.Notice{Code: code, Target: &answer.File, Message: fmt.Sprintf(format, args...)})
	}
	tasks, answers, err := s.tasksAgain(outcome.Verdict, notice)
	if err != nil {
		return 0, err
	}
	if err := s.askConsent(tasks, "git config --local --add "+capture.Consent+" "); err != nil {
		return 0, err
	}
	for _, task := range tasks {
		claim, err := s.run(task)
		if err != nil {
			return 0, err
		}
		for _, answer := range answers[task.Question.ID] {
			if !claim.Agrees(answer.Decision) {
				differences++
				notice("PROVIDER.DIFFERS", answer, "answers %q about %s, and provider %s claims %s now", said(task, answer), task.Fact.ID, task.Provider.ID, task.Shown(claim))
			}
		}
	}
	return differences, nil
}

// tasksAgain is one task for each question with an observed answer that counts, and these answers by question. Providers come from the
// accepted side, also where the answer says another definition: a provider that is gone there is said and not run.
func (s *session) tasksAgain(v *analysis.Verdict, notice func(string, *decision.Answer, string, ...any)) ([]*observe.Task, map[string][]*decision.Answer, error) {
	asked, answers := map[string]*question.Question{}, map[string][]*decision.Answer{}
	for _, q := range v.Asked {
		asked[q.ID] = q
	}
	var tasks []*observe.Task
	for _, answer := range v.Counted {
		q := asked[answer.Question]
		if answer.Provider == nil || q == nil {
			continue
		}
		answers[q.ID] = append(answers[q.ID], answer)
		if len(answers[q.ID]) > 1 {
			continue
		}
		name, _ := q.Record["fact"].(string)
		fact, err := observe.Find(v.Accepted, name)
		if err != nil {
			notice("PROVIDER.NONE", answer, "the base declares no fact %s, so that no provider can be run again", name)
			continue
		}
		provider, ok := observe.ProviderOf(v.Accepted, fact)
		if !ok {
			notice("PROVIDER.NONE", answer, "the base names no provider for %s, so that none can be run again", name)
			continue
		}
		task, err := observe.Prepare(s.ctx, q, fact, provider, v.ProposedSource, s.isInside)
		if err != nil {
			return nil, nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, answers, nil
}

// said is what a decision answers, for people.
func said(task *observe.Task, answer *decision.Answer) string {
	if answer.Result != "" {
		return answer.Result
	}
	return task.Question.Contract.Show(answer.Value)
}
