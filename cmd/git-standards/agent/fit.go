package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/wire"
)

// maxResult is the size of a result in bytes above which its lists are cut: what an agent reads in one piece is limited, and what is
// longer is thrown away by its client, or crowds out the work.
const maxResult = 48 << 10

// cuts are tried one after the other: how many items of a list are shown, and of a list inside of an item.
var cuts = []struct{ outer, inner int }{{1000, 10}, {1000, 3}, {100, 3}, {50, 3}, {20, 3}, {5, 1}}

// fitting is the text of a result, with the ends of its lists cut off where it is too long. A notice says what was cut and how the
// whole is had. Texts and stored objects stay whole: they are exact, or nothing.
func fitting(result any) (json.RawMessage, error) {
	text, err := wire.Compact(result)
	for i := 0; err == nil && len(text) > maxResult && i < len(cuts); i++ {
		c := cutter{outer: cuts[i].outer, inner: cuts[i].inner}
		text, err = wire.Compact(c.result(result))
	}
	return text, err
}

type cutter struct {
	outer, inner int
	said         []string // what was cut, each kind of list once, as "3 of 7 paths"
}

// first is the beginning of a list. The list itself stays as it is.
func first[T any](c *cutter, most int, what string, list []T) []T {
	if len(list) <= most {
		return list
	}
	if !slices.ContainsFunc(c.said, func(s string) bool { return strings.HasSuffix(s, " "+what) }) {
		c.said = append(c.said, fmt.Sprintf("%d of %d %s", most, len(list), what))
	}
	return list[:most]
}

func (c *cutter) result(result any) any {
	switch r := result.(type) {
	case wire.Navigation:
		r.Answer = c.answer(r.Answer)
		r.Notices = c.notices(r.Notices, "ask about less, or: git standards query -h")
		return r
	case wire.Pending:
		r.Questions, r.Decisions = first(c, c.outer, "questions", r.Questions), first(c, c.outer, "decisions", r.Decisions)
		r.Notices = c.notices(r.Notices, "answer these and ask again, or: git standards status --format json")
		return r
	case wire.Complete:
		r.Decisions = first(c, c.outer, "decisions", r.Decisions)
		r.Notices = c.notices(r.Notices, "git standards status --format json")
		return r
	case wire.Rejected:
		if r.Findings = first(c, c.outer, "findings", r.Findings); len(c.said) > 0 {
			r.Next = append(slices.Clone(r.Next), "git standards lint")
		}
		return r
	}
	return result
}

func (c *cutter) answer(answer wire.NavigationAnswer) wire.NavigationAnswer {
	switch a := answer.(type) {
	case wire.RouteAnswer:
		a.Paths = first(c, c.outer/10, "paths", a.Paths)
		a.Entries = slices.Clone(first(c, c.outer, "entries", a.Entries))
		for i := range a.Entries {
			a.Entries[i].Reasons = first(c, c.inner, "reasons for an entry", a.Entries[i].Reasons)
		}
		return a
	case wire.ReadAnswer:
		a.Consumers = c.relationships("consumers", a.Consumers)
		return a
	case wire.RelatedAnswer:
		a.Relationships = c.relationships("relationships", a.Relationships)
		return a
	}
	return answer
}

func (c *cutter) relationships(what string, list []wire.Relationship) []wire.Relationship {
	list = slices.Clone(first(c, c.outer, what, list))
	for i := range list {
		if glob, ok := list[i].Target.(wire.GlobTarget); ok {
			glob.Paths = first(c, c.inner, "paths of a glob", glob.Paths)
			list[i].Target = glob
		}
	}
	return list
}

// notices are those of the result, and first what was cut.
func (c *cutter) notices(list []wire.Notice, next string) []wire.Notice {
	list = first(c, c.outer, "notices", list)
	if len(c.said) == 0 {
		return list
	}
	message := "the result is too long for an agent to read: of its lists only the beginnings are here, " + strings.Join(c.said, ", ")
	return append([]wire.Notice{{Code: "RESULT.CUT", Message: message, Next: &next}}, list...)
}
