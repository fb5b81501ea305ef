package schemas

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problem is one thing that the schema refuses, in words of our own.
type problem struct {
	path    []string
	message string
}

// explain turns the library's tree of refusals into one fault: the first problem by place, and how many more there are.
func explain(refused *jsonschema.ValidationError, document any) error {
	problems := collect(refused, document)
	slices.SortFunc(problems, func(a, b problem) int {
		return cmp.Or(slices.Compare(a.path, b.path), cmp.Compare(a.message, b.message))
	})
	problems = slices.CompactFunc(problems, func(a, b problem) bool {
		return a.message == b.message && slices.Equal(a.path, b.path)
	})
	if len(problems) == 0 {
		return refuse("SHAPE", nil, "the document has none of the allowed shapes")
	}
	first, more := problems[0], ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return refuse("SHAPE", first.path, "%s%s", first.message, more)
}

func collect(e *jsonschema.ValidationError, document any) []problem {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return choose(e, document)
	}
	if len(e.Causes) == 0 {
		return []problem{{e.InstanceLocation, describe(e, document)}}
	}
	var problems []problem
	for _, cause := range e.Causes {
		problems = append(problems, collect(cause, document)...)
	}
	return problems
}

// choose picks the alternative that the document means: the one whose type and whose constants (the tag `result`) it
// has. Where it means none, the allowed values are those of all of them.
func choose(e *jsonschema.ValidationError, document any) []problem {
	var allowed []string
	var tag []string
	for _, branch := range e.Causes {
		mismatch := mismatchIn(branch, len(e.InstanceLocation))
		if mismatch == nil {
			return collect(branch, document)
		}
		allowed = append(allowed, want(mismatch)...)
		tag = mismatch.InstanceLocation
	}
	if len(tag) == len(e.InstanceLocation) {
		allowed = slices.Compact(slices.Sorted(slices.Values(allowed)))
	}
	return []problem{{tag, "found " + found(document, tag) + "; allowed: " + strings.Join(allowed, ", ")}}
}

// mismatchIn finds what rules an alternative out: a wrong type at its own place, or a wrong constant one key below.
func mismatchIn(e *jsonschema.ValidationError, depth int) *jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.Type:
		if len(e.InstanceLocation) == depth {
			return e
		}
	case *kind.Const:
		if len(e.InstanceLocation) == depth+1 && e.InstanceLocation[depth] == "result" {
			return e
		}
	}
	for _, cause := range e.Causes {
		if found := mismatchIn(cause, depth); found != nil {
			return found
		}
	}
	return nil
}

// want lists what one refusal would have allowed, as JSON.
func want(e *jsonschema.ValidationError) []string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return k.Want
	case *kind.Const:
		return []string{show(k.Want)}
	case *kind.Enum:
		var values []string
		for _, v := range k.Want {
			values = append(values, show(v))
		}
		return values
	}
	return nil
}

func describe(e *jsonschema.ValidationError, document any) string {
	allowed := func(text string) string {
		return "found " + found(document, e.InstanceLocation) + "; allowed: " + text
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type, *kind.Const, *kind.Enum:
		return allowed(strings.Join(want(e), ", "))
	case *kind.Required:
		return "missing: " + quoted(k.Missing)
	case *kind.AdditionalProperties:
		return "found the unknown key " + quoted(k.Properties)
	case *kind.MinLength:
		return allowed(fmt.Sprintf("at least %d characters", k.Want))
	case *kind.MinItems:
		return allowed(fmt.Sprintf("at least %d items", k.Want))
	case *kind.MaxItems:
		return allowed(fmt.Sprintf("at most %d items", k.Want))
	case *kind.Minimum:
		return allowed("at least " + k.Want.RatString())
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	}
	if text := description(e.SchemaURL); text != "" {
		return allowed(text)
	}
	return allowed("another value")
}

// found shows the value at a place of the document: a scalar as it is, a container by its name.
func found(document any, path []string) string {
	for _, step := range path {
		switch at := document.(type) {
		case map[string]any:
			document = at[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(at) {
				document = at[i]
			}
		}
	}
	return show(document)
}

func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return shorten(strconv.Quote(v))
	case map[string]any:
		return "an object"
	case []any:
		return fmt.Sprintf("an array of %d items", len(v))
	}
	return shorten(fmt.Sprint(value))
}

func quoted(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	for i, name := range names {
		names[i] = shorten(strconv.Quote(name))
	}
	if n := len(names); n > 5 {
		names = append(names[:5], fmt.Sprintf("and %d more", n-5))
	}
	return strings.Join(names, ", ")
}

// pointerSteps takes the fragment of a schema's location apart.
func pointerSteps(url string) []string {
	_, fragment, _ := strings.Cut(url, "#")
	steps := strings.Split(strings.TrimPrefix(fragment, "/"), "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~", "%24", "$")
	for i := range steps {
		steps[i] = unescape.Replace(steps[i])
	}
	return steps
}
