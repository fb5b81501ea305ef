// Package readingtest tells tests what the findings of a text are, and holds them against what every finding promises.
package readingtest

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/reading"
)

// Codes renders findings as "line CODE", with a ! behind the unsupported ones.
func Codes(findings []reading.Finding) string {
	var all []string
	for _, f := range findings {
		mark := ""
		if f.Unsupported {
			mark = "!"
		}
		all = append(all, fmt.Sprintf("%d %s%s", f.Line, f.Code, mark))
	}
	return strings.Join(all, ", ")
}

// Check checks what every finding that refuses a text of the file "f" promises.
func Check(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, findings []reading.Finding) {
	t.Helper()
	for i, f := range findings {
		if f.Code == "" || f.Message == "" || f.Next == "" || f.Line < 1 || f.Severity != reading.SeverityError || f.File != "f" {
			t.Fatalf("incomplete finding %+v", f)
		}
		if i > 0 && findings[i-1].Line > f.Line {
			t.Fatalf("findings out of order: %s", Codes(findings))
		}
	}
}
