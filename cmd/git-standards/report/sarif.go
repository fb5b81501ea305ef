package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/wire"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	projectURI  = "https://github.com/git-standards/git-standards"
	root        = "%SRCROOT%" // the top of the repository, by the name that others give it

	// fingerprintKey names what a question is known by: the hash of what it asks, which an unrelated edit leaves as it is.
	fingerprintKey = "question/v1"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool            `json:"tool"`
	Automation  sarifID              `json:"automationDetails"`
	Bases       map[string]sarifBase `json:"originalUriBaseIds"`
	Invocations []sarifInvocation    `json:"invocations"`
	Results     []sarifResult        `json:"results"`
	Properties  map[string]any       `json:"properties,omitempty"`
	ColumnKind  string               `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Version        string      `json:"version"`
	Rules          []sarifRule `json:"rules"`
	Notifications  []sarifRule `json:"notifications"`
}

type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	Full    sarifText `json:"fullDescription"`
	Help    sarifText `json:"help"`
	HelpURI string    `json:"helpUri"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifBase struct {
	Description sarifText `json:"description"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Descriptor sarifDescriptor `json:"descriptor"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

type sarifDescriptor struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// SARIF is a report as a SARIF 2.1.0 log of one run. What is open is a result at the line of the unit or the declaration, known by the hash
// of the question; what has no place in a file is a notification of the run, which says as well whether there is a verdict.
func SARIF(r *Report) ([]byte, error) {
	s := &sarif{invocation: sarifInvocation{Successful: r.Rejected == nil, Notifications: []sarifNotification{}}, results: []sarifResult{}}
	if r.Rejected != nil {
		s.reject(r.Rejected)
	}
	for _, a := range r.open() {
		result := sarifResult{
			RuleID: a.code(), Level: levelError, Message: sarifText{a.message()}, Locations: []sarifLocation{at(a.File, a.Line)},
			Fingerprints: map[string]string{fingerprintKey: digits(a.ID)},
		}
		if a.ConsumerFile != "" {
			consumer := at(a.ConsumerFile, 0)
			consumer.Message = &sarifText{"the consumer that is asked about"}
			result.Related = append(result.Related, consumer)
		}
		s.results = append(s.results, result)
	}
	for _, n := range r.Notices {
		s.tell(r.level(n), n.Code, n.Target, noticeText(n))
	}
	rules, notifications := s.number()
	return wire.JSON(sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool:        sarifTool{sarifDriver{"git-standards", projectURI, r.Version, rules, notifications}},
		Automation:  sarifID{"git-standards/gate/"},
		Bases:       map[string]sarifBase{root: {sarifText{"the top of the repository"}}},
		Invocations: []sarifInvocation{s.invocation},
		Results:     s.results,
		Properties:  properties(r),
		ColumnKind:  "unicodeCodePoints",
	}}})
}

type sarif struct {
	invocation sarifInvocation
	results    []sarifResult
}

func (s *sarif) reject(r *wire.Rejected) {
	for _, f := range r.Findings {
		s.results = append(s.results, sarifResult{RuleID: f.Code, Level: f.Severity, Message: sarifText{finding(f)}, Locations: []sarifLocation{at(f.File, f.Line)}})
	}
	text := rejection(r)
	if len(r.Findings) > 0 {
		text = "the authored text cannot be judged"
	}
	s.notify(levelError, r.Code, text)
}

// tell is a result where it has a place in a file, else a notification.
func (s *sarif) tell(level, code string, target *string, text string) {
	file, line := place(target)
	if file == "" {
		s.notify(level, code, text)
		return
	}
	s.results = append(s.results, sarifResult{RuleID: code, Level: level, Message: sarifText{text}, Locations: []sarifLocation{at(file, line)}})
}

func (s *sarif) notify(level, code, text string) {
	s.invocation.Notifications = append(s.invocation.Notifications, sarifNotification{Descriptor: sarifDescriptor{ID: code}, Level: level, Message: sarifText{text}})
}

// number lists the codes in use, by name, and points at them.
func (s *sarif) number() (rules, notifications []sarifRule) {
	used, told := map[string]bool{}, map[string]bool{}
	for _, result := range s.results {
		used[result.RuleID] = true
	}
	for _, n := range s.invocation.Notifications {
		told[n.Descriptor.ID] = true
	}
	ruleIDs, toldIDs := slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(told))
	for i := range s.results {
		s.results[i].RuleIndex = slices.Index(ruleIDs, s.results[i].RuleID)
	}
	for i := range s.invocation.Notifications {
		s.invocation.Notifications[i].Descriptor.Index = slices.Index(toldIDs, s.invocation.Notifications[i].Descriptor.ID)
	}
	return described(ruleIDs), described(toldIDs)
}

// meaning is what the codes of questions are, in a line. Of other codes the message says it, and the page.
var meaning = map[string]string{
	"QUESTION.CONSUMER_REVIEW": "a consumer of a standard has not been looked at since one of the two changed",
	"QUESTION.IMPACT_REVIEW":   "nobody has said what a change of a standard means",
	"QUESTION.FACT":            "a fact that decides what is asked is not known for this change",
	"QUESTION.COVERAGE":        "not everything that could follow a changed unit has been looked at",
}

func described(ids []string) []sarifRule {
	rules := make([]sarifRule, len(ids))
	for i, code := range ids {
		text := meaning[code]
		if text == "" {
			group, name, _ := strings.Cut(code, ".")
			text = strings.ToLower(group + ": " + strings.ReplaceAll(name, "_", " "))
		}
		rules[i] = sarifRule{code, sarifText{text}, sarifText{text}, sarifText{"why, an example and the fix: " + helpURI(code)}, helpURI(code)}
	}
	return rules
}

func at(file string, line int) sarifLocation {
	location := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{URI: reference(file), BaseID: root}}}
	if line > 0 {
		location.Physical.Region = &sarifRegion{line}
	}
	return location
}

// reference is a path as a URI reference (RFC 3986): every byte that is not unreserved is percent-encoded, so that a colon makes no scheme.
func reference(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// digits is the hash of an id.
func digits(id string) string { return id[strings.LastIndexByte(id, ':')+1:] }

func properties(r *Report) map[string]any {
	if r.Rejected != nil {
		return map[string]any{"verdict": "rejected", "outcome": r.Rejected.Outcome}
	}
	p := map[string]any{"verdict": r.Verdict, "asked": len(r.Asked)}
	if r.Handle != "" {
		p["analysis"] = r.Handle
	}
	if r.Landed != nil {
		p["base"], p["head"], p["tree"] = r.Landed.Base, r.Landed.Head, r.Landed.Tree
	}
	for _, s := range r.Steps {
		p[s.Name] = s.State + ": " + Printable(s.Message)
	}
	return p
}
