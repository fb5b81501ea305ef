package query

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// inWords is a condition as a person says it, or "" where it always holds or there is none.
func inWords(when authored.Expression) string {
	if when == nil || when["operator"] == facts.Always {
		return ""
	}
	return phrase(when, false, false)
}

// phrase is an expression in words, or its negation; in parentheses where it is one of several and would not be told apart from them.
func phrase(e identity.Record, negated, within bool) string {
	fact := fmt.Sprint(e["fact"])
	say := func(yes, no string) string {
		if negated {
			return fact + " " + no
		}
		return fact + " " + yes
	}
	switch e["operator"] {
	case facts.Always:
		return map[bool]string{false: "always", true: "never"}[negated]
	case facts.Not:
		return phrase(e["of"].(identity.Record), !negated, within)
	case facts.All, facts.Any:
		return several(e, negated, within)
	case facts.Equals:
		return say("is ", "is not ") + operand(e["value"])
	case facts.In:
		var values []string
		for _, value := range e["values"].(identity.List) {
			values = append(values, operand(value))
		}
		return say("is one of ", "is none of ") + strings.Join(values, ", ")
	case facts.Contains:
		return say("contains ", "does not contain ") + operand(e["value"])
	case facts.Exists:
		return say("is there", "is not there")
	case facts.Matches:
		return say("matches ", "does not match ") + operand(e["glob"])
	}
	panic(fmt.Sprintf("internal error: no operator %v", e["operator"]))
}

// several is all or any of some expressions. Neither holds exactly when the other holds of all the negations.
func several(e identity.Record, negated, within bool) string {
	glue := " and "
	if (e["operator"] == facts.Any) != negated {
		glue = " or "
	}
	var parts []string
	for _, of := range e["of"].(identity.List) {
		parts = append(parts, phrase(of.(identity.Record), negated, len(e["of"].(identity.List)) > 1))
	}
	text := strings.Join(parts, glue)
	if within && len(parts) > 1 {
		return "(" + text + ")"
	}
	return text
}

// operand is a value as it is, in quotes where it would not be told apart from the words around it.
func operand(value any) string {
	text, isText := value.(string)
	if isText && (text == "true" || text == "false" || strings.ContainsAny(text, " ,()\"")) {
		return strconv.Quote(text)
	}
	return fmt.Sprint(value)
}
