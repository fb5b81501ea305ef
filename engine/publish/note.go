package publish

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// linePrefix begins the lines that are for people; a record begins with a brace.
const linePrefix = "publication "

// Lines is the publication as the lines of a note, sorted, so that sorting them together with those of others (git's cat_sort_uniq) leaves
// all whole: first what people read, each line with the beginning of the id, then the record itself, one line.
func (p Publication) Lines() ([]string, error) {
	id, text, err := p.Text()
	if err != nil {
		return nil, err
	}
	_, hex, _ := identity.Split(id)
	prefix := linePrefix + hex[:12] + ": "
	lines := []string{
		prefix + fmt.Sprintf("accepted commit %s, tree %s", p.Accepted.Commit, p.Accepted.Tree),
		prefix + fmt.Sprintf("landed commit %s, tree %s%s", p.Landed.Commit, p.Landed.Tree, on(p.Branch)),
		prefix + fmt.Sprintf("proposed commit %s, tree %s", p.Proposed.Commit, p.Proposed.Tree),
		prefix + fmt.Sprintf("recorded by git-standards %s, git %s", strconv.Quote(p.Tool.Version), strconv.Quote(p.Tool.Git)),
	}
	if p.Result == Adoption {
		lines = append(lines, prefix+"adoption: nobody was asked")
	} else {
		lines = append(lines, prefix+p.Analysis, prefix+fmt.Sprintf("complete: issuer %s, coverage %s", p.Issuer, p.Coverage))
	}
	for _, d := range p.Decisions {
		dormant := ""
		if !d.Counted {
			dormant = ", dormant"
		}
		lines = append(lines, prefix+fmt.Sprintf("answer %s by %s, %s%s, in %s", strconv.Quote(d.Answer), strconv.Quote(d.Principal), d.Trust, dormant, strconv.Quote(d.File)))
	}
	lines = append(lines, string(text))
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

func on(branch string) string {
	if branch == "" {
		return ""
	}
	return ", on " + strconv.Quote(branch)
}

// Record is a publication as a note holds it.
type Record struct {
	ID string
	Publication
}

// Read reads the records of a note, each proven to have the id that it names, by id, and what is wrong in the note: a record that is
// damaged, a line for people that no record says, or one that is missing. Other lines are not ours and are passed over. A record of a
// newer version ends the reading with a fault of the outcome unsupported.
func Read(note []byte) (records []Record, wrong []string, err error) {
	codecs := authority.Compose(Codecs())
	said := map[string]bool{}
	var lines []string
	number := 0
	for line := range bytes.SplitSeq(note, []byte("\n")) {
		number++
		switch {
		case bytes.HasPrefix(line, []byte("{")):
			record, err := read(codecs, line)
			if f := fault.As(err); f != nil && f.Outcome == fault.Unsupported {
				return nil, nil, err
			}
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("line %d is no whole record: %v", number, err))
				continue
			}
			records = append(records, record)
		case bytes.HasPrefix(line, []byte(linePrefix)):
			lines = append(lines, string(line))
		}
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.ID, b.ID) })
	records = slices.CompactFunc(records, func(a, b Record) bool { return a.ID == b.ID })
	for _, r := range records {
		own, err := r.Lines()
		if err != nil {
			return nil, nil, err
		}
		for _, line := range own {
			said[line] = true
			if strings.HasPrefix(line, linePrefix) && !slices.Contains(lines, line) {
				wrong = append(wrong, fmt.Sprintf("a line is missing: %q", line))
			}
		}
	}
	for _, line := range lines {
		if !said[line] {
			wrong = append(wrong, fmt.Sprintf("no record says %q", clip(line)))
		}
	}
	return records, wrong, nil
}

func clip(line string) string {
	const most = 200
	if len(line) > most {
		return line[:most] + "…"
	}
	return line
}

func read(codecs authority.Codecs, line []byte) (Record, error) {
	envelope, err := authority.DecodeEnvelope(line)
	if err != nil {
		return Record{}, err
	}
	if _, err := codecs.Open(envelope.ID, line); err != nil {
		return Record{}, err
	}
	p, err := parse(envelope.Payload)
	return Record{ID: envelope.ID, Publication: p}, err
}
