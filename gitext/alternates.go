package gitext

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// alternates is the variable that names further object directories, divided by colons; one that holds a colon or begins
// with a quote is C-quoted.
const alternates = "GIT_ALTERNATE_OBJECT_DIRECTORIES"

// objectDirs returns every place whose objects this repository has, the place for new ones first: under the quarantine
// of pre-receive that is the quarantine, and the repository's own directory is among the alternates.
func (r *Repo) objectDirs() []string {
	return append([]string{r.ObjectsDir}, r.splitAlternates(lookup(r.env, alternates))...)
}

func (r *Repo) splitAlternates(list string) []string {
	var dirs []string
	for list != "" {
		var dir string
		if list[0] == '"' {
			dir, list = unquoteC(list)
			list = strings.TrimPrefix(list, ":")
		} else {
			dir, list, _ = strings.Cut(list, ":")
		}
		if dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(r.dir, dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

func joinAlternates(dirs []string) string {
	quoted := make([]string, len(dirs))
	for i, dir := range dirs {
		if strings.Contains(dir, ":") || strings.HasPrefix(dir, `"`) {
			dir = quoteC(dir)
		}
		quoted[i] = dir
	}
	return strings.Join(quoted, ":")
}

// withAlternates adds the directories that objects/info/alternates name, as deep as git follows them. One that cannot
// be read is git's to complain about, when an object is missed.
func withAlternates(dirs []string) []string {
	const deepest = 5
	seen := map[string]bool{}
	var all []string
	var add func(dir string, depth int)
	add = func(dir string, depth int) {
		if seen[dir] || depth > deepest {
			return
		}
		seen[dir] = true
		all = append(all, dir)
		data, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
		if err != nil {
			return
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			if strings.HasPrefix(line, `"`) {
				line, _ = unquoteC(line)
			}
			if line == "" || line[0] == '#' {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(dir, line)
			}
			add(filepath.Clean(line), depth+1)
		}
	}
	for _, dir := range dirs {
		add(dir, 0)
	}
	return all
}

// quoteC writes s as git reads a C-quoted path: all but plain ASCII as octal.
func quoteC(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			b.WriteByte('\\')
			b.WriteString(strings.Repeat("0", 3-len(strconv.FormatUint(uint64(c), 8))))
			b.WriteString(strconv.FormatUint(uint64(c), 8))
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unquoteC reads one C-quoted path from the start of s and returns the rest. A quote that does not close ends with s.
func unquoteC(s string) (text, rest string) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3':
			n, err := strconv.ParseUint(s[i+1:i+4], 8, 8)
			if err == nil {
				b.WriteByte(byte(n))
				i += 3
			}
		case s[i] == '\\' && i+1 < len(s):
			i++
			if at := strings.IndexByte("abtnvfr", s[i]); at >= 0 {
				b.WriteByte("\a\b\t\n\v\f\r"[at])
			} else {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}
