package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/cmd/git-standards/landing"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

// read reads both sides, for what is said of them later.
func (e *examination) read() {
	e.judge, e.binds = judge.New(), true
	var accepted content.Source
	fork, err := e.w.ForkPoint(e.ctx)
	if e.forking = err; err == nil {
		e.fork, accepted = &fork, fork.Source
	}
	var proposed content.Source
	if proposed, e.reading = e.proposed(); e.reading == nil {
		e.text, e.reading = e.judge.Lint(e.ctx, proposed, accepted)
	}
	none := fault.Is(e.reading, "MANIFEST.MISSING")
	if accepted == nil {
		e.binds = !none
		return
	}
	if e.accepted, err = e.judge.Compile(e.ctx, accepted); fault.Is(err, "MANIFEST.MISSING") {
		e.accepted, e.binds = nil, !none
	} else if err != nil {
		e.accepted = nil
	}
	e.policy, e.ruling = e.judge.PolicyOf(e.ctx, accepted)
}

// proposed is the work at hand: the worktree, or where there is none the commit of HEAD.
func (e *examination) proposed() (content.Source, error) {
	if !e.w.Repo.Bare {
		side, err := e.w.Worktree()
		return side.Source, err
	}
	head, unborn, err := e.w.Repo.Head(e.ctx)
	if err != nil {
		return nil, err
	}
	if unborn {
		head.ID = ""
	}
	side, err := e.w.Commit(e.ctx, head.ID)
	return side.Source, err
}

// standards looks at the authored text and at what it is compared with.
func (e *examination) standards() {
	errors := 0
	if e.text != nil {
		for _, finding := range e.text.Findings {
			if finding.Severity == "error" {
				errors++
			}
		}
	}
	switch {
	case e.unindexed: // which says what there is in the worktree
	case !e.binds && e.w.Repo.Bare:
		e.say("standards.text", note, "there are no standards here yet")
	case !e.binds:
		e.say("standards.text", note, "there are no standards here yet", "git standards init")
	case e.reading != nil:
		e.fail("standards.text", problem, e.reading)
	case errors > 0:
		e.say("standards.text", problem, counted(errors, "error", "errors")+" in the authored text", "git standards lint")
	case len(e.text.Findings) > 0:
		e.say("standards.text", note, counted(len(e.text.Findings), "warning", "warnings")+" in the authored text", "git standards lint")
	default:
		e.say("standards.text", ok,
			fmt.Sprintf("manifest version 1, %s, %s", counted(e.text.Modules, "module", "modules"), counted(e.text.Units, "unit", "units")))
	}
	switch {
	case e.forking != nil:
		e.fail("standards.base", problem, e.forking)
	case e.fork.Base == nil || e.fork.Base.Branch == nil:
		e.noBase()
	default:
		e.say("standards.base", ok, fmt.Sprintf("work is compared with %s, by %s", short(*e.fork.Base.Branch), e.fork.Base.Why))
	}
}

func short(ref string) string {
	if name, isRemote := strings.CutPrefix(ref, "refs/remotes/"); isRemote {
		return name
	}
	return strings.TrimPrefix(ref, "refs/heads/")
}

// noBase says that nothing names what work is compared with, or that it is not here.
func (e *examination) noBase() {
	why := "nothing"
	if e.fork.Base != nil {
		why = e.fork.Base.Why
	}
	if why == "no commit yet" {
		e.say("standards.base", ok, "there is no commit yet")
		return
	}
	level := warning
	if !e.binds {
		level = note
	}
	next := "${EDITOR:-vi} " + fault.ShellWord(e.w.Typed(corpus.ManifestPath)) // which may name one as gate.base
	remotes, err := e.w.Repo.Remotes(e.ctx)
	if err == nil && len(remotes) > 0 {
		remote := remotes[0]
		if slices.Contains(remotes, "origin") {
			remote = "origin"
		}
		next = "git remote set-head " + fault.ShellWord(remote) + " --auto"
		if e.fork.Wanted != "" {
			refs := "+refs/heads/" + e.fork.Wanted + ":refs/remotes/" + remote + "/" + e.fork.Wanted
			next = "git fetch " + fault.ShellWord(remote) + " " + fault.ShellWord(refs)
		}
	}
	e.say("standards.base", level, why+": work is compared with the last commit, and not with where it left a branch", next)
}

// records looks at the records of what landed.
func (e *examination) records() {
	remotes, err := e.w.Repo.Remotes(e.ctx)
	var shared []string
	if err == nil {
		shared, err = landing.Shared(e.ctx, e.w.Repo)
	}
	switch {
	case err != nil:
		e.fail("records.shared", problem, err)
	case len(shared) > 0:
		e.say("records.shared", ok, "records of what landed are shared with "+strings.Join(shared, ", "))
	case len(remotes) == 0:
		e.say("records.shared", ok, "there is no remote to share records with")
	default:
		e.say("records.shared", note, "records of what was published are not shared with "+strings.Join(remotes, ", "),
			"git standards hooks install --share")
	}
	open, err := landing.Unsettled(e.ctx, e.w.Repo)
	switch {
	case err != nil:
		e.fail("records.unfinished", problem, err)
	case open > 0:
		e.say("records.unfinished", warning,
			counted(open, "publication has", "publications have")+" no end: one is at work, or was interrupted", "git standards publish --records")
	default:
		e.say("records.unfinished", ok, "every publication came to its end")
	}
}
