package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

func auditCommand() *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "list what landed unanswered, waived or only asserted",
		ArgsUsage: "[RANGE]",
		Description: "Judges each commit of a branch's own line (its first parents) against the one before it. RANGE is A..B, A.., or one revision,\n" +
			"which means its whole line; without one it is the line of the base branch. What is open there is what met no hook and no gate.\n" +
			"Exit codes: 0 nothing landed unanswered, 1 something did, 2 invalid request, 3 unavailable (such as history too shallow).",
		Flags:  []cli.Flag{formatFlag, storeFlag},
		Action: onRepository((*session).audit),
	}
}

func (s *session) audit(cc *cli.Context) error {
	if cc.NArg() > 1 {
		return usage("audit takes one range; %q is one too many", cc.Args().Get(1))
	}
	result := &wire.Audit{SchemaVersion: wire.SchemaVersion, Result: "audit", Commits: []wire.AuditCommit{}}
	from, name, err := s.auditRange(cc.Args().First(), result)
	if err != nil {
		return err
	}
	line, err := s.Repo.FirstParents(s.ctx, from, result.To)
	if err != nil {
		return err
	}
	if err := s.auditLine(line, result); err != nil {
		return err
	}
	if s.json {
		if err := s.printJSON(*result); err != nil {
			return err
		}
	} else {
		s.printAudit(result, name)
	}
	if result.Unanswered > 0 {
		s.warn("%s unanswered", count(result.Unanswered, "commit landed", "commits landed"))
		return exit(exitOpen)
	}
	return nil
}

// auditRange resolves what was typed, and names it for people.
func (s *session) auditRange(typed string, result *wire.Audit) (from, name string, err error) {
	if strings.Contains(typed, "...") {
		return "", "", usage("%s names no line of commits; a range of landed commits has two dots: A..B", shown(typed))
	}
	first, last, isRange := strings.Cut(typed, "..")
	if !isRange {
		first, last = "", typed
	}
	if name = typed; typed == "" {
		if last, err = s.baseBranch(); err != nil {
			return "", "", err
		}
		name = branchName(last)
	}
	resolve := func(rev string) (string, error) {
		if rev == "" {
			rev = "HEAD"
		}
		commit, err := s.Repo.Commit(s.ctx, rev)
		return commit.ID, err
	}
	if result.To, err = resolve(last); err != nil || !isRange {
		return "", name, err
	}
	if from, err = resolve(first); err == nil {
		result.From = &from
	}
	return from, name, err
}

// baseBranch is the ref on which work lands (RULES B3), else HEAD.
func (s *session) baseBranch() (string, error) {
	fork, err := s.ForkPoint(s.ctx)
	if err != nil {
		return "", err
	}
	if fork.Base.Branch == nil {
		return "HEAD", nil
	}
	return *fork.Base.Branch, nil
}

// auditLine judges each commit against its first parent. Of thousands that touch no standard none is compiled.
func (s *session) auditLine(line []gitext.Landed, result *wire.Audit) error {
	progress := s.progress("commits judged")
	defer progress.done()
	for i, c := range line {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		progress.show(i, len(line))
		parent := ""
		if len(c.Parents) > 0 {
			parent = c.Parents[0]
		}
		accepted, err := s.Commit(s.ctx, parent)
		if err != nil {
			return err
		}
		proposed, err := s.Commit(s.ctx, c.ID)
		if err != nil {
			return err
		}
		result.Judged++
		told, err := s.engine.Audit(s.ctx, s, accepted, proposed, func(outcome *judge.Outcome) error { return s.checkIndependence(outcome, parent, c.ID) })
		if err != nil {
			return err
		}
		if told == nil {
			continue
		}
		told.Commit, told.Title = c.ID, c.Title
		if parent != "" {
			next := fmt.Sprintf("git standards prepare --accepted %s --proposed %s", short(parent), short(c.ID))
			told.Parent, told.Next = &parent, &next
		}
		if told.Verdict == "pending" || told.Verdict == "rejected" {
			result.Unanswered++
		}
		result.Waived += len(told.Waived)
		result.Asserted += len(told.Asserted)
		result.Commits = append(result.Commits, *told)
	}
	return nil
}

// printAudit lists what there is to tell by commit, and what it comes to at the end, where a person looks first.
func (s *session) printAudit(a *wire.Audit, name string) {
	for i, c := range a.Commits {
		if i > 0 {
			s.say("")
		}
		s.say("%s  %s", s.bold(short(c.Commit)), clean(c.Title))
		s.printAudited(&c)
	}
	if len(a.Commits) > 0 {
		s.say("")
	}
	where := count(a.Judged, "commit", "commits") + " of " + shown(name)
	switch {
	case a.Judged == 0:
		s.say("%s holds no commit: nothing was judged", shown(name))
	case a.Unanswered > 0:
		s.say("%s of %s landed unanswered; %d waived, %d only asserted", s.red(fmt.Sprint(a.Unanswered)), where, a.Waived, a.Asserted)
	default:
		s.say("%s landed unanswered in %s; %d waived, %d only asserted", s.green("nothing"), where, a.Waived, a.Asserted)
	}
}

func (s *session) printAudited(c *wire.AuditCommit) {
	switch c.Verdict {
	case "adoption":
		s.say("  adoption: nobody was asked about %s", count(*c.Units, "unit", "units"))
		return
	case "rejected":
		target := ""
		if c.Rejection.Target != nil {
			target = named(*c.Rejection.Target) + ": "
		}
		s.say("  %s: %s%s (%s)", s.red("cannot be judged"), target, clean(c.Rejection.Message), c.Rejection.Code)
	case "pending":
		s.say("  %s", s.red(landedOpen(c)))
		for i, q := range c.Questions {
			if i == maxAnswers {
				s.say("    … and %d more", len(c.Questions)-i)
				break
			}
			s.say("    %s  %s  %s", s.bold(q.Abbrev), subjectOf(q.About, q.Reason), s.faint(q.Reason+", "+q.State))
		}
		s.printNotices(s.out, slices.DeleteFunc(slices.Clone(c.Notices), func(n wire.Notice) bool {
			return n.Code != "EDGE.CARRIED" && n.Code != analysis.NotIndependentCode
		}))
	}
	for i, w := range c.Waived {
		if i == maxAnswers {
			s.say("    … and %d more", len(c.Waived)-i)
			break
		}
		s.say("  waived    %s  by %s, %s: %s", subjectOf(w.About, w.Kind), clean(w.Principal), w.Trust, cut(w.Rationale))
	}
	by := map[string]int{}
	for _, answer := range c.Asserted {
		by[fmt.Sprintf("%s by %s", answer.Result, clean(answer.Principal))]++
	}
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		s.say("  asserted  %d × %s, not signed", by[kind], kind)
	}
	if c.Next != nil && (c.Verdict == "pending" || c.Verdict == "rejected" || len(c.Waived) > 0) {
		s.say("  %s %s", s.faint("look:"), *c.Next)
	}
}

// landedOpen says why a commit should not have landed.
func landedOpen(c *wire.AuditCommit) string {
	switch isAttestedByAuthors := slices.ContainsFunc(c.Notices, func(n wire.Notice) bool { return n.Code == analysis.NotIndependentCode }); {
	case len(c.Questions) > 0:
		return "landed with " + count(len(c.Questions), "open question", "open questions")
	case isAttestedByAuthors:
		return "landed with coverage that only those attested who wrote the change"
	}
	return "landed with rows that name places from which files had moved"
}

// subjectOf names what a question is about, from its public shape.
func subjectOf(about wire.About, kind string) string {
	owner := wire.Text(about.Unit)
	if owner == "" {
		owner = wire.Text(about.Module)
	}
	switch consumer, declaration := wire.Text(about.Consumer), wire.Text(about.Declaration); {
	case declaration != "":
		return shown(declaration)
	case consumer != "":
		return shown(owner + " > " + consumer)
	case owner != "":
		return shown(owner)
	}
	return kind
}

// progress is a line on a terminal that says how far a long work is; elsewhere nothing is printed.
type progress struct {
	console *console
	what    string
	shown   bool
	last    time.Time
}

// progressEvery is how often the line changes: a work that is done by then shows none.
const progressEvery = 300 * time.Millisecond

func (c *console) progress(what string) *progress {
	return &progress{console: c, what: what, last: time.Now()}
}

func (p *progress) show(done, of int) {
	if now := time.Now(); now.Sub(p.last) > progressEvery && areTerminals([]*os.File{os.Stderr}) {
		fmt.Fprintf(p.console.err, "\r%d of %d %s", done, of, p.what)
		p.shown, p.last = true, now
	}
}

// done clears the line.
func (p *progress) done() {
	if p.shown {
		fmt.Fprintf(p.console.err, "\r%s\r", strings.Repeat(" ", 60))
	}
}
