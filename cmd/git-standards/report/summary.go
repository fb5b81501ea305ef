package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/wire"
)

// The bounds of a summary, in bytes but for rows: GitHub shows none of a step that has more than 1 MiB. Each part is bounded as well, so that
// one long unit does not take the place of all others.
const (
	MaxSummary    = 1 << 20
	maxUnitDiff   = 24 << 10
	maxUnitRows   = 400
	maxSaid       = 200 // waivers, findings and notices, each
	roomForTheCut = 400
)

// Summary is a report in Markdown, of at most room bytes: what closes the gate, the waivers, then for each unit what changed in its text and
// who answered what about whom; those with open questions first. What is left out for want of room, a sentence counts. Text from
// outside stands in code spans and fences that nothing in it closes.
func Summary(r *Report, room int) []byte {
	b := &bounded{room: room - roomForTheCut}
	if r.Rejected != nil {
		b.rejected(r.Rejected)
		return b.end()
	}
	b.add(headline(r))
	b.add(listed("Waived", r.waivers()))
	b.add(listed("Notices", r.notices()))
	groups := r.groups()
	for i, g := range groups {
		if !b.add(g.markdown(carried)) {
			b.left, b.of = len(groups)-i, "unit or declaration"
			break
		}
	}
	return b.end()
}

// bounded takes whole blocks as long as they fit.
type bounded struct {
	text strings.Builder
	room int
	left int
	of   string
}

func (b *bounded) add(block string) bool {
	if b.text.Len()+len(block) > b.room {
		return false
	}
	b.text.WriteString(block)
	return true
}

func (b *bounded) end() []byte {
	if b.left > 0 {
		fmt.Fprintf(&b.text, "\n**Cut:** %d more of the kind “%s” do not fit here, for GitHub shows at most 1 MiB of a step; `git standards gate` prints them.\n", b.left, b.of)
	}
	return []byte(b.text.String())
}

func headline(r *Report) string {
	var b strings.Builder
	state, open := "may land", len(r.open())
	if open > 0 || slices.ContainsFunc(r.Steps, func(s Step) bool { return s.State == Fails }) {
		state = "the gate is closed"
	}
	fmt.Fprintf(&b, "## Standards: %s\n\n", state)
	switch {
	case r.Verdict == "adoption":
		b.WriteString("Adoption: nobody was asked; the standards bind from the commit that lands them.\n\n")
	case len(r.Asked) == 0:
		b.WriteString("Nothing is asked.\n\n")
	default:
		b.WriteString(r.asked(open))
	}
	for _, s := range r.Steps {
		if s.State != NotNeeded || s.Code == "COVERAGE.NOT_INDEPENDENT" {
			fmt.Fprintf(&b, "- %s: **%s**: %s\n", s.Name, s.State, words(s.Message))
		}
	}
	if l := r.Landed; l != nil {
		fmt.Fprintf(&b, "- base %s, head %s, tree %s\n", span(l.Base), span(l.Head), span(l.Tree))
	}
	if r.Handle != "" {
		fmt.Fprintf(&b, "- %s\n", span(r.Handle))
	}
	return b.String()
}

func (r *Report) asked(open int) string {
	return fmt.Sprintf("%d asked, **%d open**.\n\n", len(r.Asked), open)
}

func (r *Report) waivers() (list []string) {
	for _, n := range r.Notices {
		if n.Code == "DECISION.WAIVED" {
			list = append(list, span(n.Message))
		}
	}
	return list
}

// notices are the rest of what is told; of a warning about each of a thousand rows the first are enough.
func (r *Report) notices() (list []string) {
	for _, n := range r.Notices {
		if n.Code == "DECISION.WAIVED" {
			continue
		}
		line := span(n.Message) + " " + span(n.Code)
		if n.Target != nil {
			line = span(*n.Target) + ": " + line
		}
		if n.Next != nil {
			line += ", next: " + span(*n.Next)
		}
		list = append(list, line)
	}
	return list
}

func listed(title string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n", title)
	for i, line := range list {
		if i == maxSaid {
			fmt.Fprintf(&b, "- … and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.String()
}

// group is what is asked about one unit, module or file, and the unit's text.
type group struct {
	title, place, diff string
	asked              []Asked
	open               int
}

// groups are those with open questions first, then in the order of the questions.
func (r *Report) groups() []*group {
	var list []*group
	byTitle := map[string]*group{}
	get := func(title, place string) *group {
		g := byTitle[title+"\x00"+place]
		if g == nil {
			g = &group{title: title, place: place}
			byTitle[title+"\x00"+place], list = g, append(list, g)
		}
		return g
	}
	units := map[string]Unit{}
	for _, u := range r.Units {
		units[u.ID] = u
	}
	for _, a := range r.Asked {
		title, place := a.Title, fmt.Sprintf("%s:%d", a.File, a.Line)
		u, isUnit := units[a.Unit]
		if isUnit && a.Unit != "" {
			title, place = u.Title, u.Place
		}
		g := get(title, place)
		g.diff = u.Diff
		if g.asked = append(g.asked, a); a.Open() {
			g.open++
		}
	}
	for _, u := range r.Units { // changed, and nobody is asked about it
		if g := get(u.Title, u.Place); g.diff == "" {
			g.diff = u.Diff
		}
	}
	slices.SortStableFunc(list, func(a, b *group) int { return min(b.open, 1) - min(a.open, 1) })
	return list
}

// column is what a table tells last of each answer.
type column struct {
	title string
	cell  func(Answer) string
}

var (
	carried = column{"carried or new", func(a Answer) string { return a.Age }}
	why     = column{"why", func(a Answer) string { return cell(clipped(a.Rationale)) }}
)

// maxWhy is how much of a reason a table shows, in runes; the file of the answer has the rest.
const maxWhy = 200

func clipped(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxWhy {
		return string(runes[:maxWhy]) + "…"
	}
	return text
}

func (g *group) markdown(last column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", span(g.title), span(g.place))
	if g.diff != "" {
		b.WriteString(fenced(g.diff))
	}
	if len(g.asked) == 0 {
		b.WriteString("Nobody is asked about it.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "| consumer or question | answer | who | signed or asserted | %s |\n| --- | --- | --- | --- | --- |\n", last.title)
	next := ""
	for i, a := range g.asked {
		if i == maxUnitRows {
			fmt.Fprintf(&b, "\n… and %d more questions about it.\n", len(g.asked)-i)
			break
		}
		what := a.Consumer
		if what == "" {
			what = a.Ask
		}
		if a.Open() {
			fmt.Fprintf(&b, "| %s | **%s** %s | awaiting %s | | |\n", cell(what), a.State, cell(a.Abbrev), cell(a.Who))
			next = cmp.Or(next, a.Next)
		}
		for _, answer := range a.Answers {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(what), cell(answer.Result), cell(answer.Principal), answer.Trust, last.cell(answer))
		}
	}
	if next != "" {
		fmt.Fprintf(&b, "\nTo answer, in the branch: %s\n", span(next))
	}
	return b.String()
}

func (b *bounded) rejected(r *wire.Rejected) {
	text := "## Standards: no verdict\n\n"
	if len(r.Findings) == 0 {
		for line := range strings.SplitSeq(rejection(r), "\n") {
			text += span(line) + "\n\n"
		}
		b.add(text + span(r.Code) + "\n")
		return
	}
	b.add(text)
	for i, f := range r.Findings {
		if !b.add(fmt.Sprintf("- %s: %s: %s %s\n", span(fmt.Sprintf("%s:%d", f.File, f.Line)), f.Severity, span(f.Message), span(f.Code))) {
			b.left, b.of = len(r.Findings)-i, "finding"
			return
		}
	}
}

// span is text as a code span that nothing in it closes: the fence is longer than any run of the like in it.
func span(text string) string {
	text = Printable(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text[0] == ' ' && text[len(text)-1] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9 ,'-]+(?:\.[a-z-]+)*[A-Za-z0-9 ,'-]*$`)

// words are a sentence of ours; where something else is in it, a code span.
func words(text string) string {
	if harmless.MatchString(text) && !strings.Contains(text, "www") {
		return text
	}
	return span(text)
}

// cell is code in a table, where a bar ends the cell in a code span as well, and escaping it hangs on the backslashes before it: then every
// sign is a numeric reference, which is text and nothing else.
func cell(text string) string {
	if !strings.Contains(text, "|") {
		return span(text)
	}
	var b strings.Builder
	for _, r := range Printable(text) {
		if r < 0x80 && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ') {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// fenced is a difference between fences that no line of it closes.
func fenced(diff string) string {
	cut := ""
	if len(diff) > maxUnitDiff {
		at := strings.LastIndexByte(diff[:maxUnitDiff], '\n') + 1
		cut, diff = fmt.Sprintf("… and %d more lines.\n\n", strings.Count(diff[at:], "\n")), diff[:at]
	}
	var b strings.Builder
	for line := range strings.Lines(diff) {
		b.WriteString(Printable(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")) + "\n")
	}
	fence := strings.Repeat("`", max(longestRun(diff)+1, 3))
	return fence + "diff\n" + b.String() + fence + "\n\n" + cut
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) (longest int) {
	run := 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
