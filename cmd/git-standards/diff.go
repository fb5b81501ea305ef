package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// unified is the change of one file as a patch that git apply takes, "" where there is none.
func unified(oldName, newName string, old, now []byte) (string, error) {
	before, after := string(old), string(now)
	return udiff.ToUnified(patchName("a/"+oldName), patchName("b/"+newName), before, udiff.Lines(before, after), udiff.DefaultContextLines)
}

// patchName writes a name as git does in patches: quoted like a C string where something in it needs that, and with a tab
// behind it where a blank might be taken for its end.
func patchName(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		plain = plain && name[i] >= ' ' && name[i] < 0x7f && name[i] != '"' && name[i] != '\\'
	}
	if plain {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String() + `"`
}

// printDiff prints a patch: byte for byte, but coloured and with nothing that a terminal would obey where one reads it.
func (c *console) printDiff(w io.Writer, patch string) {
	if !isTerminal(os.Stdout) {
		fmt.Fprint(w, patch)
		return
	}
	for line := range strings.Lines(patch) {
		line = clean(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    "))
		switch {
		case strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
			line = c.bold(line)
		case strings.HasPrefix(line, "@@"):
			line = c.faint(line)
		case strings.HasPrefix(line, "+"):
			line = c.green(line)
		case strings.HasPrefix(line, "-"):
			line = c.red(line)
		}
		fmt.Fprintln(w, line)
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
