package main

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

func pruneCommand() *cli.Command {
	return &cli.Command{
		Name:  "prune",
		Usage: "remove answers that no question needs any more and that have landed",
		Description: "What is removed stays in Git's history, and in the store. Answers of the work at hand are never removed.\n" +
			"Exit codes: 0 done, 2 invalid text, 3 unavailable.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, DisableDefaultText: true, Usage: "only say what would be removed"},
			&cli.BoolFlag{Name: "no-stage", DisableDefaultText: true, Usage: "do not stage the removal"},
			formatFlag,
		},
		Action: withoutArguments((*session).prune),
	}
}

func (s *session) prune(cc *cli.Context) error {
	accepted, base, err := s.Accepted(s.ctx, "")
	if err != nil {
		return err
	}
	if base != nil && base.Branch == nil {
		// The fork point would be HEAD, and what has not landed anywhere would be taken for landed.
		return fault.New(fault.Unavailable, "PRUNE.NO_BASE", "", "no base branch is here (%s), so nobody can say which answers have landed", base.Why).
			Hint("git fetch --all")
	}
	worktree, err := s.Worktree()
	if err != nil {
		return err
	}
	inState, err := s.needed(accepted, worktree)
	if err != nil {
		return err
	}
	landed, err := s.landedAnswers(accepted, base)
	if err != nil {
		return err
	}
	removed, damaged, err := decision.History(s.ctx, landed.Source, worktree.Source, inState)
	if err != nil {
		return err
	}
	for _, f := range damaged {
		s.warn("%s:%d: kept, for it cannot be read: %s (%s)", shown(f.File), f.Line, clean(f.Message), f.Code)
	}
	dry := cc.Bool("dry-run")
	if !dry {
		if err := s.removeDecisions(removed, cc.Bool("no-stage")); err != nil {
			return err
		}
	}
	if s.json {
		return s.printJSON(wire.Pruned{SchemaVersion: wire.SchemaVersion, Result: "pruned", Removed: append([]string{}, removed...)})
	}
	s.printPruned(removed, dry, cc.Bool("no-stage"))
	return nil
}

// landedAnswers is the side that must hold an answer before it is pruned: the last publication on the base branch, else the fork point (RULES
// E6). What came onto the branch since, nobody has published: gate --since-publication still needs its answers.
func (s *session) landedAnswers(accepted judge.Side, base *wire.Base) (judge.Side, error) {
	if base == nil {
		return accepted, nil
	}
	tip, err := s.Repo.Commit(s.ctx, *base.Branch)
	if err != nil {
		return accepted, err
	}
	commit, _, err := s.lastPublication(tip.ID)
	if err != nil || commit == "" {
		return accepted, err
	}
	return s.Commit(s.ctx, commit)
}

// needed is the questions whose answers the worktree, the index or HEAD needs: a commit may be made of any of them.
func (s *session) needed(accepted, worktree judge.Side) (map[string]bool, error) {
	sides := []judge.Side{worktree, s.Index()}
	head, unborn, err := s.Repo.Head(s.ctx)
	if err == nil && !unborn {
		var side judge.Side
		side, err = s.Commit(s.ctx, head.ID)
		sides = append(sides, side)
	}
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, side := range sides {
		outcome, err := s.judgeOnly(judge.Request{Accepted: accepted, Proposed: side})
		if err != nil {
			return nil, err
		}
		if outcome.Verdict != nil {
			maps.Copy(all, outcome.Verdict.Derivable())
		}
	}
	return all, nil
}

func (s *session) removeDecisions(names []string, noStage bool) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.Save(s.ctx, nil, names, false); err != nil {
		return err
	}
	folders := map[string]bool{}
	for _, name := range names {
		for folder := path.Dir(name); folder != corpus.DecisionsFolder && !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	var empty []string
	for folder := range folders {
		empty = append(empty, folder)
	}
	slices.SortFunc(empty, func(a, b string) int { return content.ComparePaths(b, a) })
	for _, folder := range empty {
		_ = os.Remove(filepath.Join(s.Repo.TopLevel, folder)) // it stays where something else is in it
	}
	if noStage {
		return nil
	}
	if err := s.Repo.Stage(s.ctx, names); err != nil {
		return workspace.NotStaged("the answers are removed, but the index could not be changed", err)
	}
	return nil
}

func (s *session) printPruned(removed []string, dry, noStage bool) {
	how := "removed"
	if dry {
		how = "would remove"
	}
	if len(removed) == 0 {
		s.say("nothing to prune: every answer here is needed, or has not landed yet")
		return
	}
	for i, name := range removed {
		if i == maxWritten {
			s.say("  … and %d more", len(removed)-maxWritten)
			break
		}
		s.say("%s %s", how, shown(name))
	}
	switch {
	case dry:
		s.hint(s.out, "git standards prune")
	case noStage:
		s.hint(s.out, "git add -A :/"+corpus.DecisionsFolder+" && git commit -m \"prune answers\"")
	default:
		s.hint(s.out, "git commit -m \"prune answers\"")
	}
}
