package gitext

import (
	"context"
	"slices"
	"strings"
)

// few is how many tips git is asked about one by one: so few cost less than what asking for all of them needs.
const few = 4

// ExpectTips says which commits fork points will be asked for, so that a push of hundreds of refs costs one git and not
// one a ref. It changes no answer.
func (r *Repo) ExpectTips(ids []string) {
	r.frontierMutex.Lock()
	defer r.frontierMutex.Unlock()
	ids = slices.Clone(ids)
	slices.Sort(ids)
	r.expected, r.frontiers = slices.Compact(ids), map[string]frontier{}
}

// frontier tells, of each commit that some commits do not contain, the one of theirs that its history leads to: "" where it
// leads to none, several where it leads to more than one, which only git can choose among.
type frontier map[string]string

const several = "several"

// expectedBases is mergeBases of one of the expected tips and a hypothetical merge of others; ok is false where it cannot tell.
func (r *Repo) expectedBases(ctx context.Context, tip string, others []string) (merges []string, ok bool, err error) {
	r.frontierMutex.Lock()
	defer r.frontierMutex.Unlock()
	// What a shallow clone cuts off must be looked for tip by tip.
	if _, isExpected := slices.BinarySearch(r.expected, tip); !isExpected || len(r.expected) <= few || r.Shallow {
		return nil, false, nil
	}
	key := strings.Join(others, " ")
	f, known := r.frontiers[key]
	if !known {
		if f, err = r.walkFrontier(ctx, r.expected, others); ctx.Err() != nil {
			return nil, false, err
		}
		r.frontiers[key] = f
	}
	if f == nil { // one damaged history must not speak for the others
		return nil, false, nil
	}
	switch edge, outside := f[tip]; {
	case !outside:
		return []string{tip}, true, nil // the others contain it
	case edge == "":
		return nil, true, nil
	case edge == several:
		return nil, false, nil
	default:
		return []string{edge}, true, nil
	}
}

func (r *Repo) walkFrontier(ctx context.Context, tips, others []string) (frontier, error) {
	var stdin strings.Builder
	for _, id := range tips {
		stdin.WriteString(id + "\n")
	}
	for _, id := range others {
		stdin.WriteString("^" + id + "\n")
	}
	out, err := r.feed(ctx, []byte(stdin.String()), "rev-list", "--topo-order", "--reverse", "--parents", "--stdin")
	if err != nil {
		return nil, err
	}
	f := frontier{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line) // a commit and its parents, each of which came before it or is in the others
		edge := ""
		for _, parent := range fields[1:] {
			leads, outside := f[parent]
			if !outside {
				leads = parent
			}
			switch {
			case edge == "":
				edge = leads
			case leads != "" && leads != edge:
				edge = several
			}
		}
		f[fields[0]] = edge
	}
	return f, nil
}
