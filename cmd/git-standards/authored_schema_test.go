package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/authorityfile"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/fixturefile"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/schemas"
)

// format is one kind of authored text: how the program reads it, and how an editor sees it.
type format struct {
	name string
	read func(text []byte) []reading.Finding
	// yaml is the YAML in a text, nil where it is no such text; wrap makes a text of YAML on one line.
	yaml func(text []byte) []byte
	wrap func(flow []byte) []byte
}

const moduleBody = "# T\n## Errors\nx\n## Second\ny\n### Third\nz\n"

func same1(text []byte) []byte { return text }

var formats = []format{
	{"manifest", func(text []byte) []reading.Finding { _, f := authored.ParseManifest("f", text); return f }, same1, same1},
	{"authority", func(text []byte) []reading.Finding { _, f := authorityfile.Parse("f", text); return f }, same1, same1},
	{"fixture", func(text []byte) []reading.Finding { _, f := fixturefile.Parse("f", text); return f }, same1, same1},
	{"decision", func(text []byte) []reading.Finding { _, f := decisionfile.Parse("f", text); return f }, same1, same1},
	{"module", func(text []byte) []reading.Finding { _, f := authored.ParseModule("f", text); return f }, frontMatter,
		func(flow []byte) []byte {
			var front map[string]json.RawMessage
			if json.Unmarshal(flow, &front) != nil || front["standard"] == nil {
				return nil
			}
			return []byte("---\nstandard: " + string(front["standard"]) + "\n---\n" + moduleBody)
		}},
}

// frontMatter is what stands between the lines --- of a module.
func frontMatter(text []byte) []byte {
	if !front.IsModule(text) {
		return nil
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "---\n")
	front, _, closed := strings.Cut(rest, "\n---\n")
	if !closed {
		return nil
	}
	return []byte(front + "\n")
}

// onlyReaders are the findings of which a schema knows nothing, by code and message: what is wrong with the text before it
// is a value, what two places say together, and what a pattern cannot tell.
var onlyReaders = regexp.MustCompile(`^(?:` + strings.Join([]string{
	// The text: how it is written, and what of YAML is read.
	`YAML\.(?:SYNTAX|ALIAS|CONFLICT|DOCUMENTS|ENCODING|KEY_REPEATED|TOO_BIG|TOO_DEEP) .*`,
	`MODULE\.(?:ENCODING|FRONT_MATTER_OPEN) .*`,
	`YAML\.TYPE .*, not a value tagged.*`,
	`YAML\.TYPE .* is not a decimal integer of 64 bits`,   // 01, 0x1, +1
	`YAML\.TYPE .* must be true or false, not "[TF].*`,    // True
	`YAML\.TYPE .* must be an integer, not a number`,      // 1.0
	`YAML\.TYPE (?:an entry of )?".*" cannot be a number`, // 1.0 in a record
	`YAML\.TYPE a key of .*`,                              // keys that are no texts
	// Two places: ids, edges, lineage, the body below the front matter.
	`MODULE\.(?:UNIT_REPEATED|HEADING_SHARED|HEADING_AMBIGUOUS|TOO_BIG|TOO_DEEP) .*`,
	`MODULE\.HEADING_MISSING no heading .*`,
	`UNIT\.LINEAGE_SELF .*`,
	`(?:CONSUMER|FACT|PROVIDER|ROUTING)\.REPEATED .*`,
	`MANIFEST\.GLOB the exclusion ".*" stands on line .*`,
	// Two places of authority.yaml, and what is in a key.
	`AUTHORITY\.(?:PRINCIPAL_REPEATED|PRINCIPAL_UNKNOWN|EMAIL_SHARED|KEY_SHARED|NO_KEY) .*`,
	`AUTHORITY\.(?:EMAIL|KEY) .* stands on line .*`,
	`AUTHORITY\.KEY the key cannot be used: .*`,
	`AUTHORITY\.COVERAGE coverage needs .*`,
	`AUTHORITY\.REVOCATION (?:revocation .* stands on line .*|the key SHA256:.* is that of principal .*)`,
	// Two places of a fixture, and what is in a path or a glob.
	`TEST\.CASE (?:a case on line .* is called .*|(?:a glob|glob) .*)`,
	`TEST\.PATH .* has a component (?:that Git keeps for itself|of more than 255 bytes)`,
	`TEST\.EDIT find and with are the same`,
	// How deep expressions are and how many operators they have, and lengths in bytes.
	`EXPRESSION\.TOO_BIG .*`,
	`FACT\.VALUES a value of .* bytes; at most .*`,
	// Patterns: what Git keeps for itself, lengths in bytes, brackets, the cost of a glob.
	`(?:CONSUMER\.PATH|DECISION\.(?:EVIDENCE|MEMBERS)) path: .* has a component (?:that Git keeps for itself|of more than 255 bytes)`,
	`(?:CONSUMER|MANIFEST|EXPRESSION)\.GLOB .*glob .* (?:has a bracket, a brace or a backslash without its other half|holds more than 4 \*\*|stands for more than 64 alternatives)`,
	`(?:CONSUMER|MANIFEST|EXPRESSION)\.GLOB .*a glob of .* bytes; at most 1024 are read`,
}, "|") + `)$`)

// Examples of authority.yaml: right ones, and wrong ones that say in their first line where.
func TestExamplesOfAuthority(t *testing.T) {
	t.Parallel()
	schema := validator(t, "authority")
	names, err := filepath.Glob(root + "/schemas/testdata/authored/authority/*.yaml")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil {
			t.Fatal(name, err)
		}
		tree := seen(document.Content[0])
		refused := schema.Validate(tree)
		where, wrong := strings.CutPrefix(strings.SplitN(string(text), "\n", 2)[0], "# refused at ")
		switch {
		case !wrong && refused != nil:
			t.Errorf("%s: %v", name, refused)
		case wrong && (refused == nil || !strings.Contains(refused.Error(), "at '"+where+"': ")):
			t.Errorf("%s is not refused at %q: %v", name, where, refused)
		}
		_, findings := authorityfile.Parse(name, text)
		if wrong != slices.ContainsFunc(findings, func(f reading.Finding) bool { return f.Severity == reading.SeverityError }) {
			t.Errorf("%s: %v", name, findings)
		}
	}
}

// texts returns every text that the repository holds as an example of anything: files and fences of doc/, files of scripts,
// and the constants of all tests.
func texts(t *testing.T) [][]byte {
	t.Helper()
	seen := map[string]bool{}
	add := func(text string) { seen[text] = true }
	fence := regexp.MustCompile("(?ms)^```[^\n]*\n(.*?)^```")
	tests := map[string][]string{} // folder → test files
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "bin"):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		case strings.HasSuffix(path, "_test.go"):
			tests[filepath.Dir(path)] = append(tests[filepath.Dir(path)], path)
			return nil
		case !slices.Contains([]string{".md", ".yaml", ".txtar"}, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		add(string(text))
		for _, match := range fence.FindAllStringSubmatch(string(text), -1) {
			add(match[1])
		}
		if filepath.Ext(path) == ".txtar" {
			for _, file := range txtar.Parse(text).Files {
				add(string(file.Data))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range tests {
		for _, text := range constants(t, files) {
			add(text)
		}
	}
	var all [][]byte
	for _, text := range slices.Sorted(maps.Keys(seen)) {
		all = append(all, []byte(text))
	}
	return all
}

// constants returns the strings that are constant in the files of a package, sums included.
func constants(t *testing.T, files []string) (texts []string) {
	t.Helper()
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Error: func(error) {}, Importer: nothingImported{}} // what the package imports is no constant of ours
	_, _ = config.Check("x", set, parsed, info)
	for _, value := range info.Types {
		if value.Value != nil && value.Value.Kind() == constant.String {
			if text := constant.StringVal(value.Value); strings.Contains(text, ":") {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

type nothingImported struct{}

func (nothingImported) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s", path)
}

var (
	yamlInteger = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	yamlNumber  = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
)

// seen is YAML as an editor sees it: JSON by the core schema of YAML 1.2.
func seen(node *yaml.Node) any {
	switch node.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range node.Content {
			list = append(list, seen(item))
		}
		return list
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			object[node.Content[i].Value] = seen(node.Content[i+1])
		}
		return object
	}
	switch value := node.Value; {
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0:
		return value
	case slices.Contains([]string{"", "~", "null", "Null", "NULL"}, value):
		return nil
	case slices.Contains([]string{"true", "True", "TRUE"}, value):
		return true
	case slices.Contains([]string{"false", "False", "FALSE"}, value):
		return false
	case yamlInteger.MatchString(value) || yamlNumber.MatchString(value):
		if json.Valid([]byte(value)) {
			return json.Number(value)
		}
		return json.Number("1") // 0x1, 01, .5: a number in another spelling
	}
	return node.Value
}

func validator(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := schemas.Authored(name)
	if !ok {
		t.Fatalf("no schema %s", name)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("x:"+name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("x:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// agree compares the two verdicts of a text. accepted is the schema's.
func (f format) agree(t *testing.T, what string, text []byte, accepted error) (clean bool) {
	t.Helper()
	findings := f.read(text)
	var both []string
	for _, finding := range findings {
		if said := finding.Code + " " + strings.ReplaceAll(finding.Message, "\n", " "); !onlyReaders.MatchString(said) {
			both = append(both, said)
		}
	}
	switch {
	case len(findings) == 0 && accepted != nil:
		t.Errorf("%s %s: a false alarm\n%v\n%s", f.name, what, accepted, text)
	case len(both) > 0 && accepted == nil:
		t.Errorf("%s %s: the schema accepts what the reader refuses\n%s\n%s", f.name, what, strings.Join(both, "\n"), text)
	}
	return len(findings) == 0
}

// What the readers accept, editors accept; what the readers refuse, editors refuse, but for what only readers can know. It
// holds for every text in the repository, read as each of the formats, and for everything that is one step away from a
// text that is right.
func TestEditorsSayWhatLintSays(t *testing.T) {
	t.Parallel()
	all := texts(t)
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			schema := validator(t, f.name)
			clean, compared, changed := 0, 0, 0
			steppedOn := map[string]int{}
			for _, text := range all {
				var document yaml.Node
				front := f.yaml(text)
				if front == nil || yaml.Unmarshal(front, &document) != nil || document.Kind != yaml.DocumentNode {
					continue
				}
				compared++
				tree := seen(document.Content[0])
				if !f.agree(t, "as it stands", text, schema.Validate(tree)) {
					continue
				}
				clean++
				steps(tree, func(what string) {
					// A step costs a reading of the whole: three of each kind are enough.
					if kind := names.ReplaceAllString(digits.ReplaceAllString(what, "/*"), "$1*"); steppedOn[kind] < 3 {
						steppedOn[kind]++
					} else {
						return
					}
					flow, err := json.Marshal(tree)
					if err != nil {
						t.Fatal(err)
					}
					if text := f.wrap(flow); text != nil {
						changed++
						f.agree(t, what, text, schema.Validate(numbered(tree)))
					}
				})
			}
			t.Logf("%d texts, %d of them clean, %d changed ones", compared, clean, changed)
			if compared < 50 || clean < 8 || changed < 1000 {
				t.Errorf("only %d texts, %d of them clean, %d changed ones", compared, clean, changed)
			}
		})
	}
}

var (
	digits = regexp.MustCompile(`/[0-9]+`)
	names  = regexp.MustCompile(`(/(?:edit|write|move|facts)/)[^ ]*`) // whatever is below a name that is no key
)

// numbered is a tree with the integers as the validator takes them.
func numbered(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		object := map[string]any{}
		for key, value := range v {
			object[key] = numbered(value)
		}
		return object
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, numbered(item))
		}
		return list
	case int:
		return json.Number(fmt.Sprint(v))
	}
	return tree
}

// others are the values that are put in the place of each: of every type, and texts that look right and are not.
var others = []any{nil, true, 0, -1, 2, "", " ", "no such word", "a\nb", "/a", "a//b", "../a", "a/.", "standards/decisions/x", ".git", "-a", "a b", "x[", "MUST",
	"policy", "consumer", "open", "waiver", "absent", "always", "change.x", "enum", "no-impact", "updated", "impact-review", []any{}, []any{"a"}, []any{"a", "a"}, []any{"policy", "policy"},
	[]any{1}, []any{""}, []any{map[string]any{}}, map[string]any{}, map[string]any{"a": "b"}, []any{"policy", "consumer"}, []any{"always"}, map[string]any{"not": "always"},
	map[string]any{"all": []any{"always"}}, map[string]any{"exists": map[string]any{"fact": "a"}}}

// steps calls try with every tree that is one step away: a key dropped, misspelt, added or doubled under another name, an
// entry dropped, repeated or added, a value of another type or outside its list.
func steps(tree any, try func(what string)) {
	var walk func(at any, place string, set func(any))
	walk = func(at any, place string, set func(any)) {
		for _, other := range others {
			set(other)
			try(fmt.Sprintf("%s = %v", place, other))
		}
		set(at)
		switch v := at.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(v))
			for _, key := range keys {
				old := v[key]
				delete(v, key)
				try("without " + place + "/" + key)
				for _, wrong := range []string{key + "s", strings.ToUpper(key), strings.ReplaceAll(key, "-", "_") + "_"} {
					v[wrong] = old
					try("misspelt " + place + "/" + key)
					delete(v, wrong)
				}
				v[key] = old
			}
			for _, more := range []string{"extra", "facts", "providers", "routing", "horizon", "path", "glob", "module", "value", "signature", "evidence", "when", "on",
				"gate", "aliases", "heading", "revision", "title", "protected", "block", "sha256", "kind", "members", "values", "not", "all", "exists", "fact", "inputs", "nullable"} {
				if _, taken := v[more]; !taken {
					for _, value := range []any{"a", []any{"a"}, nil} {
						v[more] = value
						try(fmt.Sprintf("%s/%s = %v more", place, more, value))
					}
					delete(v, more)
				}
			}
			for _, key := range keys {
				walk(v[key], place+"/"+key, func(value any) { v[key] = value })
			}
		case []any:
			for i := range v {
				set(append(append([]any{}, v[:i]...), v[i+1:]...))
				try("one entry less in " + place)
				set(append(slices.Clone(v), v[i]))
				try("one entry twice in " + place)
				set(at)
				walk(v[i], fmt.Sprintf("%s/%d", place, i), func(value any) { v[i] = value })
			}
		}
	}
	walk(tree, "", func(any) {})
}
