package observe

import (
	"context"
	"path"
	"strings"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
)

// refuseAmbient refuses a declaration that rests on more than the inputs of the fact, as far as it says so itself: a word of the command
// that names a file of the side which is no input, a place outside of where it starts, or the repository by an absolute path; and an
// input that is written as one path at which a link or another repository stands. What a program opens by itself cannot be told.
func (t *Task) refuseAmbient(ctx context.Context, side content.Source, inside func(string) bool) error {
	files := map[string]string{} // word by the path that it names
	for _, word := range t.Provider.Command {
		for _, part := range []string{word, afterEquals(word)} {
			name := path.Clean(part)
			_, isInput := t.Inputs[name]
			switch {
			case part == "" || isInput:
			case path.IsAbs(part):
				if inside(name) {
					return t.ambient("the command names %q, a place in the repository itself", part).
						Hint("write the path from the top of the repository, and add it to inputs of " + t.Fact.ID)
				}
			case name == ".." || strings.HasPrefix(name, "../"):
				return t.ambient("the command names %q, which is outside of what it is given", part).
					Hint("write paths from the top of the repository, and add them to inputs of " + t.Fact.ID)
			case content.CheckPath(name) == nil:
				files[name] = part
			}
		}
	}
	literal := map[string]bool{}
	for _, glob := range t.Fact.Inputs {
		if content.CheckPath(glob) == nil && t.Inputs[glob] == nil {
			literal[glob] = true
		}
	}
	names := make([]string, 0, len(files)+len(literal))
	for name := range files {
		names = append(names, name)
	}
	for name := range literal {
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	entries, err := side.List(ctx, names...)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if literal[entry.Name] && entry.Kind != content.Regular {
			return t.ambient("the input %q is a link or another repository, and what it leads to is not declared", entry.Name).
				Hint("name the files themselves in inputs of " + t.Fact.ID)
		}
		if word, named := files[entry.Name]; named {
			return t.ambient("the command names %q, a file of the repository that is no input of the fact", word).
				Hint("add it to inputs of " + t.Fact.ID)
		}
	}
	return nil
}

// afterEquals is the value of a word such as --config=conf/x.yaml, or "".
func afterEquals(word string) string {
	if !strings.HasPrefix(word, "-") {
		return ""
	}
	_, value, _ := strings.Cut(word, "=")
	return value
}

func (t *Task) ambient(format string, args ...any) *fault.Error {
	return fault.New(fault.Invalid, "PROVIDER.INPUT_AMBIENT", t.Fact.ID, format, args...)
}
