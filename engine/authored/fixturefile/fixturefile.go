// Package fixturefile reads the tests that authors of standards write beside them: given a tree and a change of it, these questions
// are asked.
//
// It promises what package reading promises of every reading. Which trees the edits make, and what these ask, is not known here.
package fixturefile

import (
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
)

// Folder is where fixtures stand unless they are named.
const Folder = "standards/tests"

// File is a file of cases.
type File struct {
	Name  string
	Cases []*Case
}

// Case is one test: what a change of a tree asks. Givens are made one after the other, the file's before the case's own.
type Case struct {
	File   string
	Name   string
	Line   int
	Givens []*Edits
	Change *Edits
	As     string // who looks at it, and answers; "" is nobody that authority.yaml lists
	AsLine int

	Facts   []Given
	Answers []Answer
	Expected
}

// Expected is what a case expects. Nothing of it is given where the case is not finished.
type Expected struct {
	Nothing, Adoption bool
	Asks              []Pattern
	AtLeast           bool   // others may be asked, too
	Refused           string // the code by which the change cannot be judged, or an answer not be taken
	Notices           []string
}

// IsGiven reports whether a case says what it expects.
func (e *Expected) IsGiven() bool {
	return e.Nothing || e.Adoption || len(e.Asks) > 0 || e.Refused != "" || len(e.Notices) > 0
}

// Edits are what makes one tree of another. Every path and unit is one of the tree before; moves come last and take along what the other
// edits made of a file.
type Edits struct {
	Line int
	From *Place // of a given alone: where it begins; nil is the tree at hand

	IsShared bool // by the cases of a file

	Raise, Reword []Place // units
	Touch, Delete []Place // paths
	Replace       []Replacement
	Write         []Written
	Move          []Move
}

// Place is a word of a fixture and its line.
type Place struct {
	Text string
	Line int
}

// Written is a file with its whole text.
type Written struct {
	Place
	Data string
}

// Replacement replaces the one place at which Find stands in a file.
type Replacement struct {
	Place
	Find, With string
}

// Move is a file or folder that gets another path.
type Move struct {
	Place
	To string
}

// Given is the value of a fact, in the types of JSON; nil is that it has none.
type Given struct {
	Place
	Value any
}

// Answer is an answer to every question that Question fits, as the principal By, where that is not "".
type Answer struct {
	Question Pattern
	Result   *string
	Value    any
	By       Place
}

// Pattern is what a question must be; what is "" or nil fits every one. Subject fits what Asked.Subject gives.
type Pattern struct {
	Line    int
	Subject string
	Kind    string
	Reason  string

	Module, Unit, Consumer, Declaration, Fact string

	State, Who string
	To         []string // nil is not said
	Results    []string // nil is not said

	Glob *glob.Glob // of Subject or Consumer, where that may fit several
}

// Nothing is the word for a tree without files and for no questions, Anyone for whoever may answer where no authority.yaml says who.
const (
	Nothing  = "nothing"
	Adoption = "adoption"
	Anyone   = "anyone"
)

// IsEmpty reports edits that edit nothing.
func (e *Edits) IsEmpty() bool {
	return len(e.Raise)+len(e.Reword)+len(e.Touch)+len(e.Delete)+len(e.Replace)+len(e.Write)+len(e.Move) == 0
}

// IsFile reports whether a path is that of a fixture by its place and name.
func IsFile(name string) bool {
	return content.Under(name, []string{Folder}) && HasEnding(name)
}

// HasEnding reports whether a path ends as fixtures do.
func HasEnding(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}
