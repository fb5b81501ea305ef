package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/authored/fixturefile"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/fixture"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

func testCommand() *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "run the tests of the standards: given a tree and a change, these questions are asked",
		ArgsUsage: "[PATH…]",
		Description: "Runs the cases of the fixtures at some paths, without one those below " + fixturefile.Folder + " (doc/testing.md).\n" +
			"Everything is judged in memory, as prepare judges it: nothing is written or recorded, and no hook and no provider runs.\n" +
			"A fixture, such as " + fixturefile.Folder + "/errors.yaml:\n\n" +
			"    cases:\n      - name: raising a rule asks its documents\n        change: {raise: UNIT}\n        asks: [PATH]\n\n" +
			"Exit codes: 0 all cases passed, 1 some failed, 2 invalid fixtures, standards or request, 3 unavailable.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "run", Usage: "run the cases with `NAME` in their names"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, DisableDefaultText: true, Usage: "name the cases that passed as well"},
			&cli.BoolFlag{Name: "staged", DisableDefaultText: true, Usage: "test the index: fixtures and standards as a commit would record them"},
			&cli.StringFlag{Name: "proposed", Usage: "test the fixtures and standards of the commit `REV`"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print the result as `text|json|junit`"},
		},
		Action: onRepository((*session).test),
	}
}

// tested is the side whose fixtures run, and what was asked for of it.
type tested struct {
	side  judge.Side
	next  string // begins the command that shows what there is
	named []string
	run   string
}

func (s *session) test(cc *cli.Context) error {
	side, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if fault.Is(err, "WORKTREE.NONE") && s.Repo.Bare {
		fault.As(err).Next = []string{"git standards test --proposed HEAD"}
	}
	if err != nil {
		return err
	}
	t := &tested{side: side, next: "git standards test" + sidesOf(cc), run: cc.String("run")}
	for _, typed := range cc.Args().Slice() {
		name := strings.TrimSuffix(typed, "/")
		if !s.Repo.Bare {
			if name, err = s.Repo.Relative(typed); err != nil {
				return err
			}
		}
		t.named = append(t.named, name)
	}
	cases, err := s.cases(t)
	if err != nil {
		return err
	}
	results, err := s.runCases(t, cases)
	if err != nil {
		return err
	}
	return s.finishTest(results, cc.Bool("verbose"))
}

// cases reads the fixtures and chooses among their cases. All that is wrong with any of them is said at once.
func (s *session) cases(t *tested) ([]*fixturefile.Case, error) {
	under := t.named
	if len(under) == 0 {
		under = []string{fixturefile.Folder}
	}
	entries, err := t.side.Source.List(s.ctx, under...)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(e content.Entry) bool {
		return e.Kind != content.Regular || !fixturefile.HasEnding(e.Name) || !slices.Contains(t.named, e.Name) && !fixturefile.IsFile(e.Name)
	})
	for _, name := range t.named {
		if !slices.ContainsFunc(entries, func(e content.Entry) bool { return content.Under(e.Name, []string{name}) }) {
			return nil, s.noFixture(t, name)
		}
	}
	if len(entries) == 0 {
		f := fault.New(fault.Invalid, "TEST.NONE", fixturefile.Folder,
			"no fixture stands there in what is tested: files of cases, such as %s/errors.yaml", fixturefile.Folder)
		if s.headHolds(t) {
			return nil, f.Hint("git standards test --proposed HEAD")
		}
		return nil, f.Hint("git standards test -h")
	}
	data, err := t.side.Source.Read(s.ctx, entries...)
	if err != nil {
		return nil, err
	}
	var cases []*fixturefile.Case
	var names []string
	var findings []reading.Finding
	for i, entry := range entries {
		file, found := fixturefile.Parse(entry.Name, data[i])
		findings = append(findings, found...)
		for _, c := range file.Cases {
			names = append(names, c.Name)
			if strings.Contains(c.Name, t.run) {
				cases = append(cases, c)
			}
		}
	}
	if len(findings) > 0 {
		return nil, &corpus.FindingsError{Findings: findings}
	}
	if len(cases) == 0 {
		meant := yamltext.DidYouMean(t.run, names)
		return nil, fault.New(fault.Invalid, "TEST.NONE", "", "no case has %q in its name%s", t.run, meant).Hint(t.next + " --verbose")
	}
	return cases, nil
}

// headHolds reports that a worktree without fixtures is one of a commit that has some: nothing is checked out, or not these.
func (s *session) headHolds(t *tested) bool {
	if t.side.Info.Source != "worktree" {
		return false
	}
	head, err := s.Proposed(s.ctx, wire.CommitSource{Source: "commit", Revision: "HEAD"})
	if err != nil {
		return false
	}
	entries, err := head.Source.List(s.ctx, fixturefile.Folder)
	return err == nil && len(entries) > 0
}

// noFixture refuses a path at which no fixture stands.
func (s *session) noFixture(t *tested, name string) error {
	entries, err := t.side.Source.List(s.ctx, fixturefile.Folder)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	here, err := t.side.Source.List(s.ctx, name)
	if err != nil {
		return err
	}
	message := "no file stands there in what is tested"
	if len(here) > 0 {
		message = "that is no fixture, which is a .yaml file, and of a folder one below " + fixturefile.Folder
	}
	return fault.New(fault.Invalid, "TEST.NONE", s.Typed(name), "%s%s", message, yamltext.DidYouMean(name, names)).Hint(t.next)
}

// runCases runs all cases, or none: what is wrong with a fixture is no failure of the standards.
func (s *session) runCases(t *tested, cases []*fixturefile.Case) ([]*fixture.Result, error) {
	runner := &fixture.Runner{Judge: s.engine, Here: t.side.Source, Open: func(ctx context.Context, revision string) (content.Source, error) {
		commit, err := s.Repo.Commit(ctx, revision)
		if err != nil {
			return nil, err
		}
		side, err := s.Commit(ctx, commit.ID)
		return side.Source, err
	}}
	begins := func(c *fixturefile.Case) bool {
		return !slices.ContainsFunc(c.Givens, func(g *fixturefile.Edits) bool { return g.From != nil })
	}
	if slices.ContainsFunc(cases, begins) {
		if _, err := s.engine.Compile(s.ctx, t.side.Source); err != nil {
			return nil, err
		}
	}
	var results []*fixture.Result
	var findings []reading.Finding
	for _, c := range cases {
		one, found, err := runner.Prepare(s.ctx, c)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !slices.Contains(findings, f) { // cases share what the file gives
				findings = append(findings, f)
			}
		}
		if len(findings) > 0 {
			continue // the rest is looked at for what is wrong with it
		}
		result, err := runner.Run(s.ctx, one)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	if len(findings) > 0 {
		return nil, &corpus.FindingsError{Findings: findings}
	}
	return results, nil
}

func (s *session) finishTest(results []*fixture.Result, verbose bool) error {
	failed := 0
	for _, r := range results {
		if !r.Passed() {
			failed++
		}
	}
	switch {
	case s.form != "":
		if _, err := s.out.Write(report.Tests(s.reports, testSuites(results))); err != nil {
			return err
		}
	case s.json:
		if err := s.printJSON(testsOf(results, failed)); err != nil {
			return err
		}
	default:
		s.printTests(results, failed, verbose)
	}
	if failed > 0 {
		s.warn("%d of %s failed", failed, count(len(results), "case", "cases"))
		return exit(exitOpen)
	}
	return nil
}

// testsOf is the public shape of results.
func testsOf(results []*fixture.Result, failed int) wire.Tests {
	tests := wire.Tests{SchemaVersion: wire.SchemaVersion, Result: "tests", Passed: len(results) - failed, Failed: failed}
	tests.Cases = []wire.TestCase{}
	for _, r := range results {
		one := wire.TestCase{
			File: r.File, Line: r.Line, Name: r.Name, Passed: r.Passed(), Said: full(r.Said), Missing: full(r.Missing),
			Unexpected: full(r.Unexpected), Asked: []wire.TestQuestion{}, Rejected: r.Rejected, Now: r.Paste(),
		}
		for _, a := range r.Asked {
			one.Asked = append(one.Asked, wire.TestQuestion{
				Kind: a.Kind, Reason: a.Reason, About: a.About, Results: a.Results, Capability: a.Capability, State: a.State, Who: a.Who, To: a.To,
			})
		}
		tests.Cases = append(tests.Cases, one)
	}
	return tests
}

func full(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// printTests prints a line for each fixture that passed, or with verbose for each case, and what is wrong with each case that failed.
func (s *session) printTests(results []*fixture.Result, failed int, verbose bool) {
	for from := 0; from < len(results); {
		to := from
		for to < len(results) && results[to].File == results[from].File {
			to++
		}
		s.printFixture(results[from:to], verbose)
		from = to
	}
	told := s.green("0 failed")
	if failed > 0 {
		told = s.red(fmt.Sprintf("%d failed", failed))
	}
	s.say("%s, %s", count(len(results), "case", "cases"), told)
}

func (s *session) printFixture(results []*fixture.Result, verbose bool) {
	passed := 0
	for _, r := range results {
		if r.Passed() {
			passed++
		}
		switch {
		case !r.Passed():
			s.say("%s  %s:%d: %s", s.red("FAIL"), shown(r.File), r.Line, clean(r.Name))
			s.printDifference(r)
		case verbose:
			s.say("%s    %s:%d: %s", s.green("ok"), shown(r.File), r.Line, clean(r.Name))
		}
	}
	if passed == len(results) && !verbose {
		s.say("%s    %s  %s", s.green("ok"), shown(results[0].File), count(passed, "case", "cases"))
	}
}

// printDifference says what a case expects and does not get, in lines that can be pasted into it.
func (s *session) printDifference(r *fixture.Result) {
	for _, said := range r.Said {
		s.say("    %s", clean(said))
	}
	paste := "as it is now, to paste:"
	if len(r.Unexpected) == len(r.Asked) && len(r.Asked) > 0 && len(r.Missing) == 0 { // the two lists are one
		paste = "asked, and not expected; to paste:"
		r.Unexpected = nil
	}
	for _, part := range []struct {
		title string
		list  []string
	}{{"expected, and not asked:", r.Missing}, {"asked, and not expected:", r.Unexpected}} {
		if len(part.list) > 0 {
			s.say("    %s", part.title)
		}
		for _, line := range part.list {
			s.say("      - %s", clean(line))
		}
	}
	s.say("    %s", s.faint(paste))
	for line := range strings.Lines(r.Paste()) {
		s.say("    %s", clean(strings.TrimSuffix(line, "\n")))
	}
}

// testSuites are results as JUnit has them: a suite for each fixture.
func testSuites(results []*fixture.Result) (suites []report.Suite) {
	for _, r := range results {
		if len(suites) == 0 || suites[len(suites)-1].Name != r.File {
			suites = append(suites, report.Suite{Name: r.File})
		}
		last := &suites[len(suites)-1]
		one := report.Case{Name: r.Name, File: r.File, Line: r.Line}
		if !r.Passed() {
			lines := slices.Clone(r.Said)
			for _, text := range r.Missing {
				lines = append(lines, "expected, and not asked: "+text)
			}
			for _, text := range r.Unexpected {
				lines = append(lines, "asked, and not expected: "+text)
			}
			one.Failed = lines
		}
		last.Cases = append(last.Cases, one)
	}
	return suites
}
