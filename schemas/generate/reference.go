package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/schemas"
)

// writeReference writes doc/reference.md: every key that people can write, from the schemas that editors read.
func writeReference(*schemas.Contract) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`<!-- Made by make generate from schemas/authored; edit those. -->
# Every key

What can be written in the files of a repository's standards, key by key. ` + "`a[].b`" + ` is the key b of each entry of the list a; a key in
**bold** has to be there. Examples are written as JSON, which is YAML as well. ` + "`git standards lint`" + ` says what is wrong with a file, and
[editors](editors.md) say it while you type. What a fixture is for is in [testing](testing.md).
`)
	titles := map[string]string{}
	for _, entry := range schemas.List() {
		titles[entry.Name] = entry.Title
	}
	for _, name := range schemas.AuthoredNames() {
		fmt.Fprintf(&b, "\n## %s\n\n", titles[name])
		writeKeys(&b, schemas.Keys(name))
	}
	b.WriteString(`
## Expressions

A ` + "`when`" + ` is ` + "`always`" + `, or a mapping of exactly one of these operators ([facts.md](facts.md)).

`)
	writeKeys(&b, schemas.ExpressionKeys())
	return b.Bytes(), nil
}

func writeKeys(b *bytes.Buffer, keys []schemas.Key) {
	b.WriteString("| key | value | |\n|---|---|---|\n")
	for _, key := range keys {
		path := "`" + key.Path + "`"
		if key.Required {
			path = "**" + path + "**"
		}
		meaning := key.Meaning
		if key.Example != "" {
			meaning += " Such as `" + key.Example + "`."
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", path, cell(key.Value), cell(strings.TrimSpace(meaning)))
	}
}

// cell keeps a text within its cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
