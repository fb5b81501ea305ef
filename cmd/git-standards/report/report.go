// Package report writes what was found of a change in the forms that other programs read: SARIF 2.1.0, the workflow commands of GitHub,
// JUnit's XML, and in Markdown the summary of a gate and a page for people. It is pure: the bytes are a function of what it is given, and whatever names and texts that holds, none
// of them becomes a command, an element, markup or a key. It decides nothing: what is open and what closes a gate, it is told.
package report

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/git-standards/git-standards/engine/wire"
)

// Report is what was found. Rejected stands alone, where there is no verdict; else Verdict is complete, pending or adoption.
type Report struct {
	Name     string // of the command
	Version  string // of the program
	Rejected *wire.Rejected

	Verdict  string
	Handle   string // of the state; "" at an adoption, which has none
	Accepted wire.Side
	Landed   *wire.Landed
	Asked    []Asked
	Notices  []wire.Notice
	Steps    []Step
	Units    []Unit   // for a summary or a page: those that differ between the sides
	Sides    []string // for a page: what was compared, a line each
}

// Unit is a unit that differs between the sides: what happened to it, where it stands, and its text as a difference, "" where that is equal.
type Unit struct{ ID, Title, Place, Diff string }

// Asked is a question that the change asks, open or answered. File and Line are where to look: the heading of the unit, or the
// declaration. ConsumerFile is the consumer's file, "" where it has none.
type Asked struct {
	ID, Abbrev         string
	Kind, Reason       string
	Subject            string // what it is about, in a word
	Title, Ask         string // what changed, and what is asked of it, a line each
	Unit, Module       string
	Consumer           string
	File, ConsumerFile string
	Line               int
	State              string // open, stale or blocked; "" is answered
	Waits              string // which answers may be given, or who may give one
	Who                string // who may answer
	Next               string // the command that answers it, "" where that is another's
	Answers            []Answer
}

// Open reports a question without the answer that closes it.
func (a Asked) Open() bool { return a.State != "" }

// Answer is an answer that counts. Age is for a summary: carried where its file stood, as it is, where the two branches left each other,
// else new; "" where that is not known.
type Answer struct {
	Result, Principal, Trust string
	Rationale, File          string
	Age                      string
}

// Step is something that the gate looks at beside the questions. Code is the notices that say where it fails.
type Step struct {
	Name, Code string
	State      string
	Message    string
}

// The states of a step.
const (
	Holds     = "holds"
	Fails     = "fails"
	NotNeeded = "not needed"
)

// The codes of open questions, by kind; doc/findings has their pages.
var codes = map[string]string{
	"consumer-review": "QUESTION.CONSUMER_REVIEW",
	"impact-review":   "QUESTION.IMPACT_REVIEW",
	"fact":            "QUESTION.FACT",
	"coverage":        "QUESTION.COVERAGE",
}

func (a Asked) code() string { return codes[a.Kind] }

// message is an open question for somebody who sees nothing else of the report, a line each: what is asked, what may be answered or
// who may, and the command.
func (a Asked) message() string {
	text := Printable(a.Title + ": " + a.Ask)
	if a.Waits != "" {
		text += "\n" + Printable(a.Waits)
	}
	if a.Next != "" {
		text += "\nin the branch: " + Printable(a.Next)
	}
	return text
}

// open are the questions that are.
func (r *Report) open() []Asked {
	return slices.DeleteFunc(slices.Clone(r.Asked), func(a Asked) bool { return !a.Open() })
}

// The levels of what is told.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// loud are the notices that somebody should look at, though they close no gate.
var loud = []string{"DECISION.WAIVED", "DECISION.DELETED"}

// level is how loud a notice is: an error where it closes the gate.
func (r *Report) level(n wire.Notice) string {
	switch {
	case slices.ContainsFunc(r.Steps, func(s Step) bool { return s.State == Fails && s.Code == n.Code }):
		return levelError
	case slices.Contains(loud, n.Code):
		return levelWarning
	}
	return levelNote
}

// said is a message and the commands or edits to make next, a line each.
func said(message string, next ...string) string {
	message = Printable(message)
	for _, command := range next {
		message += "\nnext: " + Printable(command)
	}
	return message
}

func noticeText(n wire.Notice) string {
	if n.Next == nil {
		return said(n.Message)
	}
	return said(n.Message, *n.Next)
}

// rejection is why there is no verdict, with the place where that is no file.
func rejection(r *wire.Rejected) string {
	text := r.Message
	if file, _ := refusedAt(r); file == "" && r.Target != nil {
		text = *r.Target + ": " + text
	}
	return said(text, r.Next...)
}

var (
	lined   = regexp.MustCompile(`(?s)^(.+):([1-9][0-9]*)$`)
	ofGit   = regexp.MustCompile(`^(?:BRANCH|GIT|HISTORY|MERGE|OBJECT|REVISION|STORE|SUMMARY)\.`)
	noPlace = regexp.MustCompile(`^(?:[a-z][a-z.0-9-]*:sha256:)?[0-9a-f]{40,64}$`) // an object of Git's or ours
)

// place is the file and line of a target, "" and 0 where it names none. A path without a line is its first.
func place(target *string) (file string, line int) {
	text := wire.Text(target)
	if text == "" || noPlace.MatchString(text) {
		return "", 0
	}
	if parts := lined.FindStringSubmatch(text); parts != nil {
		if line, err := strconv.Atoi(parts[2]); err == nil {
			return parts[1], line
		}
	}
	return text, 1
}

// refusedAt is the file and line of what could not be judged, "" and 0 where that is a revision, or a file outside the repository.
func refusedAt(r *wire.Rejected) (file string, line int) {
	if ofGit.MatchString(r.Code) {
		return "", 0
	}
	return place(r.Target)
}

// helpURI is where the page of a code is read.
func helpURI(code string) string {
	return "https://github.com/git-standards/git-standards/blob/main/doc/findings/" + code + ".md"
}
