package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

// printInspection shows a stored object for people: what it is, its fields, what it depends on. A file is shown as text.
func (c *console) printInspection(i *wire.Inspection) error {
	payload, err := identity.Decode(i.Payload)
	if err != nil {
		return err
	}
	c.say("%s", c.bold(i.Handle.ID))
	c.say("%s", c.faint(i.PayloadContract))
	if i.Handle.Kind == content.FileCodec.Kind {
		if err := c.printFile(payload); err != nil {
			return err
		}
	} else {
		printValue(c.out, "", payload)
	}
	if len(i.Dependencies) > 0 {
		c.say("%s", c.bold(count(len(i.Dependencies), "object under it", "objects under it")))
		for _, d := range i.Dependencies {
			c.say("  %s", d.ID)
		}
	}
	return nil
}

func (c *console) printFile(payload any) error {
	data, err := content.FileBytes(payload)
	if err != nil {
		return err
	}
	c.say("%s, %s", count(len(data), "byte", "bytes"), identity.Bytes(data))
	if !utf8.Valid(data) {
		c.say("not text: --raw gives the bytes as Base64")
		return nil
	}
	for line := range strings.Lines(string(data)) {
		c.say("  | %s", clean(strings.TrimRight(line, "\r\n")))
	}
	return nil
}

// printValue writes a payload as an indented outline, keys in order.
func printValue(w io.Writer, indent string, value any) {
	switch v := value.(type) {
	case identity.Record:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			printField(w, indent+clean(key)+":", indent+"  ", v[key])
		}
	case identity.List:
		for _, item := range v {
			if record, ok := item.(identity.Record); ok && len(record) > 0 {
				var b strings.Builder
				printValue(&b, indent+"  ", record)
				fmt.Fprint(w, indent+"- "+b.String()[len(indent)+2:]) // the first key stands behind the dash
				continue
			}
			printField(w, indent+"-", indent+"  ", item)
		}
	default:
		fmt.Fprintf(w, "%s%s\n", indent, scalar(value))
	}
}

func printField(w io.Writer, label, indent string, value any) {
	nested := false
	switch v := value.(type) {
	case identity.Record:
		nested = len(v) > 0
	case identity.List:
		nested = len(v) > 0
	}
	if !nested {
		fmt.Fprintf(w, "%s %s\n", label, scalar(value))
		return
	}
	fmt.Fprintf(w, "%s\n", label)
	printValue(w, indent, value)
}

func scalar(value any) string {
	switch v := value.(type) {
	case nil:
		return "none"
	case string:
		if v == "" {
			return `""`
		}
		return clean(v)
	case identity.Record, identity.List:
		return "none"
	}
	return fmt.Sprint(value)
}
