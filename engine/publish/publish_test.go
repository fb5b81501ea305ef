package publish_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/publish"
)

const (
	landing  = "a landing with answers"
	adoption = "an adoption in a SHA-256 repository"
)

func vectors(t testing.TB) map[string]authoritytest.Vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	return authoritytest.Vectors(t, text, publish.Codecs()...)
}

func TestCodecTakesClosedRecordsAlone(t *testing.T) {
	t.Parallel()
	known := vectors(t)
	authoritytest.Refuses(t, publish.Codec, known[landing].Payload, ".decisions.*.counted") // either truth may stand there
	change := func(vector string, changes identity.Record) any {
		payload := maps.Clone(known[vector].Payload.(identity.Record))
		maps.Copy(payload, changes)
		return payload
	}
	answers := known[landing].Payload.(identity.Record)["decisions"].(identity.List)
	sha1 := known[landing].Payload.(identity.Record)["landed"]
	for name, wrong := range map[string]any{
		"an adoption with a state":        change(adoption, identity.Record{"analysis": "analysis-root:sha256:" + strings.Repeat("1", 64)}),
		"an adoption with answers":        change(adoption, identity.Record{"decisions": answers}),
		"a landing without a state":       change(landing, identity.Record{"analysis": nil}),
		"a state of another kind":         change(landing, identity.Record{"analysis": "question:sha256:" + strings.Repeat("1", 64)}),
		"an open question":                change(landing, identity.Record{"result": "pending"}),
		"an answer twice":                 change(landing, identity.Record{"decisions": identity.List{answers[0], answers[0]}}),
		"answers out of order":            change(landing, identity.Record{"decisions": identity.List{answers[1], answers[0]}}),
		"a tag as the branch":             change(landing, identity.Record{"branch": "refs/tags/v1"}),
		"an empty branch":                 change(landing, identity.Record{"branch": ""}),
		"an empty issuer":                 change(landing, identity.Record{"issuer": ""}),
		"two object formats":              change(adoption, identity.Record{"landed": sha1}),
		"a commit id that is too short":   change(landing, identity.Record{"landed": identity.Record{"commit": "6666", "tree": strings.Repeat("7", 40)}}),
		"a contract of no version":        change(landing, identity.Record{"contracts": identity.Record{"interface": int64(0), "handle": int64(4), "envelope": int64(1), "identity": int64(2)}}),
		"a file outside the repository":   change(landing, identity.Record{"decisions": identity.List{with(answers[0], "file", "../a.yaml")}}),
		"a trust that there is not":       change(landing, identity.Record{"decisions": identity.List{with(answers[0], "trust", "proven")}}),
		"an answer to no question":        change(landing, identity.Record{"decisions": identity.List{with(answers[0], "question", known[landing].ID)}}),
		"an answer of nobody":             change(landing, identity.Record{"decisions": identity.List{with(answers[0], "principal", "")}}),
		"a digest in capitals":            change(landing, identity.Record{"decisions": identity.List{with(answers[0], "sha256", "sha256:"+strings.Repeat("A", 64))}}),
		"whether it counts as a word":     change(landing, identity.Record{"decisions": identity.List{with(answers[0], "counted", "yes")}}),
		"a program of no version":         change(landing, identity.Record{"tool": identity.Record{"version": "", "git": "2.39.5"}}),
		"a tree that is no id of Git's":   change(landing, identity.Record{"accepted": identity.Record{"commit": strings.Repeat("2", 40), "tree": "main"}}),
		"a tree of the other format":      change(landing, identity.Record{"accepted": identity.Record{"commit": strings.Repeat("2", 40), "tree": strings.Repeat("3", 64)}}),
		"a coverage that is no text":      change(landing, identity.Record{"coverage": int64(1)}),
		"an adoption that names coverage": change(adoption, identity.Record{"coverage": "not-audited"}),
	} {
		if _, _, err := publish.Codec.Examine(wrong); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func with(item any, key string, value any) identity.Record {
	changed := maps.Clone(item.(identity.Record))
	changed[key] = value
	return changed
}

// published reads a vector back through the text that a note holds.
func published(t testing.TB, name string) publish.Record {
	t.Helper()
	sealed, err := publish.Codec.Seal(vectors(t)[name].Payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := sealed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	records, _, err := publish.Read(text)
	if err != nil || len(records) != 1 {
		t.Fatalf("%v %v", records, err)
	}
	return records[0]
}

func note(t testing.TB, p publish.Publication) string {
	t.Helper()
	lines, err := p.Lines()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n") + "\n"
}

// What people read of the vector, by hand from doc/publish.md; the ids are python3's.
func TestNoteForPeople(t *testing.T) {
	t.Parallel()
	known := vectors(t)[landing]
	abbreviation := strings.TrimPrefix(known.ID, "publication:sha256:")[:12]
	r := func(c string) string { return strings.Repeat(c, 40) }
	want := []string{
		"accepted commit " + r("2") + ", tree " + r("3"),
		"analysis-root:sha256:" + strings.Repeat("1", 64),
		`answer "no-change" by "ann@example.com", asserted, in "standards/decisions/api-errors/a.yaml"`,
		`answer "no-change" by "bob", signed, in "standards/decisions/api-errors/b.yaml"`,
		`answer "updated" by "Zoë \"Z\"", signed, dormant, in "standards/decisions/x.yaml"`,
		"complete: issuer open, coverage not-audited",
		"landed commit " + r("6") + ", tree " + r("7") + `, on "refs/heads/main"`,
		"proposed commit " + r("4") + ", tree " + r("5"),
		`recorded by git-standards "0.1.0", git "2.39.5"`,
	}
	lines := strings.Split(note(t, published(t, landing).Publication), "\n")
	if len(lines) != len(want)+2 || !strings.HasPrefix(lines[len(want)], "{") {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for i, line := range want {
		if lines[i] != "publication "+abbreviation+": "+line {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], line)
		}
	}
}

// Notes of two people about one commit end up behind each other, or sorted line by line with repetitions once (git notes merge with
// cat_sort_uniq): both records are whole in each.
func TestTwoRecordsInOneNote(t *testing.T) {
	t.Parallel()
	one, two := published(t, landing), published(t, adoption)
	both := note(t, one.Publication) + note(t, two.Publication)
	sorted := strings.Split(strings.TrimSuffix(both, "\n"), "\n")
	slices.Sort(sorted)
	ids := []string{one.ID, two.ID}
	slices.Sort(ids)
	for name, text := range map[string]string{
		"behind each other":            both,
		"with a blank line between":    note(t, two.Publication) + "\n" + note(t, one.Publication),
		"sorted":                       strings.Join(sorted, "\n"),
		"repeated":                     both + both,
		"beside a remark of a person":  "looks good to me\n" + both + "signed off\n",
		"without the end of last line": strings.TrimSuffix(both, "\n"),
	} {
		records, wrong, err := publish.Read([]byte(text))
		if err != nil || len(wrong) > 0 || len(records) != 2 || records[0].ID != ids[0] || records[1].ID != ids[1] {
			t.Errorf("%s: %d records, %q, %v", name, len(records), wrong, err)
		}
	}
}

func TestTamperedNotes(t *testing.T) {
	t.Parallel()
	p := published(t, landing)
	whole := note(t, p.Publication)
	lines := strings.SplitAfter(whole, "\n")
	record := lines[len(lines)-2]
	for name, text := range map[string]string{
		"a principal in the record":     strings.Replace(whole, `"principal":"bob"`, `"principal":"eve"`, 1),
		"a principal for people":        strings.Replace(whole, `by "bob"`, `by "eve"`, 1),
		"no line for people":            record,
		"one line for people less":      strings.Join(lines[1:], ""),
		"no record":                     strings.TrimSuffix(whole, record),
		"a record cut off":              whole[:len(whole)-9],
		"an answer more, for people":    strings.Replace(whole, "publication ", "publication 000000000000: answer", 1) + lines[0],
		"another spelling of a record":  strings.Replace(whole, `{"`, `{ "`, 1),
		"another object as the record":  strings.Replace(whole, `"object_kind":"publication"`, `"object_kind":"question"`, 1),
		"an object that is no envelope": whole + "{}\n",
	} {
		if _, wrong, err := publish.Read([]byte(text)); err == nil && len(wrong) == 0 {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
	newer := strings.Replace(whole, `"payload_contract":"publication.v1"`, `"payload_contract":"publication.v2"`, 1)
	if _, _, err := publish.Read([]byte(newer)); !fault.Is(err, "OBJECT.KIND") {
		t.Errorf("a newer record: %v", err)
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	t.Parallel()
	p := published(t, landing).Publication
	if d := p.Differences(p); len(d) > 0 {
		t.Errorf("%q", d)
	}
	other := p
	other.Tool = publish.Tool{Version: "9"}
	if d := p.Differences(other); len(d) > 0 {
		t.Errorf("what published is no difference: %q", d)
	}
	other = p
	other.Analysis, other.Landed.Tree = "analysis-root:sha256:"+strings.Repeat("e", 64), strings.Repeat("f", 40)
	other.Decisions = slices.Clone(p.Decisions)
	other.Decisions[1].Principal = "eve"
	found := strings.Join(p.Differences(other), "\n")
	for _, part := range []string{"analysis: ", "landed tree: ", `"bob"`, `"eve"`} {
		if !strings.Contains(found, part) {
			t.Errorf("%q is not in %q", part, found)
		}
	}
}

// FuzzRead: whatever a note holds, a record that is read is the one that its line has, and says all lines for people.
func FuzzRead(f *testing.F) {
	f.Add([]byte(note(f, published(f, landing).Publication)))
	f.Add([]byte(note(f, published(f, adoption).Publication) + "{}\n"))
	f.Add([]byte("publication 0: x\n{\"a\":1}\n\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		records, wrong, err := publish.Read(text)
		if err != nil {
			return
		}
		var own strings.Builder
		for _, r := range records {
			id, line, err := r.Text()
			if err != nil || id != r.ID || !slices.Contains(strings.Split(string(text), "\n"), string(line)) {
				t.Fatalf("%s is not the record of its line: %v", r.ID, err)
			}
			own.WriteString(note(t, r.Publication))
		}
		if again, more, err := publish.Read([]byte(own.String())); err != nil || len(more) > 0 || len(again) != len(records) {
			t.Fatalf("%d records became %d, %q (%q before), %v", len(records), len(again), more, wrong, err)
		}
	})
}
