package fault

import (
	"strconv"
	"strings"
)

// ShellWord makes text one word of a shell, so that a command in Next can be pasted and can hold nothing but what it says.
// What does not print is written as $'…', which bash, zsh and the next POSIX read.
func ShellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	printable := true
	for _, r := range text {
		printable = printable && strconv.IsPrint(r) && r != '\ufffd'
	}
	if printable {
		return PosixWord(text)
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			b.WriteString(`\x` + strconv.FormatUint(uint64(c)>>4, 16) + strconv.FormatUint(uint64(c)&15, 16))
		}
	}
	return b.String() + "'"
}

// PosixWord quotes text as one word for any sh, whatever it holds. Where a person reads it, ShellWord is better.
func PosixWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
