package gitext

import (
	"context"
	"strings"
)

// Conversion is what git add does to the bytes of a file.
type Conversion uint8

// The conversions. What is Converted only Git knows (CleanBytes).
const (
	Verbatim  Conversion = iota // they are recorded as they are
	LineEnds                    // they are recorded as they are unless they hold CRLF
	Converted                   // they may become others
)

// attributes are what git asks of a file before it records it.
type attributes struct{ text, crlf, eol, ident, encoding, filter string }

// set takes one attribute as git names it.
func (a *attributes) set(name, value string) {
	switch name {
	case "text":
		a.text = value
	case "crlf":
		a.crlf = value
	case "eol":
		a.eol = value
	case "ident":
		a.ident = value
	case "working-tree-encoding":
		a.encoding = value
	case "filter":
		a.filter = value
	}
}

// converting is what the settings say of files without attributes.
type converting struct {
	autocrlf bool // files are text where attributes do not say
	strict   bool // core.safecrlf: line ends that would not come back stop git add
	unnamed  bool // there is a filter whose name, "" or "unset", reads like none
}

// of decides by what git's own documentation says (gitattributes(5), "Effects"). A value that git may understand otherwise than
// it reads is Converted: the worst that follows is that Git does the work.
func (c converting) of(a attributes) Conversion {
	filtered := a.filter != "" && a.filter != "unset"
	if filtered || c.unnamed || a.encoding != "" || a.ident == "set" {
		return Converted
	}
	lineEnds := func(value string) bool { return value != "" && value != "unset" }
	if c.autocrlf || lineEnds(a.text) || lineEnds(a.crlf) || a.eol == "lf" || a.eol == "crlf" {
		if c.strict {
			return Converted
		}
		return LineEnds
	}
	return Verbatim
}

// Conversions tells, for files of the worktree in the order asked, what git add would do to their bytes, by the attributes and
// settings that it goes by.
func (r *Repo) Conversions(ctx context.Context, paths []string) ([]Conversion, error) {
	var given map[string]*attributes
	var settings converting
	err := together(
		func() (err error) { given, err = r.attributes(ctx, paths); return err },
		func() (err error) { settings, err = r.converting(ctx); return err },
	)
	if err != nil {
		return nil, err
	}
	result := make([]Conversion, len(paths))
	for i, path := range paths {
		var a attributes
		if some := given[path]; some != nil {
			a = *some
		}
		result[i] = settings.of(a)
	}
	return result, nil
}

// attributes asks for all of them: of those asked by name git prints the same for one that is not there and for one whose value is
// the word "unspecified".
func (r *Repo) attributes(ctx context.Context, paths []string) (map[string]*attributes, error) {
	out, err := r.feed(ctx, nulList(paths), "check-attr", "--all", "--stdin", "-z")
	if err != nil {
		return nil, err
	}
	given := map[string]*attributes{}
	var triple []string
	for field := range records(out) {
		if triple = append(triple, field); len(triple) < 3 {
			continue
		}
		a := given[triple[0]]
		if a == nil {
			a = &attributes{}
			given[triple[0]] = a
		}
		a.set(triple[1], triple[2])
		triple = nil
	}
	if len(triple) > 0 {
		return nil, unreadable("check-attr", strings.Join(triple, " "))
	}
	return given, nil
}

func (r *Repo) converting(ctx context.Context) (converting, error) {
	var c converting
	out, err := r.plainAny(ctx, "config", "-z", "--get-regexp", `^(core\.(autocrlf|safecrlf)|filter\.(unset)?\..*)$`)
	if err != nil {
		return c, err
	}
	if out.code > 1 {
		return c, out.failed()
	}
	for record := range records(out.stdout) {
		key, value, hasValue := strings.Cut(record, "\n")
		switch key {
		case "core.autocrlf":
			c.autocrlf = !hasValue || !saysNo(value)
		case "core.safecrlf":
			c.strict = !hasValue || !saysNo(value) && !strings.EqualFold(value, "warn")
		default:
			c.unnamed = true
		}
	}
	return c, nil
}

// saysNo reports the values that Git takes for false.
func saysNo(value string) bool {
	switch strings.ToLower(value) {
	case "", "false", "no", "off", "0":
		return true
	}
	return false
}
