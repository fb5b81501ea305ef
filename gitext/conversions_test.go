package gitext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of every combination of attributes and settings, what is said to be recorded as it is, is: git itself hashes all the files.
func TestConversionsAreWhatGitDoes(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, text := range []string{"", "text", "-text", "!text", "text=auto", "text=input", "text=unset", "text=set", "text=other", "text="} {
		for _, eol := range []string{"", "eol=lf", "eol=crlf", "-eol", "eol=unset"} {
			for _, crlf := range []string{"", "crlf", "-crlf", "crlf=input", "crlf=auto", "crlf=unset"} {
				lines = append(lines, text+" "+eol+" "+crlf)
			}
		}
	}
	lines = append(lines, "ident", "-ident", "ident=set", "ident=unset", "filter=up", "-filter", "!filter", "filter", "filter=unset", "filter=unspecified",
		"filter=nowhere", "filter=", "working-tree-encoding=UTF-16LE", "!working-tree-encoding", "working-tree-encoding=", "binary", "other=text", "text=auto ident filter=up")
	const crlf, plain = "one $Id: 01234 $\r\ntwo words\n", "one $Id: 01234 $\ntwo words.\n"
	for _, settings := range [][]string{
		{}, {"core.autocrlf=true"}, {"core.autocrlf=input"}, {"core.autocrlf=false", "core.eol=crlf"}, {"core.autocrlf=no", "core.safecrlf=warn"},
		{"filter.unset.clean=tr a-z A-Z"}, {"filter.unspecified.clean=tr a-z A-Z"}, {"filter..clean=tr a-z A-Z"}, {"core.autocrlf=true", "core.safecrlf=false"},
	} {
		f := newFixture(t)
		f.Git("config", "filter.up.clean", "tr a-z A-Z")
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, "=")
			if key == "filter..clean" {
				writeConfig(t, f, "[filter \"\"]\n\tclean = "+value+"\n")
				continue
			}
			f.Git("config", key, value)
		}
		var attributes strings.Builder
		var names, texts []string
		for i, line := range lines {
			fmt.Fprintf(&attributes, "f%d-* %s\n", i, line)
			for kind, text := range map[string]string{"crlf": crlf, "plain": plain} {
				name := fmt.Sprintf("f%d-%s", i, kind)
				f.Write(name, text)
				names, texts = append(names, name), append(texts, text)
			}
		}
		f.Write(".gitattributes", attributes.String())
		clean := strings.Fields(f.Feed(strings.Join(names, "\n")+"\n", "hash-object", "--stdin-paths"))
		raw := strings.Fields(f.Feed(strings.Join(names, "\n")+"\n", "hash-object", "--stdin-paths", "--no-filters"))
		conversions, err := f.open().Conversions(t.Context(), names)
		if err != nil || len(clean) != len(names) || len(raw) != len(names) {
			t.Fatal(len(clean), len(raw), err)
		}
		count := map[Conversion]int{}
		for i, conversion := range conversions {
			count[conversion]++
			var line int
			fmt.Sscanf(names[i], "f%d", &line)
			asItIs := conversion == Verbatim || conversion == LineEnds && !strings.Contains(texts[i], "\r\n")
			if asItIs && clean[i] != raw[i] {
				t.Errorf("%q, %q: %d for %q, and git converts it", settings, lines[line], conversion, texts[i])
			}
		}
		// With a filter of such a name nothing is told apart any more.
		unnamed := len(settings) == 1 && (strings.HasPrefix(settings[0], "filter..") || strings.HasPrefix(settings[0], "filter.unset."))
		if count[Converted] == 0 || len(count) < 2 && !unnamed {
			t.Errorf("%q: %v", settings, count)
		}
	}
}

func writeConfig(t *testing.T, f *fixture, text string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(f.Dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The classes themselves, for what people write.
func TestConversions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attributes, setting string
		want                Conversion
	}{
		{"", "", Verbatim},
		{"diff=go merge=union", "", Verbatim},
		{"-text", "", Verbatim},
		{"binary", "", Verbatim},
		{"text", "", LineEnds},
		{"text=auto", "", LineEnds},
		{"eol=lf", "", LineEnds},
		{"-text eol=crlf", "", LineEnds},
		{"", "core.autocrlf=input", LineEnds},
		{"", "core.autocrlf=TRUE", LineEnds},
		{"", "core.autocrlf=off", Verbatim},
		{"text", "core.safecrlf=true", Converted},
		{"text", "core.safecrlf=warn", LineEnds},
		{"", "core.safecrlf=true", Verbatim},
		{"ident", "", Converted},
		{"-ident", "", Verbatim},
		{"filter=lfs diff=lfs merge=lfs -text", "", Converted},
		{"-filter", "", Verbatim},
		{"working-tree-encoding=UTF-16", "", Converted},
	} {
		f := newFixture(t)
		f.Write(".gitattributes", "* "+c.attributes+"\n")
		if key, value, ok := strings.Cut(c.setting, "="); ok {
			f.Git("config", key, value)
		}
		got, err := f.open().Conversions(t.Context(), []string{"a", "new\nline"})
		if err != nil || len(got) != 2 || got[0] != c.want || got[1] != c.want {
			t.Errorf("%q, %q: %v %v, want %v", c.attributes, c.setting, got, err, c.want)
		}
	}
}
