package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-standards/git-standards/engine/wire"
)

// The escapes of a workflow command, those of the runner that reads it and no others: of the text behind it, and of its properties.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubLevels are the levels as GitHub calls them.
var githubLevels = map[string]string{levelError: "error", levelWarning: "warning", levelNote: "notice"}

// GitHub is a report as workflow commands, which become annotations, between lines for whoever reads the log.
func GitHub(r *Report) []byte {
	var b strings.Builder
	if r.Rejected != nil {
		for _, f := range r.Rejected.Findings {
			b.WriteString(command(f.Severity, f.File, f.Line, f.Code, finding(f)))
		}
		if len(r.Rejected.Findings) == 0 {
			file, line := refusedAt(r.Rejected)
			b.WriteString(command(levelError, file, line, r.Rejected.Code, rejection(r.Rejected)))
		}
		return []byte(b.String())
	}
	for _, a := range r.open() {
		b.WriteString(command(levelError, a.File, a.Line, a.code()+" "+a.Abbrev, a.message()))
	}
	for _, n := range r.Notices {
		file, line := place(n.Target)
		b.WriteString(command(r.level(n), file, line, n.Code, noticeText(n)))
	}
	for _, s := range r.Steps {
		fmt.Fprintln(&b, Inert(fmt.Sprintf("%s: %s: %s", Printable(s.Name), s.State, Printable(s.Message))))
	}
	fmt.Fprintln(&b, strings.TrimSpace(r.Verdict+" "+r.Handle))
	return []byte(b.String())
}

func finding(f wire.Finding) string {
	if f.Next == nil {
		return said(f.Message)
	}
	return said(f.Message, *f.Next)
}

// command is an annotation. Of its text nothing but line ends need be unprintable.
func command(level, file string, line int, title, text string) string {
	properties := ""
	if file != "" {
		properties = fmt.Sprintf("file=%s,line=%d,", escapeProperty.Replace(Printable(file)), max(line, 1))
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", githubLevels[level], properties, escapeProperty.Replace(Printable(title)), escapeData.Replace(text))
}

// Inert is a line of a log in which GitHub's runner finds no command: it takes one where a line begins with two colons, blanks aside, and
// an older form wherever "##[" stands.
func Inert(line string) string {
	if rest := strings.TrimSpace(line); strings.HasPrefix(rest, "::") {
		line = strings.Replace(line, "::", `\x3a:`, 1)
	}
	return strings.ReplaceAll(line, "##[", `##\x5b`)
}

// Log is a writer of lines in which GitHub's runner finds no command. Each call writes whole lines.
type Log struct{ io.Writer }

func (l Log) Write(p []byte) (int, error) {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		b.WriteString(Inert(line))
	}
	if _, err := io.WriteString(l.Writer, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}
