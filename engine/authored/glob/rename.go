package glob

import "strings"

// Rename returns a glob with the path from, where the glob's literal beginning is or lies below it, replaced by to; ok
// is false where it is not.
func Rename(pattern, from, to string) (renamed string, ok bool) {
	var literal strings.Builder
	for i := 0; ; i++ {
		if literal.String() == from && (i == len(pattern) || pattern[i] == '/') {
			return Escape(to) + pattern[i:], true
		}
		if i == len(pattern) || literal.Len() > len(from) || strings.IndexByte("*?[]{}", pattern[i]) >= 0 {
			return "", false
		}
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		literal.WriteByte(pattern[i])
	}
}

// Escape returns the glob that matches a path and nothing else.
func Escape(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if strings.IndexByte(`*?[]{}\`, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}
