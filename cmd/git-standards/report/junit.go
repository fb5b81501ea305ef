package report

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// JUnit is a report as JUnit's XML: a test case for each question asked, of which the open ones fail, and one for each step. Without a
// verdict it is one for each finding, or one for what went wrong. It says no time and no host: the same verdict gives the same bytes.
func JUnit(r *Report) []byte {
	questions, steps := suite{name: "questions"}, suite{name: "gate"}
	if r.Rejected != nil {
		if _, command, ok := strings.Cut(r.Name, "git standards "); ok {
			steps.name = command
		}
		for _, f := range r.Rejected.Findings {
			of := testcase{name: fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Code), class: f.File, file: f.File, text: finding(f)}
			if f.Severity == levelError {
				of.outcome, of.code, of.message = "error", f.Code, f.Message
			}
			steps.cases = append(steps.cases, of)
		}
		if len(r.Rejected.Findings) == 0 {
			steps.cases = append(steps.cases, testcase{
				name: "verdict", class: steps.name, outcome: "error", code: r.Rejected.Code, message: r.Rejected.Message, text: rejection(r.Rejected),
			})
		}
		return document(r.Name, steps)
	}
	for _, a := range r.Asked {
		questions.cases = append(questions.cases, questionCase(a))
	}
	for _, s := range r.Steps {
		steps.cases = append(steps.cases, r.stepCase(s))
	}
	return document(r.Name, questions, steps)
}

func questionCase(a Asked) testcase {
	class := a.Unit
	if class == "" {
		class = a.Module
	}
	if class == "" {
		class = a.File
	}
	// One consumer may be asked about one unit along two relations: the abbreviation tells them apart.
	of := testcase{name: fmt.Sprintf("%s %s [%s]", a.Kind, a.Subject, a.Abbrev), class: class, file: a.File}
	var lines []string
	for _, answer := range a.Answers {
		lines = append(lines, Printable(fmt.Sprintf("%s by %s, %s: %s", answer.Result, answer.Principal, answer.Trust, answer.Rationale)))
	}
	if a.Open() {
		of.outcome, of.code, of.message = "failure", a.code(), a.Title+": "+a.Ask
		lines = append([]string{fmt.Sprintf("%s:%d: %s", Printable(a.File), a.Line, a.message())}, lines...)
	}
	of.text = strings.Join(lines, "\n")
	return of
}

func (r *Report) stepCase(s Step) testcase {
	of := testcase{name: s.Name, class: "gate", text: Printable(s.Message)}
	switch s.State {
	case NotNeeded:
		of.outcome, of.message = "skipped", s.Message
	case Fails:
		lines := []string{of.text}
		for _, n := range r.Notices {
			if n.Code == s.Code {
				target := ""
				if n.Target != nil {
					target = Printable(*n.Target) + ": "
				}
				lines = append(lines, target+noticeText(n))
			}
		}
		of.outcome, of.code, of.message, of.text = "failure", s.Code, s.Message, strings.Join(lines, "\n")
	}
	return of
}

// Suite is the cases of one file.
type Suite struct {
	Name  string
	Cases []Case
}

// Case is one test. Failed says why it failed, a line each; nil is that it passed.
type Case struct {
	Name, File string
	Line       int
	Failed     []string
}

// Tests is tests as JUnit's XML, as JUnit writes reports.
func Tests(name string, list []Suite) []byte {
	var suites []suite
	for _, of := range list {
		one := suite{name: of.Name}
		for _, c := range of.Cases {
			written := testcase{name: c.Name, class: of.Name, file: c.File}
			if c.Failed != nil {
				written.outcome, written.code, written.message = "failure", "TEST.FAILED", c.Failed[0]
				lines := []string{fmt.Sprintf("%s:%d: %s", Printable(c.File), c.Line, Printable(c.Name))}
				for _, line := range c.Failed {
					lines = append(lines, Printable(line))
				}
				written.text = strings.Join(lines, "\n")
			}
			one.cases = append(one.cases, written)
		}
		suites = append(suites, one)
	}
	return document(name, suites...)
}

type suite struct {
	name  string
	cases []testcase
}

// testcase passes where outcome is "", else it is the element that says how it ended.
type testcase struct {
	name, class, file      string
	outcome, code, message string
	text                   string
}

func (s suite) count(outcome string) (n int) {
	for _, c := range s.cases {
		if c.outcome == outcome {
			n++
		}
	}
	return n
}

func document(name string, suites ...suite) []byte {
	var body strings.Builder
	var total, failures, errors, skipped int
	for _, s := range suites {
		fmt.Fprintf(&body, "  <testsuite%s tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
			attribute("name", s.name), len(s.cases), s.count("failure"), s.count("error"), s.count("skipped"))
		total, failures, errors, skipped = total+len(s.cases), failures+s.count("failure"), errors+s.count("error"), skipped+s.count("skipped")
		for _, c := range s.cases {
			body.WriteString(c.element())
		}
		body.WriteString("  </testsuite>\n")
	}
	return fmt.Appendf(nil, "%s<testsuites%s tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n%s</testsuites>\n",
		xml.Header, attribute("name", name), total, failures, errors, skipped, body.String())
}

func (c testcase) element() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    <testcase%s%s", attribute("name", c.name), attribute("classname", c.class))
	if c.file != "" {
		b.WriteString(attribute("file", c.file))
	}
	switch {
	case c.outcome == "" && c.text == "":
		b.WriteString("/>\n")
	case c.outcome == "":
		fmt.Fprintf(&b, ">\n      <system-out>%s</system-out>\n    </testcase>\n", escaped(c.text))
	case c.outcome == "skipped":
		fmt.Fprintf(&b, ">\n      <skipped%s/>\n    </testcase>\n", attribute("message", c.message))
	default:
		fmt.Fprintf(&b, ">\n      <%s%s%s>%s</%s>\n    </testcase>\n", c.outcome, attribute("message", c.message), attribute("type", c.code), escaped(c.text), c.outcome)
	}
	return b.String()
}

func attribute(name, value string) string { return " " + name + `="` + escaped(Printable(value)) + `"` }

// escaped is text as XML holds it. What is not printable was escaped before, but for the line ends of a text.
func escaped(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(line)) // a builder takes everything
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}
