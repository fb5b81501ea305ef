package facts

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/identity"
)

// The bounds of an answer: bytes of one text, members of one set.
const (
	MaxText    = 4096
	MaxMembers = 1024
)

// Words of the command line that are no value of an enumerable fact.
const (
	Absent = "absent"
	Waiver = "waiver"
)

// Check returns value in its canonical form (bool, string or identity.List of sorted, unique strings; nil for absent), or why it is
// no answer to the fact.
func (c Contract) Check(value any) (any, error) {
	switch v := value.(type) {
	case nil:
		if c.Nullable {
			return nil, nil
		}
		return nil, fmt.Errorf("fact %q is never absent", c.ID)
	case bool:
		if c.Type == TypeBoolean {
			return v, nil
		}
	case string:
		if !c.isSet() && c.Type != TypeBoolean {
			return v, c.checkText(v)
		}
	case identity.List:
		if c.isSet() {
			return c.checkSet(v)
		}
	}
	return nil, fmt.Errorf("fact %q takes %s", c.ID, c.takes())
}

// takes names what an answer is.
func (c Contract) takes() string {
	switch c.Type {
	case TypeBoolean:
		return "true or false"
	case TypeEnum:
		return "one of " + strings.Join(c.Values, ", ")
	case TypeEnumSet:
		return "a list of " + strings.Join(c.Values, ", ")
	case TypeStringSet:
		return "a list of texts"
	case TypeCanonicalID:
		return "an id"
	}
	return "a text"
}

func (c Contract) isSet() bool { return c.Type == TypeStringSet || c.Type == TypeEnumSet }

// checkText returns why text cannot be a scalar value of the fact or a member of its set.
func (c Contract) checkText(text string) error {
	switch {
	case len(text) > MaxText:
		return fmt.Errorf("fact %q takes texts of at most %d bytes", c.ID, MaxText)
	case !utf8.ValidString(text):
		return fmt.Errorf("fact %q takes UTF-8", c.ID)
	case text == "":
		return fmt.Errorf("fact %q takes no empty text", c.ID)
	case c.Type == TypeEnum || c.Type == TypeEnumSet:
		if !slices.Contains(c.Values, text) {
			return fmt.Errorf("fact %q takes %s, not %q", c.ID, c.takes(), text)
		}
	case c.Type == TypeCanonicalID:
		if err := identity.CheckID(text); err != nil {
			return fmt.Errorf("fact %q: %w", c.ID, err)
		}
	}
	return nil
}

func (c Contract) checkSet(list identity.List) (any, error) {
	if len(list) > MaxMembers {
		return nil, fmt.Errorf("fact %q takes at most %d members", c.ID, MaxMembers)
	}
	members := map[string]bool{}
	for _, item := range list {
		text, isText := item.(string)
		if !isText {
			return nil, fmt.Errorf("fact %q takes %s", c.ID, c.takes())
		}
		if err := c.checkText(text); err != nil {
			return nil, err
		}
		members[text] = true
	}
	return set(members), nil
}

// Parse reads an answer from a command line: true or false, a text, the members of a set with commas between them ("" for none) or
// as Show prints it. The word "absent" is nil, which only a nullable fact takes: whoever types it does not mean a text of that name, nor
// one of a list that begins with a bracket and is none.
func (c Contract) Parse(text string) (any, error) {
	switch {
	case text == Absent:
		return c.Check(nil)
	case c.Type == TypeBoolean && (text == "true" || text == "false"):
		return text == "true", nil
	case !c.isSet():
		return c.Check(text)
	case strings.HasPrefix(text, "["):
		value, err := identity.Decode([]byte(text))
		if err != nil {
			return nil, fmt.Errorf(`fact %q takes a list in brackets as JSON, such as ["a","b"], not %q`, c.ID, text)
		}
		return c.Check(value)
	}
	list := identity.List{}
	if text != "" {
		list = identity.Texts(strings.Split(text, ","))
	}
	return c.Check(list)
}

// Show returns a checked value as people and results see it: a text verbatim, "absent" for nil, else its canonical JSON text.
func (c Contract) Show(value any) string {
	switch v := value.(type) {
	case nil:
		return Absent
	case string:
		return v
	}
	text, err := identity.Encode(value)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return string(text)
}

// Answers returns what may be answered: the values where they can be listed, else the word "value"; then "absent" where that
// is an answer.
func (c Contract) Answers() []string {
	var answers []string
	switch c.Type {
	case TypeBoolean:
		answers = []string{"true", "false"}
	case TypeEnum:
		answers = slices.Clone(c.Values)
	default:
		answers = []string{"value"}
	}
	if c.Nullable {
		answers = append(answers, Absent)
	}
	return answers
}
