package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var (
	listedCommand = regexp.MustCompile(`(?m)^   ([a-z]+)(?:, [a-z]+)?  +\S`)
	listedOption  = regexp.MustCompile(`(?m)^   (--?[A-Za-z][A-Za-z-]*)(?:[ A-Z|a-z]*, (--?[A-Za-z-]+))?`)
)

// help is what the program itself says of a command.
func help(t *testing.T, command ...string) string {
	t.Helper()
	out, err := exec.Command(binary, append(command, "-h")...).Output()
	if err != nil {
		t.Fatalf("%v -h: %v", command, err)
	}
	return string(out)
}

// section is what stands below a heading of a help text.
func section(text, heading string) string {
	_, rest, _ := strings.Cut(text, "\n"+heading+":\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	return rest + "\n"
}

// completed is what bash offers for the words so far, by the program.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	out, err := exec.Command(binary, append(words, "--generate-bash-completion")...).Output()
	if err != nil {
		t.Fatalf("%v: %v", words, err)
	}
	return strings.Fields(string(out))
}

// Every command and option that the program has stands in the man page, in its paragraph, and TAB completes it.
func TestManualIsWhole(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(root + "/doc/git-standards.1")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), `\-`, "-")
	_, commands, _ := strings.Cut(text, ".SH COMMANDS\n")
	commands, rest, _ := strings.Cut(commands, ".SH OPTIONS\n")
	options, _, _ := strings.Cut(rest, ".SH WORDS\n")
	paragraphs := map[string]string{}
	for _, p := range strings.Split(commands, ".TP\n") {
		for _, name := range strings.Split(strings.SplitN(p, "\n", 2)[0], `\fB`)[1:] {
			paragraphs[strings.SplitN(name, `\fR`, 2)[0]] = p
		}
	}
	all := help(t)
	offered := " " + strings.Join(completed(t), " ") + " "
	found := 0
	for _, m := range listedCommand.FindAllStringSubmatch(section(all, "COMMANDS"), -1) {
		name := m[1]
		if name == "help" {
			continue
		}
		found++
		paragraph, ok := paragraphs[name]
		if !ok || !strings.Contains(offered, " "+name+" ") {
			t.Errorf("%s: in the man page %v; completion offers %s", name, ok, offered)
		}
		flags := " " + strings.Join(completed(t, name, "-"), " ") + " "
		for _, m := range listedOption.FindAllStringSubmatch(section(help(t, name), "OPTIONS"), -1) {
			for _, option := range m[1:] {
				if option == "" {
					continue
				}
				if !strings.Contains(paragraph+options, `\fB`+option+`\fR`) {
					t.Errorf("%s %s does not stand in the man page", name, option)
				}
				if strings.HasPrefix(option, "--") && !strings.Contains(flags, " "+option+" ") {
					t.Errorf("%s %s is not completed: %s", name, option, flags)
				}
			}
		}
		for _, m := range listedCommand.FindAllStringSubmatch(section(help(t, name), "COMMANDS"), -1) {
			if !strings.Contains(paragraph, `\fB`+m[1]+`\fR`) {
				t.Errorf("%s %s does not stand in the man page", name, m[1])
			}
		}
	}
	for _, m := range listedOption.FindAllStringSubmatch(section(all, "GLOBAL OPTIONS"), -1) {
		if !strings.Contains(options, `\fB`+m[1]+`\fR`) {
			t.Errorf("%s does not stand in the man page", m[1])
		}
	}
	if found < 12 {
		t.Fatalf("only %d commands found in\n%s", found, all)
	}
}
