package question

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// Codec owns question: the record that a question's id hashes, and for a file the bytes behind it.
var Codec = authority.Codec{
	Kind:            "question",
	Domain:          "coding-standards:question:v1",
	PayloadContract: "question.v1",
	Examine:         examine,
}

// field is what a key of a question record may hold.
type field func(value any) bool

func text(value any) bool {
	s, ok := value.(string)
	return ok && s != ""
}

func revision(value any) bool {
	n, ok := value.(int64)
	return value == nil || ok && n >= 1
}

func id(kind string) field {
	return func(value any) bool {
		s, _ := value.(string)
		got, _, ok := identity.Split(s)
		return ok && got == kind
	}
}

func either(fields ...field) field {
	return func(value any) bool {
		return slices.ContainsFunc(fields, func(f field) bool { return f(value) })
	}
}

func absent(value any) bool { return value == Absent }

func digest(value any) bool {
	s, _ := value.(string)
	return identity.IsBytesDigest(s)
}

func anything(any) bool { return true }

func texts(value any) bool {
	list, ok := value.(identity.List)
	return ok && !slices.ContainsFunc(list, func(item any) bool { return !text(item) })
}

func inputs(value any) bool {
	list, ok := value.(identity.List)
	return ok && !slices.ContainsFunc(list, func(item any) bool {
		input, ok := item.(identity.Record)
		return !ok || len(input) != 2 || !text(input["path"]) || !either(absent, digest)(input["bytes"])
	})
}

func consumer(value any) bool {
	target, ok := value.(identity.Record)
	return ok && len(target) == 1 && (text(target["path"]) || text(target["module"]))
}

var unitState = map[string]field{"unit": text, "revision": revision, "structure": either(absent, id("structure"))}

// preimages is doc/questions.md as data: for each kind, or reason of an impact-review, its keys beside recipe, kind and
// reason.
var preimages = map[string]map[string]field{
	ConsumerReview: with(unitState, map[string]field{
		"relation": text, "program": id("program"), "consumer": consumer, "bytes": either(absent, digest, id("module-structure")),
	}),
	SameRevision:       unitState,
	UnmappedText:       {"module": text, "structure": either(absent, id("structure"))},
	DeclarationChanged: {"declaration": text, "old": anything, "new": anything},
	BaseInvalid:        {"file": text, "old": either(absent, digest), "new": either(absent, digest)},
	Fact:               {"fact": text, "contract": id("fact-contract"), "inputs": inputs, "units": texts},
	Coverage:           with(unitState, map[string]field{"relations": texts, "evidence": text}),
}

func with(a, b map[string]field) map[string]field {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func examine(payload any) (any, []authority.Reference, error) {
	record, ok := payload.(identity.Record)
	if !ok {
		return nil, nil, fmt.Errorf("a question is not an object")
	}
	if record["recipe"] != Recipe {
		return nil, nil, fmt.Errorf("recipe %q is unknown; this build knows %s", fmt.Sprint(record["recipe"]), Recipe)
	}
	kind, _ := record["kind"].(string)
	name := kind
	if kind == ImpactReview {
		name, _ = record["reason"].(string)
	} else if kind != ConsumerReview && kind != Fact && kind != Coverage {
		name = "" // a reason in the place of a kind
	}
	keys, known := preimages[name]
	if !known {
		return nil, nil, fmt.Errorf("kind %q with reason %q is no question of recipe %s", kind, fmt.Sprint(record["reason"]), Recipe)
	}
	for key := range record {
		if _, known := keys[key]; !known && key != "recipe" && key != "kind" && (key != "reason" || kind != ImpactReview) {
			return nil, nil, fmt.Errorf("a %s record has no field %q", name, key)
		}
	}
	for key, admits := range keys {
		value, ok := record[key]
		if !ok || !admits(value) {
			return nil, nil, fmt.Errorf("field %q of a %s record is missing or malformed", key, name)
		}
	}
	var refs []authority.Reference
	if target, ok := record["consumer"].(identity.Record); ok && target["path"] != nil && digest(record["bytes"]) {
		ref, err := content.FileReference(record["bytes"].(string))
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, ref)
	}
	if structure, _ := record["structure"].(string); structure != "" && structure != Absent {
		refs = append(refs, authority.Reference{Kind: corpus.StructureCodec.Kind, ID: structure})
	}
	return payload, refs, nil
}

// UnknownRecipe reports a recipe that is well formed and not ours: a newer version's, which must not be taken for damage.
func UnknownRecipe(record identity.Record) bool {
	recipe, ok := record["recipe"].(string)
	return ok && recipe != Recipe && strings.HasPrefix(recipe, "q") && strings.Trim(recipe[1:], "0123456789") == "" &&
		len(recipe) > 1 && recipe[1] != '0'
}

// ID is the id of the question that a record is, or why it is none.
func ID(record any) (string, error) {
	if _, _, err := examine(record); err != nil {
		return "", err
	}
	return Codec.ID(record)
}
