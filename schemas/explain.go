package schemas

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problem is one thing that the schema refuses, in words of our own.
type problem struct {
	path    []string
	key     string // the key at path that is meant, "" where the value is
	message string
	// What stands there, where it is a word, and the words that may.
	word    string
	options []string
}

// explain turns the library's tree of refusals into one fault: the first problem by place, and how many more there are.
func explain(refused *jsonschema.ValidationError, document any) error {
	problems := distinct(refused, document)
	first, more := problems[0], ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return refuse("SHAPE", first.path, "%s%s", first.message, more)
}

// distinct returns what is refused, each once, by place.
func distinct(refused *jsonschema.ValidationError, document any) []problem {
	problems := collect(refused, document)
	slices.SortFunc(problems, func(a, b problem) int {
		return cmp.Or(slices.Compare(a.path, b.path), cmp.Compare(a.message, b.message))
	})
	problems = slices.CompactFunc(problems, func(a, b problem) bool {
		return a.message == b.message && slices.Equal(a.path, b.path)
	})
	if len(problems) == 0 {
		return []problem{{message: "the document has none of the allowed shapes"}}
	}
	return problems
}

func collect(e *jsonschema.ValidationError, document any) []problem {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return choose(e, document)
	}
	if len(e.Causes) == 0 {
		return describe(e, document)
	}
	var problems []problem
	for _, cause := range e.Causes {
		problems = append(problems, collect(cause, document)...)
	}
	return problems
}

// choose picks the alternative that the document means: the one whose type and whose constants (its tag) it
// has. Where it means none, the allowed values are those of all of them.
func choose(e *jsonschema.ValidationError, document any) []problem {
	depth := len(e.InstanceLocation)
	if tag := missingTag(e); tag != "" {
		return []problem{{path: e.InstanceLocation, message: "missing: " + quoted([]string{tag})}}
	}
	var allowed []string
	var place []string
	for _, branch := range e.Causes {
		mismatch := mismatchIn(branch, depth)
		if mismatch == nil {
			return collect(branch, document)
		}
		allowed = append(allowed, want(mismatch)...)
		place = mismatch.InstanceLocation
	}
	if len(place) == depth {
		allowed = slices.Compact(slices.Sorted(slices.Values(allowed)))
	}
	word, _ := at(document, place).(string)
	return []problem{{path: place, message: "found " + show(at(document, place)) + "; allowed: " + strings.Join(allowed, ", "), word: word, options: unquoted(allowed)}}
}

// tags are the properties that tell the alternatives of the interface apart.
var tags = []string{"result", "kind", "source"}

// mismatchIn finds what rules an alternative out: a wrong type at its own place, or a wrong constant one key below.
func mismatchIn(e *jsonschema.ValidationError, depth int) *jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.Type:
		if len(e.InstanceLocation) == depth {
			return e
		}
	case *kind.Const:
		if len(e.InstanceLocation) == depth+1 && slices.Contains(tags, e.InstanceLocation[depth]) {
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

// missingTag returns the tag that every alternative misses in the document, or "".
func missingTag(e *jsonschema.ValidationError) string {
	for _, tag := range tags {
		if len(e.Causes) > 1 && !slices.ContainsFunc(e.Causes, func(branch *jsonschema.ValidationError) bool {
			return !misses(branch, tag, len(e.InstanceLocation))
		}) {
			return tag
		}
	}
	return ""
}

func misses(e *jsonschema.ValidationError, key string, depth int) bool {
	if required, ok := e.ErrorKind.(*kind.Required); ok && len(e.InstanceLocation) == depth {
		return slices.Contains(required.Missing, key)
	}
	return slices.ContainsFunc(e.Causes, func(cause *jsonschema.ValidationError) bool { return misses(cause, key, depth) })
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

// describe says what a refusal without causes means: one problem, and of unknown keys one for each.
func describe(e *jsonschema.ValidationError, document any) []problem {
	value := at(document, e.InstanceLocation)
	p := problem{path: e.InstanceLocation}
	allowed := func(text string) []problem {
		p.message = "found " + show(value) + "; allowed: " + text
		return []problem{p}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return allowed(strings.Join(want(e), ", "))
	case *kind.Const, *kind.Enum:
		p.word, _ = value.(string)
		p.options = unquoted(want(e))
		return allowed(strings.Join(want(e), ", "))
	case *kind.Required:
		p.message = "missing: " + quoted(k.Missing)
		return []problem{p}
	case *kind.AdditionalProperties:
		return unknownKeys(p, k.Properties, keysAt(e.SchemaURL))
	case *kind.MinLength:
		return allowed("at least " + count(k.Want, "character"))
	case *kind.MaxLength:
		return allowed("at most " + count(k.Want, "character"))
	case *kind.MinItems:
		return allowed("at least " + count(k.Want, "item"))
	case *kind.MaxItems:
		return allowed("at most " + count(k.Want, "item"))
	case *kind.Minimum:
		return allowed("at least " + k.Want.RatString())
	case *kind.Maximum:
		return allowed("at most " + k.Want.RatString())
	case *kind.UniqueItems:
		p.message = fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
		return []problem{p}
	case *kind.Pattern:
		if strings.Contains(k.Got, "\x00") {
			return allowed("a text without NUL") // no pattern admits it
		}
	}
	if text := description(e.SchemaURL); text != "" {
		return allowed(strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], "."))
	}
	return allowed("another value")
}

// maxUnknown bounds how many unknown keys of one object are told one by one.
const maxUnknown = 100

func unknownKeys(p problem, keys, known []string) []problem {
	var problems []problem
	keys = slices.Sorted(slices.Values(keys))
	more := p
	for _, key := range keys[:min(len(keys), maxUnknown)] {
		p.key, p.word, p.options = key, key, known
		p.message = "found the unknown key " + quoted([]string{key})
		if len(known) > 0 {
			p.message += "; allowed: " + strings.Join(known, ", ")
		}
		problems = append(problems, p)
	}
	if n := len(keys) - len(problems); n > 0 {
		more.message = fmt.Sprintf("found %d unknown keys more", n)
		problems = append(problems, more)
	}
	return problems
}

// ordered is the embedded schema with the order of its keys.
var ordered = sync.OnceValue(func() any { return parse(text) })

// keysAt returns the keys that the embedded schema at a place admits, in its order.
func keysAt(url string) []string {
	schema := ordered()
	for _, step := range append(pointerSteps(url), "properties") {
		object, ok := schema.(*object)
		if !ok {
			return nil
		}
		schema = object.of[step]
	}
	if properties, ok := schema.(*object); ok {
		return properties.keys
	}
	return nil
}

// unquoted returns the texts among values that are shown as JSON.
func unquoted(values []string) []string {
	var texts []string
	for _, value := range values {
		if text, err := strconv.Unquote(value); err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// at returns the value at a place of the document.
func at(document any, path []string) any {
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
	return document
}

// show shows a scalar as it is, a container by its name.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return shorten(strconv.Quote(v))
	case map[string]any:
		return "an object"
	case []any:
		return "an array of " + count(len(v), "item")
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
