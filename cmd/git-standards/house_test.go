package main_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/git-standards/git-standards"
)

// rooms is the table of the house: what each room may import of the others, closed down the table below. Every room may
// import those in shared.
var rooms = map[string][]string{
	"cmd/git-standards":             {"cmd/git-standards/agent", "cmd/git-standards/doctor", "cmd/git-standards/landing", "cmd/git-standards/report", "cmd/git-standards/workspace", "hooks", "engine", "engine/authored/adopt", "engine/fixture", "engine/observe", "engine/publish", "engine/trust", "engine/wire", "engine/analysis", "store", "capture", "gitext", "schemas"},
	"cmd/git-standards/agent":       {"engine", "schemas"},
	"cmd/git-standards/doctor":      {"cmd/git-standards/landing", "cmd/git-standards/workspace", "hooks", "engine", "store", "capture", "gitext"},
	"cmd/git-standards/report":      {"engine/wire"},
	"cmd/git-standards/landing":     {"gitext", "store/journal"},
	"cmd/git-standards/workspace":   {"engine", "store", "capture", "gitext"},
	"hooks":                         {"engine", "gitext"},
	"engine":                        {"engine/publish", "engine/query", "engine/resolve"},
	"engine/query":                  {"engine/graph/drawing", "engine/judge"},
	"engine/fixture":                {"engine/authored/fixturefile", "engine/judge"},
	"engine/observe":                {"engine/judge"},
	"engine/resolve":                {"engine/judge"},
	"engine/judge":                  {"engine/wire", "engine/analysis", "engine/publish"},
	"engine/fault":                  {},
	"engine/dotgit":                 {},
	"engine/identity":               {},
	"engine/capabilities":           {},
	"engine/authority":              {"engine/identity"},
	"engine/content":                {"engine/authority"},
	"engine/authored":               {"engine/authored/front", "engine/authored/markdown", "engine/authored/reading", "engine/content", "engine/facts"},
	"engine/authored/adopt":         {"engine/authored"},
	"engine/authored/authorityfile": {"engine/authored/reading", "engine/capabilities"},
	"engine/authored/decisionfile":  {"engine/authored/reading", "engine/content", "engine/facts"},
	"engine/authored/fixturefile":   {"engine/authored/reading", "engine/content", "engine/authored/glob"},
	"engine/authored/reading":       {"engine/authored/yamltext", "engine/identity"},
	"engine/authored/front":         {"engine/authored/yamltext"},
	"engine/authored/glob":          {},
	"engine/authored/markdown":      {},
	"engine/authored/yamltext":      {},
	"engine/facts":                  {"engine/authority", "engine/authored/glob", "engine/capabilities"},
	"engine/operation":              {"engine/authority"},
	"engine/corpus":                 {"engine/authored/authorityfile", "engine/corpus/foldpath", "engine/corpus/pack"},
	"engine/corpus/foldpath":        {},
	"engine/corpus/pack":            {"engine/corpus/records"},
	"engine/corpus/records":         {"engine/authored"},
	"engine/graph":                  {"engine/corpus", "engine/facts"},
	"engine/graph/drawing":          {"engine/graph"},
	"engine/trust":                  {"engine/authority", "engine/capabilities"},
	"engine/analysis":               {"engine/analysis/ask", "engine/analysis/state"},
	"engine/analysis/ask":           {"engine/analysis/compare", "engine/analysis/question"},
	"engine/analysis/state":         {"engine/analysis/compare", "engine/analysis/decision", "engine/analysis/observation", "engine/operation", "engine/trust"},
	"engine/analysis/compare":       {"engine/graph"},
	"engine/analysis/decision":      {"engine/analysis/coverage", "engine/analysis/question"},
	"engine/analysis/coverage":      {"engine/analysis/question"},
	"engine/analysis/observation":   {"engine/facts"},
	"engine/analysis/question":      {"engine/authored/decisionfile", "engine/corpus"},
	"engine/publish":                {"engine/analysis"},
	"engine/wire":                   {},
	"store":                         {"engine/authority"},
	"store/journal":                 {"engine/identity"},
	"capture":                       {"engine/content", "gitext"},
	"gitext":                        {},
	"schemas":                       {},
	"schemas/generate":              {"schemas", "engine/wire", "engine/identity"},
}

// shared are the rooms that every other may import; they import nothing of ours.
var shared = []string{"engine/fault", "engine/dotgit"}

// libraries is the one room of each outside library.
var libraries = map[string]string{
	"github.com/urfave/cli/v2":                 "cmd/git-standards",
	"github.com/aymanbagabas/go-udiff":         "cmd/git-standards",
	"github.com/modelcontextprotocol/go-sdk":   "cmd/git-standards/agent",
	"go.yaml.in/yaml/v3":                       "engine/authored/yamltext",
	"github.com/yuin/goldmark":                 "engine/authored/markdown",
	"github.com/bmatcuk/doublestar/v4":         "engine/authored/glob",
	"github.com/mattn/go-sqlite3":              "store",
	"golang.org/x/sys":                         "capture",
	"github.com/libgit2/git2go/v34":            "gitext",
	"github.com/pjbgf/sha1cd":                  "gitext",
	"github.com/santhosh-tekuri/jsonschema/v6": "schemas",
	"github.com/hiddeco/sshsig":                "engine/trust",
	"golang.org/x/crypto":                      "engine/trust",
	"github.com/google/go-cmp":                 "tests",
	"pgregory.net/rapid":                       "tests",
	"github.com/rogpeppe/go-internal":          "tests",
}

// impure is what would let the machine, the moment or the user into engine/, which is ports in and values out.
var impure = []string{"C", "database/sql", "flag", "io/ioutil", "log", "math/rand", "crypto/rand", "net", "os", "path/filepath", "plugin", "runtime", "syscall",
	"testing", "time", "unsafe"}

// startsProcesses are the only rooms that do.
var startsProcesses = []string{"gitext", "capture"}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// roomOf returns the room of a folder: the longest one that holds it.
func roomOf(dir string) string {
	best := ""
	for room := range rooms {
		// The facade is its own folder alone; what is below it are rooms of their own.
		if dir == room || room != "engine" && within(dir, room) && len(room) > len(best) {
			best = room
		}
	}
	return best
}

func reaches(from, to string) bool {
	if slices.Contains(shared, to) {
		return from == to || !slices.Contains(shared, from)
	}
	if from == to {
		return true
	}
	return slices.ContainsFunc(rooms[from], func(next string) bool { return reaches(next, to) })
}

// breaks returns how one file breaks the table, given its path from the root and its text.
func breaks(file string, text []byte) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
	if err != nil {
		return []string{err.Error()}
	}
	var broken []string
	report := func(format string, args ...any) { broken = append(broken, file+": "+fmt.Sprintf(format, args...)) }
	isTest := strings.HasSuffix(file, "_test.go")
	room := roomOf(filepath.ToSlash(filepath.Dir(file)))
	if room == "" {
		report("is in no room of the house")
	}
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			report("import %s", spec.Path.Value)
			continue
		}
		if !isTest {
			checkPure(room, path, report)
		}
		if path == module || strings.HasPrefix(path, module+"/") {
			target := roomOf(strings.TrimPrefix(path, module+"/"))
			// The tests of the command and of its parts hold what they get against the schemas.
			ofCommand := isTest && within(room, "cmd/git-standards")
			// The readers of objects are held against one another through what reads with them.
			ofReaders := isTest && room == "gitext"
			if target == "" || !reaches(room, target) && !(ofCommand && target == "schemas") && !(ofReaders && reaches("capture", target)) {
				report("room %s may not import %s", room, path)
			}
			continue
		}
		checkLibrary(room, path, isTest, report)
	}
	return broken
}

func checkPure(room, path string, report func(string, ...any)) {
	if within(room, "engine") {
		for _, forbidden := range impure {
			if within(path, forbidden) {
				report("engine is pure and may not import %q", path)
			}
		}
	}
	if path == "os/exec" && !slices.Contains(startsProcesses, room) {
		report("only %s may import os/exec", strings.Join(startsProcesses, " and "))
	}
	if path == "database/sql" && room != "store" {
		report("only store may import database/sql")
	}
}

func checkLibrary(room, path string, isTest bool, report func(string, ...any)) {
	if host, _, _ := strings.Cut(path, "/"); !strings.Contains(host, ".") {
		return // the standard library
	}
	for library, home := range libraries {
		if !within(path, library) {
			continue
		}
		// The command's tests look at what the other rooms leave behind, with the other rooms' tools, and the tests of a room
		// within another use what that one has.
		if home == room || isTest && (home == "tests" || room == "cmd/git-standards" || within(room, home)) {
			return
		}
		report("only %s may import %s", home, path)
		return
	}
	report("no room is given to the outside library %s", path)
}

func goFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || name == "bin") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("%d Go files: %v", len(files), err)
	}
	return files
}

func TestHouseImports(t *testing.T) {
	t.Parallel()
	for file, text := range goFiles(t) {
		for _, broken := range breaks(file, text) {
			t.Error(broken)
		}
	}
}

// A test that cannot fail proves nothing: each wrong import must be reported, each right one not.
func TestHouseImportsAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, path string
		broken     bool
	}{
		{"engine/identity/x.go", module + "/engine/authority", true},
		{"engine/authority/x.go", module + "/engine/identity", false},
		{"engine/content/x.go", module + "/engine/identity", false},
		{"engine/content/x.go", module + "/engine/authored", true},
		{"engine/graph/x.go", module + "/engine/analysis", true},
		{"engine/analysis/x.go", module + "/engine/content", false},
		{"engine/analysis/x.go", module + "/engine", true},
		{"engine/analysis/x.go", module + "/engine/analysis/question", false},
		{"engine/analysis/decision/x.go", module + "/engine/analysis/question", false},
		{"engine/analysis/decision/x.go", module + "/engine/graph", true},
		{"engine/analysis/decision/x.go", module + "/engine/analysis", true},
		{"engine/analysis/question/x.go", module + "/engine/corpus", false},
		{"engine/analysis/question/x.go", module + "/engine/analysis/decision", true},
		{"engine/analysis/question/x.go", module + "/engine/graph", true},
		{"engine/analysis/question/x.go", module + "/engine/analysis", true},
		{"engine/analysis/state/x.go", module + "/engine/analysis/compare", false},
		{"engine/analysis/state/x.go", module + "/engine/trust", false},
		{"engine/analysis/state/x.go", module + "/engine/analysis", true},
		{"engine/authored/decisionfile/x.go", module + "/engine/authored/reading", false},
		{"engine/authored/decisionfile/x.go", module + "/engine/authored", true},
		{"engine/authored/authorityfile/x.go", module + "/engine/trust", true},
		{"engine/authored/fixturefile/x.go", module + "/engine/authored/glob", false},
		{"engine/authored/fixturefile/x.go", module + "/engine/corpus", true},
		{"engine/authored/reading/x.go", module + "/engine/authored/glob", true},
		{"engine/authored/front/x.go", module + "/engine/authored/reading", true},
		{"engine/corpus/records/x.go", module + "/engine/authored", false},
		{"engine/corpus/records/x.go", module + "/engine/corpus", true},
		{"engine/corpus/foldpath/x.go", module + "/engine/authored", true},
		{"engine/analysis/ask/x.go", module + "/engine/analysis/compare", false},
		{"engine/analysis/ask/x.go", module + "/engine/analysis/decision", true},
		{"engine/analysis/ask/x.go", module + "/engine/trust", true},
		{"engine/analysis/compare/x.go", module + "/engine/graph", false},
		{"engine/analysis/compare/x.go", module + "/engine/content", false},
		{"engine/analysis/compare/x.go", module + "/engine/analysis/question", true},
		{"engine/analysis/compare/x.go", module + "/engine/analysis", true},
		{"engine/analysis/x.go", module + "/gitext", true},
		{"engine/wire/x.go", module + "/engine/identity", true},
		{"engine/wire/x.go", module + "/engine/fault", false},
		{"engine/fault/x.go", module + "/engine/identity", true},
		{"engine/fault/x.go", module + "/engine/dotgit", true},
		{"engine/dotgit/x.go", module + "/engine/fault", true},
		{"engine/dotgit/x.go", module + "/engine/content", true},
		{"engine/content/x.go", module + "/engine/dotgit", false},
		{"gitext/x.go", module + "/engine/dotgit", false},
		{"gitext/x.go", module + "/engine/content", true},
		{"engine/x.go", module + "/engine/analysis", false},
		{"engine/x.go", module + "/store", true},
		{"engine/judge/x.go", module + "/engine/wire", false},
		{"engine/judge/x.go", module + "/engine", true},
		{"engine/judge/x.go", module + "/engine/resolve", true},
		{"engine/resolve/x.go", module + "/engine/judge", false},
		{"engine/fixture/x.go", module + "/engine/judge", false},
		{"engine/fixture/x.go", module + "/engine/resolve", true},
		{"cmd/git-standards/report/x.go", module + "/engine/wire", false},
		{"cmd/git-standards/report/x.go", module + "/engine/judge", true},
		{"cmd/git-standards/doctor/x.go", module + "/cmd/git-standards/landing", false},
		{"cmd/git-standards/doctor/x.go", module + "/schemas", true},
		{"cmd/git-standards/doctor/x.go", "os/exec", true},
		{"cmd/git-standards/workspace/x.go", module + "/store", false},
		{"cmd/git-standards/workspace/x.go", module + "/schemas", true},
		{"engine/unknown/x.go", "fmt", true},
		{"store/x.go", module + "/engine/authority", false},
		{"store/x.go", module + "/engine/content", true},
		{"store/journal/x.go", module + "/engine/identity", false},
		{"store/journal/x.go", module + "/engine/authority", true},
		{"store/journal/x.go", module + "/store", true},
		{"store/journal/x.go", "database/sql", true},
		{"store/journal/x.go", "github.com/mattn/go-sqlite3", true},
		{"store/journal/x.go", "os/exec", true},
		{"capture/x.go", module + "/gitext", false},
		{"capture/x.go", module + "/store", true},
		{"gitext/x.go", module + "/engine/fault", false},
		{"gitext/x.go", module + "/engine/analysis", true},
		{"gitext/x.go", module + "/capture", true},
		{"hooks/x.go", module + "/engine", false},
		{"hooks/x.go", module + "/store", true},
		{"schemas/x.go", module + "/engine/wire", true},
		{"schemas/x.go", module + "/schemas/generate", true},
		{"schemas/generate/x.go", module + "/schemas", false},
		{"schemas/generate/x.go", module + "/engine/wire", false},
		{"schemas/generate/x.go", module + "/engine", true},
		{"schemas/generate/x.go", "github.com/santhosh-tekuri/jsonschema/v6", true},
		{"schemas/generate/x_test.go", "github.com/santhosh-tekuri/jsonschema/v6", false},
		{"engine/wire/x_test.go", "github.com/santhosh-tekuri/jsonschema/v6", true},
		{"cmd/git-standards/x.go", module + "/hooks", false},
		{"cmd/git-standards/x.go", module + "/elsewhere", true},
		{"elsewhere/x.go", "fmt", true},
		{"x.go", "fmt", true},
		{"engine/content/x.go", "os", true},
		{"engine/content/x.go", "os/exec", true},
		{"engine/content/x.go", "time", true},
		{"engine/content/x.go", "net/http", true},
		{"engine/content/x.go", "C", true},
		{"engine/content/x.go", "database/sql", true},
		{"engine/content/x.go", "syscall", true},
		{"engine/content/x_test.go", "os/exec", false},
		{"engine/content/x.go", "context", false},
		{"cmd/git-standards/x.go", "os/exec", true},
		{"hooks/x.go", "os/exec", true},
		{"gitext/x.go", "os/exec", false},
		{"capture/x.go", "os/exec", false},
		{"store/x.go", "database/sql", false},
		{"gitext/x.go", "github.com/libgit2/git2go/v34", false},
		{"capture/x.go", "github.com/libgit2/git2go/v34", true},
		{"store/x.go", "github.com/mattn/go-sqlite3", false},
		{"gitext/x.go", "github.com/mattn/go-sqlite3", true},
		{"cmd/git-standards/x.go", "github.com/mattn/go-sqlite3", true},
		{"cmd/git-standards/x_test.go", "github.com/mattn/go-sqlite3", false},
		{"engine/authored/glob/x.go", module + "/engine/authored", true},
		{"engine/authored/adopt/x.go", module + "/engine/authored/markdown", false},
		{"engine/authored/x.go", module + "/engine/authored/adopt", true},
		{"engine/authored/adopt/x.go", "go.yaml.in/yaml/v3", true},
		{"engine/analysis/x.go", module + "/engine/authored/glob", false},
		{"engine/authored/glob/x.go", "github.com/bmatcuk/doublestar/v4", false},
		{"engine/authored/x.go", "github.com/bmatcuk/doublestar/v4", true},
		{"engine/authored/markdown/x.go", "github.com/yuin/goldmark/ast", false},
		{"engine/authored/x.go", "github.com/yuin/goldmark/ast", true},
		{"engine/authored/x.go", "go.yaml.in/yaml/v3", true},
		{"engine/authored/yamltext/x.go", "go.yaml.in/yaml/v3", false},
		{"engine/authored/yamltext/x.go", module + "/engine/authored", true},
		{"engine/authored/yamltext/x.go", module + "/engine/content", true},
		{"engine/authored/markdown/x.go", "go.yaml.in/yaml/v3", true},
		{"engine/corpus/x.go", "github.com/yuin/goldmark/ast", true},
		{"engine/corpus/x_test.go", "github.com/yuin/goldmark", true},
		{"capture/x.go", "golang.org/x/sys/unix", false},
		{"gitext/x.go", "golang.org/x/sys/unix", true},
		{"schemas/x.go", "github.com/santhosh-tekuri/jsonschema/v6/kind", false},
		{"cmd/git-standards/x.go", "github.com/urfave/cli/v2", false},
		{"hooks/x.go", "github.com/urfave/cli/v2", true},
		{"cmd/git-standards/x.go", "github.com/aymanbagabas/go-udiff", false},
		{"engine/authored/x.go", "github.com/aymanbagabas/go-udiff", true},
		{"engine/trust/x.go", "golang.org/x/crypto/ssh", false},
		{"engine/trust/x.go", "github.com/hiddeco/sshsig", false},
		{"engine/analysis/x.go", "golang.org/x/crypto/ssh", true},
		{"capture/x.go", "github.com/hiddeco/sshsig", true},
		{"engine/trust/x.go", module + "/engine/authored", true},
		{"engine/trust/x.go", module + "/engine/capabilities", false},
		{"engine/authored/x.go", module + "/engine/capabilities", false},
		{"engine/content/x.go", module + "/engine/capabilities", true},
		{"engine/capabilities/x.go", module + "/engine/identity", true},
		{"engine/analysis/x.go", module + "/engine/trust", false},
		{"store/x.go", "pgregory.net/rapid", true},
		{"store/x_test.go", "pgregory.net/rapid", false},
		{"store/x_test.go", "github.com/stretchr/testify/assert", true},
		{"store/x_test.go", module + "/gitext", true},
	} {
		text := fmt.Sprintf("package x\n\nimport _ %q\n", c.path)
		if broken := breaks(c.file, []byte(text)); (len(broken) > 0) != c.broken {
			t.Errorf("%s imports %s: %q", c.file, c.path, broken)
		}
	}
	if len(breaks("store/x.go", []byte("package"))) == 0 {
		t.Error("a file that does not parse is not reported")
	}
}

const longest = 450

func TestHouseFilesAreShort(t *testing.T) {
	t.Parallel()
	for file, text := range goFiles(t) {
		generated := strings.HasSuffix(file, "_gen.go") && bytes.HasPrefix(text, []byte("// Code generated "))
		if lines := bytes.Count(text, []byte("\n")); lines > longest && !strings.HasSuffix(file, "_test.go") && !generated {
			t.Errorf("%s has %d lines, more than %d", file, lines, longest)
		}
	}
}

// doc/identity.md names every domain in use and no other.
func TestHouseDomainsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "doc/identity.md"))
	if err != nil {
		t.Fatal(err)
	}
	domain := regexp.MustCompile("coding-standards:[a-z-]+:v[0-9]+")
	used := map[string]bool{"coding-standards:identity:v2": true, "coding-standards:test:v1": true}
	for file, text := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			for _, name := range domain.FindAllString(string(text), -1) {
				used[name] = true
			}
		}
	}
	for name := range used {
		if !bytes.Contains(page, []byte(name)) {
			t.Errorf("doc/identity.md does not name %s", name)
		}
	}
	for _, name := range domain.FindAllString(string(page), -1) {
		if !used[name] {
			t.Errorf("doc/identity.md names %s, which nothing uses", name)
		}
	}
}
