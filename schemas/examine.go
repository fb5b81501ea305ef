package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/git-standards/git-standards/engine/fault"
)

// Problem is one thing that is wrong with a document, at the line where it stands. Code is JSON.SHAPE, or says why the
// text is not strict JSON (see Validate). Pointer is RFC 6901's, "" for the whole document. Where a word is found that is
// none of Options, callers may know which of them was meant.
type Problem struct {
	Code    string
	Line    int
	Pointer string
	Message string
	Word    string
	Options []string

	column int
}

// Origin is the text that a tree was read from.
type Origin interface {
	// Position returns the line and the column, from 1, at which the value at a path begins, or its key.
	Position(path []string, key bool) (line, column int)
	// Text returns how the scalar at a path is written, where a text may be written so: 1234567 in YAML.
	Text(path []string) (string, bool)
}

// Examine reads a JSON document as Read does, and returns the tree or all that is wrong with it, in the order of the text.
// What is no strict JSON has one problem.
func Examine(def string, document []byte) (any, []Problem, error) {
	tree, err := strict(document)
	if f := fault.As(err); f != nil {
		path, line := whereStrict(document, f.Code)
		return nil, []Problem{{Code: f.Code, Line: line, Pointer: pointerOf(path), Message: f.Message}}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if tooMany(tree) {
		return nil, manyValues(), nil
	}
	refused, err := validateCut(def, tree)
	if refused == nil {
		return tree, nil, err
	}
	problems := distinct(refused, tree)
	return nil, placed(problems, locate(document, problems)), nil
}

// ExamineTree is Examine for a tree that was read from another text than JSON. A scalar that may be a text is taken for one
// where the schema wants a text and nothing else.
func ExamineTree(def string, tree any, origin Origin) (any, []Problem, error) {
	if tooMany(tree) {
		return nil, manyValues(), nil
	}
	refused, err := validateCut(def, tree)
	if refused == nil {
		return tree, nil, err
	}
	if asTexts(refused, tree, origin) {
		if refused, err = validateCut(def, tree); refused == nil {
			return tree, nil, err
		}
	}
	return nil, placed(distinct(refused, tree), origin), nil
}

// The bounds of what is examined. The validator gathers all that is wrong, which costs a thousand times the text.
const (
	maxExamined = 200_000 // keys and values
	maxList     = 10_000  // no list of a request may be longer
)

func manyValues() []Problem {
	return []Problem{{Code: "JSON.TOO_MANY", Line: 1, Message: fmt.Sprintf("found more than %d keys and values", maxExamined)}}
}

// tooMany counts what validateCut looks at.
func tooMany(tree any) bool {
	left := maxExamined
	var walk func(any)
	walk = func(value any) {
		left--
		switch v := value.(type) {
		case map[string]any:
			left -= len(v)
			for _, item := range v {
				walk(item)
			}
		case []any:
			for i := 0; i < min(len(v), maxList+1) && left > 0; i++ {
				walk(v[i])
			}
		}
	}
	walk(tree)
	return left <= 0
}

// validateCut is validate, which is told of lists that are too long no more than that.
func validateCut(def string, tree any) (*jsonschema.ValidationError, error) {
	if short, isCut := cut(tree); isCut {
		if refused, err := validate(def, short); refused != nil || err != nil {
			return refused, err
		}
	}
	return validate(def, tree)
}

func cut(value any) (short any, isCut bool) {
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			shorter, itIs := cut(item)
			object[key], isCut = shorter, isCut || itIs
		}
		return object, isCut
	case []any:
		list := make([]any, min(len(v), maxList+1))
		for i := range list {
			shorter, itIs := cut(v[i])
			list[i], isCut = shorter, isCut || itIs
		}
		return list, isCut || len(list) < len(v)
	}
	return value, false
}

// validate returns what the validator refuses, nil where it refuses nothing.
func validate(def string, tree any) (*jsonschema.ValidationError, error) {
	schema, err := compiled(def)
	if err != nil {
		return nil, err
	}
	err = schema.Validate(tree)
	var refused *jsonschema.ValidationError
	if errors.As(err, &refused) {
		return refused, nil
	}
	if err != nil {
		return nil, fmt.Errorf("validating: %w", err)
	}
	return nil, nil
}

// asTexts puts texts where the validator wanted them and their origin has them, and reports whether there was one.
func asTexts(e *jsonschema.ValidationError, tree any, origin Origin) bool {
	changed := false
	wanted, isType := e.ErrorKind.(*kind.Type)
	if isType && slices.Equal(wanted.Want, []string{"string"}) {
		if text, ok := origin.Text(e.InstanceLocation); ok {
			changed = replace(tree, e.InstanceLocation, text)
		}
	}
	for _, cause := range e.Causes {
		changed = asTexts(cause, tree, origin) || changed
	}
	return changed
}

// replace puts a value in the place of the one at a path, which is not the whole tree.
func replace(tree any, path []string, value any) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1]
	switch parent := at(tree, path[:len(path)-1]).(type) {
	case map[string]any:
		parent[last] = value
	case []any:
		parent[index(last)] = value
	}
	return true
}

// placed gives problems their lines and sorts them by place.
func placed(problems []problem, origin Origin) []Problem {
	list := make([]Problem, len(problems))
	for i, p := range problems {
		path, isKey := p.path, p.key != ""
		if isKey {
			path = append(slices.Clone(path), p.key)
		}
		list[i] = Problem{Code: "JSON.SHAPE", Pointer: pointerOf(path), Message: p.message, Word: p.word, Options: p.options}
		list[i].Line, list[i].column = origin.Position(path, isKey)
	}
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.column-b.column) })
	return list
}

// pointerOf is pointer without the mark of a URI's fragment.
func pointerOf(path []string) string { return strings.TrimPrefix(pointer(path), "#") }

// whereStrict returns where strict stopped reading, for a code that it gave.
func whereStrict(document []byte, code string) (path []string, line int) {
	switch code {
	case "JSON.TOO_LARGE":
		return nil, 1
	case "JSON.ENCODING":
		if at := invalidUTF8(document); at >= 0 {
			return nil, lineAt(document, at)
		}
		return nil, lineAt(document, loneSurrogate(document))
	case "JSON.SYNTAX":
		return nil, lineAt(document, int(syntaxError(document).Offset)-1)
	}
	r := newReader(document)
	_, _ = r.value()
	return r.path, lineAt(document, int(r.decoder.InputOffset())-1)
}
