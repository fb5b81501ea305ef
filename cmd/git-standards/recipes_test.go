package main_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// ciPage is the page of recipes. Its fenced blocks that name a file behind their language are what scripts install, so that what people
// copy is what was run.
const ciPage = root + "/doc/ci.md"

// recipe FILE writes the block of doc/ci.md that names the file, below the current folder.
func recipe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: recipe FILE")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	ts.Check(os.WriteFile(path, []byte(block(ts, args[0])), 0o666))
}

func block(ts *testscript.TestScript, file string) string {
	page, err := os.ReadFile(ciPage)
	ts.Check(err)
	blocks, _ := splitFences(string(page))
	at := slices.IndexFunc(blocks, func(b fence) bool {
		_, name, _ := strings.Cut(b.language, " ")
		return name == file
	})
	if at < 0 {
		ts.Fatalf("%s has no block for %s", ciPage, file)
	}
	return blocks[at].text
}

// ciStep is one of a job or of a composite action.
type ciStep struct {
	Shell, Run, Uses string
	With, Env        map[string]string
}

// ciValues is what expressions have as values: "github.event.…", "inputs.…", "runner.temp".
type ciValues map[string]string

// expression is what GitHub replaces by a value before a step runs.
var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

func (c ciValues) expand(ts *testscript.TestScript, text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		key := expression.FindStringSubmatch(found)[1]
		value, known := c[key]
		if !known && !strings.HasPrefix(key, "github.event.") { // what an event does not have is empty
			ts.Fatalf("nothing is known of %s", found)
		}
		return value
	})
}

// action CODE [NAME=VALUE…] runs the steps of action.yml, the last of which exits with the code. A name is an input, or github.event.…;
// what is not given is empty, or the input's default.
func action(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: action CODE [NAME=VALUE…]")
	}
	values := ciValues{}
	with := map[string]string{}
	for _, pair := range args[1:] {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "github.event.") {
			values[name] = value
		} else {
			with[name] = value
		}
	}
	use(ts, args[0], with, values)
}

// use runs action.yml with inputs.
func use(ts *testscript.TestScript, code string, with map[string]string, values ciValues) {
	var file struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []ciStep
		}
	}
	readYAML(ts, root+"/action.yml", &file)
	if file.Runs.Using != "composite" || len(file.Runs.Steps) == 0 {
		ts.Fatalf("action.yml is not composite")
	}
	inner := maps.Clone(values)
	for name, input := range file.Inputs {
		inner["inputs."+name] = input.Default
	}
	for name, value := range with {
		if _, isInput := inner["inputs."+name]; !isInput {
			ts.Fatalf("%s is no input of action.yml", name)
		}
		inner["inputs."+name] = values.expand(ts, value)
	}
	for i, one := range file.Runs.Steps {
		if one.Shell != "bash" {
			ts.Fatalf("shell: %s", one.Shell)
		}
		run(ts, one, inner, codeOf(i, len(file.Runs.Steps), code))
	}
}

// workflow CODE FILE [NAME=VALUE…] runs the job of a workflow in doc/ci.md, in a folder where the checkout is done already: it must be one
// of the whole history. The last step exits with the code.
func workflow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: workflow CODE FILE [NAME=VALUE…]")
	}
	var file struct {
		Jobs map[string]struct{ Steps []ciStep }
	}
	if err := yaml.Unmarshal([]byte(block(ts, args[1])), &file); err != nil || len(file.Jobs) != 1 {
		ts.Fatalf("%s: %d jobs, %v", args[1], len(file.Jobs), err)
	}
	values := ciValues{}
	for _, pair := range args[2:] {
		name, value, _ := strings.Cut(pair, "=")
		values[name] = value
	}
	for _, job := range file.Jobs {
		steps := job.Steps
		if len(steps) < 2 || !strings.HasPrefix(steps[0].Uses, "actions/checkout@") || steps[0].With["fetch-depth"] != "0" {
			ts.Fatalf("%s does not begin with a checkout of the whole history", args[1])
		}
		for i, one := range steps[1:] {
			code := codeOf(i+1, len(steps), args[0])
			switch {
			case strings.HasPrefix(one.Uses, "git-standards/git-standards@"):
				use(ts, code, one.With, values)
			case one.Uses != "":
				ts.Fatalf("%s uses %s", args[1], one.Uses)
			default:
				run(ts, one, values, code)
			}
		}
	}
}

// codeOf is what a step must exit with: all but the last with 0.
func codeOf(i, steps int, code string) string {
	if i < steps-1 {
		return "0"
	}
	return code
}

// run runs a step as GitHub's runner does: in a file that bash runs, with its env; what it adds to $GITHUB_PATH is first for the next.
func run(ts *testscript.TestScript, one ciStep, values ciValues, code string) {
	if expression.MatchString(one.Run) {
		ts.Fatalf("what comes from outside is pasted into the script:\n%s", one.Run)
	}
	home := ts.Getenv("HOME")
	paths, script := filepath.Join(home, "github_path"), filepath.Join(home, "step.sh")
	// A runner is nobody.
	command := []string{code, "env"}
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
		command = append(command, "-u", name)
	}
	command = append(command, "GITHUB_ACTIONS=true", "CI=true", "GITHUB_ACTION_PATH="+cmp.Or(ts.Getenv("ACTION"), project),
		"GITHUB_PATH="+paths, "GITHUB_WORKSPACE="+ts.MkAbs("."))
	for name, value := range one.Env {
		command = append(command, name+"="+values.expand(ts, value))
	}
	ts.Check(os.WriteFile(paths, nil, 0o666))
	ts.Check(os.WriteFile(script, []byte(one.Run), 0o666))
	exits(ts, false, append(command, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script))
	for added := range strings.Lines(ts.ReadFile(paths)) {
		ts.Setenv("PATH", strings.TrimSpace(added)+string(os.PathListSeparator)+ts.Getenv("PATH"))
	}
}

// gitlab CODE runs the job that .gitlab-ci.yml of doc/ci.md includes as a runner does: its variables, then its lines in a shell that stops
// at the first that fails.
func gitlab(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gitlab CODE")
	}
	var page struct {
		Include []struct{ File string }
		Job     map[string]string `yaml:"git-standards"`
	}
	text := block(ts, ".gitlab-ci.yml")
	if err := yaml.Unmarshal([]byte(text), &page); err != nil || len(page.Include) != 1 || len(page.Job) != 1 || page.Job["image"] == "" {
		ts.Fatalf("it includes something else: %v\n%s", err, text)
	}
	var file map[string]struct {
		Variables map[string]string
		Script    []string
	}
	readYAML(ts, root+page.Include[0].File, &file)
	job, found := file["git-standards"]
	if !found || len(file) != 1 || len(job.Script) == 0 || job.Variables["GIT_DEPTH"] != "0" {
		ts.Fatalf("%s: %v", page.Include[0].File, file)
	}
	command := []string{args[0], "env", "GITLAB_CI=true", "CI=true"}
	for name, value := range job.Variables {
		command = append(command, name+"="+value)
	}
	exits(ts, false, append(command, "sh", "-e", "-c", strings.Join(job.Script, "\n")))
}

func readYAML(ts *testscript.TestScript, path string, into any) {
	text, err := os.ReadFile(path)
	ts.Check(err)
	if err := yaml.Unmarshal(text, into); err != nil {
		ts.Fatalf("%s: %v", path, err)
	}
}

// TestRecipes runs the recipes with the tools of others: real installs, real commits. `make recipes` brings the tools, whose folder it
// names.
func TestRecipes(t *testing.T) {
	tools := os.Getenv("GIT_STANDARDS_RECIPES")
	if tools == "" {
		t.Skip("make recipes runs these: they need lefthook, husky and pre-commit")
	}
	params := scripts(guards)
	own := params.Setup
	params.Setup = func(env *testscript.Env) error {
		if err := own(env); err != nil {
			return err
		}
		env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+filepath.Join(tools, "node_modules", ".bin"))
		return nil
	}
	params.Dir = "testdata/recipes"
	testscript.Run(t, params)
}

// What a fork's pull request may do is bounded by what the action reads: expressions stand in env alone, also in what people copy.
func TestNoExpressionIsRun(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(ciPage)
	if err != nil {
		t.Fatal(err)
	}
	blocks, _ := splitFences(string(page))
	seen := 0
	for _, block := range blocks {
		if language, name, _ := strings.Cut(block.language, " "); language != "yaml" || name == "" {
			continue
		}
		seen++
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(block.text), &node); err != nil {
			t.Errorf("%s: %v", block.language, err)
		}
		for _, run := range runs(&node) {
			if expression.MatchString(run) {
				t.Errorf("%s: %s", block.language, run)
			}
		}
	}
	if seen == 0 {
		t.Errorf("%s has no recipe", ciPage)
	}
}

// runs are the values of all keys `run` below a node.
func runs(node *yaml.Node) (list []string) {
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 1 && node.Content[i-1].Value == "run" {
			list = append(list, child.Value)
		}
		list = append(list, runs(child)...)
	}
	return list
}
