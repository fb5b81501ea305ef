package report_test

import (
	"bytes"
	"encoding/xml"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/wire"
)

// text is text that may break a form: pieces that mean something there, among any others.
func text() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.SampledFrom([]string{"::", "\n", "\r", "%0A", "%", ",", ":", "=", "##[", "]", "<", ">", "&", "]]>", "\"", "\x00", "\xff", " ", "error"}), rapid.String())
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), "") })
}

type annotation struct {
	level, data string
	properties  map[string]string
}

// runner reads a line of a log as GitHub's runner does (actions/runner, ActionCommand.TryParseV2): blanks before the two colons are left
// out, the next two colons end the properties, commas divide these, and the escapes are taken back, "%25" last.
func runner(line string) (annotation, bool) {
	line = strings.TrimLeft(line, " \t\r\n")
	if !strings.HasPrefix(line, "::") {
		return annotation{}, false
	}
	info, data, ok := strings.Cut(line[2:], "::")
	if !ok {
		return annotation{}, false
	}
	back := func(s string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
		}
		return strings.ReplaceAll(s, "%25", "%")
	}
	name, list, _ := strings.Cut(info, " ")
	a := annotation{level: name, data: back(data, "%0D", "\r", "%0A", "\n"), properties: map[string]string{}}
	for property := range strings.SplitSeq(list, ",") {
		if key, value, ok := strings.Cut(property, "="); ok {
			a.properties[key] = back(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		}
	}
	return a, true
}

func annotations(log []byte) (list []annotation) {
	for line := range strings.SplitSeq(strings.TrimSuffix(string(log), "\n"), "\n") {
		if a, ok := runner(line); ok {
			list = append(list, a)
		}
	}
	return list
}

func TestGitHubReadsWhatWasSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		next := text().Draw(t, "next")
		file, message, step := "a"+text().Draw(t, "file"), text().Draw(t, "message"), text().Draw(t, "step")
		target := file + ":7"
		got := annotations(report.GitHub(&report.Report{
			Verdict: "complete", Notices: []wire.Notice{{Code: "DECISION.WAIVED", Target: &target, Message: message, Next: &next}},
			Steps: []report.Step{{Name: step, State: report.Holds, Message: step}},
		}))
		want := []annotation{{"warning", report.Printable(message) + "\nnext: " + report.Printable(next), map[string]string{"file": report.Printable(file), "line": "7", "title": "DECISION.WAIVED"}}}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(annotation{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestNoCommandInALog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		said := text().Draw(t, "text") + "\n"
		if n, err := (report.Log{Writer: &b}).Write([]byte(said)); n != len(said) || err != nil {
			t.Fatal(n, err)
		}
		if got := annotations(b.Bytes()); len(got) > 0 || strings.Contains(b.String(), "##[") {
			t.Fatalf("%q becomes %q: %v", said, b.String(), got)
		}
	})
	for said, want := range map[string]string{
		"plain :: text ##x[\n": "plain :: text ##x[\n", " ::error::x\n::y\n": ` \x3a:error::x` + "\n" + `\x3a:y` + "\n", "a ##[error]b": `a ##\x5berror]b`,
	} {
		var b bytes.Buffer
		if _, err := (report.Log{Writer: &b}).Write([]byte(said)); err != nil || b.String() != want {
			t.Errorf("%q becomes %q, want %q: %v", said, b.String(), want, err)
		}
	}
}

func TestJUnitHoldsWhatWasSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := text().Draw(t, "text")
		log := report.JUnit(&report.Report{Verdict: "pending", Asked: []report.Asked{{Kind: "fact", Subject: said, Unit: said, File: said, Line: 1, State: "open", Title: said, Ask: said}}})
		var read struct {
			Suites []struct {
				Cases []struct {
					Name    string `xml:"name,attr"`
					Class   string `xml:"classname,attr"`
					File    string `xml:"file,attr"`
					Failure struct {
						Type    string `xml:"type,attr"`
						Message string `xml:"message,attr"`
						Text    string `xml:",chardata"`
					} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(log, &read); err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		c, p := read.Suites[0].Cases[0], report.Printable(said)
		want := []string{"fact " + p + " []", p, p, "QUESTION.FACT", p + ": " + p, p + ":1: " + p + ": " + p}
		if diff := cmp.Diff(want, []string{c.Name, c.Class, c.File, c.Failure.Type, c.Failure.Message, c.Failure.Text}); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A file name is one reference to one file (RFC 3986): it has no scheme, host, query or fragment.
func TestSARIFNamesFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := "a" + text().Draw(t, "file")
		log, err := report.SARIF(&report.Report{Notices: []wire.Notice{{Code: "EVIDENCE.CHANGED", Target: &file, Message: "x"}}})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(log), `"uri": "`)
		name, _, _ := strings.Cut(rest, `"`)
		u, err := url.Parse(name)
		if err != nil || u.Path != file || u.Scheme+u.Host+u.RawQuery+u.Fragment != "" {
			t.Fatalf("%q is %q: %+v, %v", file, name, u, err)
		}
	})
}

// What the targets of results look like (SHAPES): a file with a line, a file, a commit, a handle, nothing.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"standards/api.md:12": "file=standards/api.md,line=12,", "docs/a:b.md": "file=docs/a%3Ab.md,line=1,", "a:0": "file=a%3A0,line=1,",
		strings.Repeat("a", 40): "", strings.Repeat("0", 64): "", "question:sha256:" + strings.Repeat("0", 64): "", "": "",
	} {
		got := string(report.GitHub(&report.Report{Notices: []wire.Notice{{Code: "A.B", Target: &target, Message: "x"}}}))
		if !strings.HasPrefix(got, "::notice "+want+"title=A.B::x\n") {
			t.Errorf("%q: %s", target, got)
		}
	}
}
