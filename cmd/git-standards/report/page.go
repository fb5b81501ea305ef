package report

import (
	"fmt"
	"strings"
)

// Page is a report in Markdown for whoever has to know what a change means for the standards, however long it gets: what was compared, the
// waivers and notices, then for each unit what changed in its text, who is asked, who answered what, and why. Open questions come first.
func Page(r *Report) []byte {
	var b strings.Builder
	open := len(r.open())
	switch {
	case r.Verdict == "adoption":
		b.WriteString("# Standards: adoption\n\nNobody was asked; the standards bind from the commit that lands them.\n\n")
	case open > 0:
		b.WriteString("# Standards: pending\n\n" + r.asked(open))
	case len(r.Asked) == 0:
		fmt.Fprintf(&b, "# Standards: %s\n\nNothing is asked.\n\n", r.Verdict)
	default:
		fmt.Fprintf(&b, "# Standards: %s\n\n%s", r.Verdict, r.asked(open))
	}
	for _, side := range r.Sides {
		fmt.Fprintf(&b, "- %s\n", span(side))
	}
	if r.Handle != "" {
		fmt.Fprintf(&b, "- %s\n", span(r.Handle))
	}
	b.WriteString(listed("Waived", r.waivers()))
	b.WriteString(listed("Notices", r.notices()))
	for _, g := range r.groups() {
		b.WriteString(g.markdown(why))
	}
	return []byte(b.String())
}
