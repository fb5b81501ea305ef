package yamltext

import (
	"fmt"
	"strings"
)

// howToWrite says how a value of another kind is written; keys are those of a mapping.
func howToWrite(node Node, kind, got string, keys []string) string {
	isScalar := node.IsScalar() && got != KindNull
	switch {
	case kind == KindString && isScalar:
		return fmt.Sprintf("put quotes around %q", node.Value())
	case kind == KindString:
		return "write a text behind the key"
	case kind == KindList && isScalar:
		return fmt.Sprintf("write [%s]", Scalar(node.Value()))
	case kind == KindList:
		return "begin each entry on a line of its own with a -"
	case kind == KindInt && got == KindString && decimal.MatchString(node.Value()):
		return fmt.Sprintf("write %s without quotes", node.Value())
	case kind == KindInt:
		return "write a whole number, such as 1"
	case kind == KindBool:
		return "write true or false"
	}
	if len(keys) == 0 {
		return "write its keys on indented lines below, or as {key: value}"
	}
	return "write its keys on indented lines below: " + strings.Join(keys, ", ")
}

// howToRename says what to write for a key that a mapping cannot have.
func howToRename(word string, known []string) string {
	if option := Nearest(word, known); option != "" {
		return fmt.Sprintf("rename it to %s", option)
	}
	return "use one of " + strings.Join(known, ", ")
}
