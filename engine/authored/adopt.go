package authored

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"go.yaml.in/yaml/v3"
)

// The defaults of adoption. Two levels of headings are the sections of a decision record and the rules of a style guide;
// what stands deeper is most often an example.
const (
	AdoptRole  = "topic"
	AdoptLevel = "MUST"
	AdoptDepth = 2
)

// Adoption says how a document becomes a module. Its ID is derived from the path where it is "". Depth is how many
// headings below the H1 a unit's path may have. Taken reports the ids that other texts have.
type Adoption struct {
	ID, Role, Level string
	Depth           int
	Taken           func(id string) bool
}

// Check returns why no document can be adopted so, or nil.
func (a Adoption) Check() error {
	switch {
	case !slices.Contains(roles, a.Role):
		return fmt.Errorf("role is one of %s, not %q%s", strings.Join(roles, ", "), a.Role, didYouMean(a.Role, roles))
	case !slices.Contains(levels, a.Level):
		return fmt.Errorf("level is one of %s, not %q%s", strings.Join(levels, ", "), a.Level, didYouMean(a.Level, levels))
	case a.Depth < 1:
		return fmt.Errorf("depth is 1 or more, not %d", a.Depth)
	case a.ID != "":
		return CheckID(a.ID)
	}
	return nil
}

// Adopted is a document as a module: its whole text, the id of the module and of its units, and the headings that no unit
// can name.
type Adopted struct {
	Text    []byte
	ID      string
	Units   []string
	Skipped []Skipped
}

// Skipped is a heading without a unit, where it stands in the document, and why.
type Skipped struct {
	Line    int
	Heading string // as front matter would have it
	Why     string
}

// Adopt adds the key `standard` to the front matter of a Markdown document, with one unit a heading (RULES A1, A2, A6).
// Every byte of the document stays, and what is added is whole lines in one place: what ParseModule reads without a
// finding. A document to which that cannot be done is refused by findings.
func Adopt(file string, data []byte, a Adoption) (*Adopted, []Finding) {
	r := &reader{file: file}
	if line := invalidLine(data); line > 0 {
		r.report(line, "MODULE.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil, r.findings
	}
	f, isModule := findFront(data)
	if isModule {
		r.report(f.line, "ADOPT.MODULE", "git standards lint", "the file is a module already")
		return nil, r.findings
	}
	at, before, after := r.place(data, f)
	if len(r.findings) > 0 {
		return nil, r.sorted()
	}
	body := data[max(at, f.body):]
	line := 1 + bytes.Count(data[:len(data)-len(body)], []byte("\n"))
	if !r.bounded(body, line) {
		return nil, r.sorted()
	}
	done := &Adopted{ID: a.ID}
	if done.ID == "" {
		done.ID = moduleID(file, a.Taken)
	}
	ending := lineEnding(data)
	var w writer
	w.text(before + "standard:")
	for _, field := range [][2]string{{"id", done.ID}, {"role", a.Role}, {"level", a.Level}} {
		w.text(ending + "  " + field[0] + ": ")
		w.scalar(field[1])
	}
	paths := done.choose(body, line, a.Depth)
	if len(paths) > 0 {
		w.text(ending + "  units:")
	}
	done.Units = unitIDs(done.ID, a, paths)
	for i, path := range paths {
		w.text(ending + "    - {id: ")
		w.scalar(done.Units[i])
		w.text(", heading: " + joinHeading(path) + ", revision: 1}")
	}
	w.text(ending + after)
	done.Text = apply(data, []edit{{at, at, w.out.String()}})
	return r.proven(done, file, data, f, at)
}

// proven checks that the text reads as what it was made to say.
func (r *reader) proven(done *Adopted, file string, data []byte, f front, at int) (*Adopted, []Finding) {
	m, findings := ParseModule(file, done.Text)
	if len(findings) > 0 {
		return nil, findings
	}
	var units []string
	for _, u := range m.Units {
		units = append(units, u.ID)
	}
	isWhole := f.body < 0
	if !isWhole {
		// Other tools read the whole front matter: to them it must be what it was, and one key more.
		now, _ := findFront(done.Text)
		isWhole = slices.Equal(keysOf(done.Text[:now.body]), append(keysOf(data[:f.body]), "standard"))
	}
	if m.ID != done.ID || !slices.Equal(units, done.Units) || !isWhole {
		r.report(1+bytes.Count(data[:at], []byte("\n")), "ADOPT.FRONT_MATTER", "add the key standard: by hand", "the front matter is written in a form to which no key can be added")
		return nil, r.findings
	}
	return done, nil
}

// place finds where the key goes, and the lines that must stand around it.
func (r *reader) place(data []byte, f front) (at int, before, after string) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	at = len(data) - len(text)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	ending := lineEnding(data)
	switch string(bytes.TrimRight(first, " \t\r")) {
	case "+++":
		r.report(1, "ADOPT.TOML", "turn it into YAML between lines ---", "the front matter is TOML; the key standard needs YAML")
	case "---":
		if f.body < 0 {
			r.report(1, "ADOPT.FRONT_MATTER", "close the front matter with a line ---, or put a blank line before a thematic break",
				"the file begins with --- and has no closing line ---")
			return at, "", ""
		}
		// The closing line is the last one before the body.
		head := bytes.TrimSuffix(data[:f.body], []byte("\n"))
		at = max(at, bytes.LastIndexByte(head, '\n')+1)
		r.checkFront(data[:at])
		return at, "", ""
	}
	return at, "---" + ending, "---" + ending
}

// checkFront refuses front matter that is no mapping: it may not be front matter at all.
func (r *reader) checkFront(head []byte) {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	var document yaml.Node
	err := decodeInto(text, &document)
	switch {
	case errors.Is(err, io.EOF):
	case err != nil:
		line, err := libraryError(err)
		r.report(1+line, "ADOPT.FRONT_MATTER", "mend it, or add the key standard: by hand", "the front matter is not YAML: %s", err)
	case document.Content[0].Kind != yaml.MappingNode && document.Content[0].Tag != "!!null":
		r.report(1+max(document.Content[0].Line, 1), "ADOPT.FRONT_MATTER", "put a blank line before the first --- if it is a thematic break",
			"what stands between the lines --- is no mapping of keys")
	}
}

// decodeInto is the library, whose panics over hostile text are errors.
func decodeInto(text []byte, document *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: it cannot be read: %v", p)
		}
	}()
	if len(text) > maxYAML {
		return fmt.Errorf("yaml: %d bytes; at most %d are read", len(text), maxYAML)
	}
	return yaml.NewDecoder(bytes.NewReader(text)).Decode(document)
}

// keysOf is the keys of front matter, given from the first line to the closing one.
func keysOf(head []byte) (keys []string) {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	text = bytes.TrimRight(text, "\r\n\t ")
	var document yaml.Node
	if decodeInto(bytes.TrimSuffix(text, []byte("---")), &document) != nil || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(document.Content[0].Content); i += 2 {
		keys = append(keys, document.Content[0].Content[i].Value)
	}
	return keys
}

// choose returns the heading paths that become units, in order: down to a depth, those that name one section, and of
// headings that only gather others none.
func (a *Adopted) choose(body []byte, first, depth int) (paths [][]string) {
	outline := markdown.Parse(body)
	isUnit := make([]bool, len(outline.Headings))
	gathers := make([]bool, len(outline.Headings)) // a heading below it has a unit
	chosen := make([][]string, len(outline.Headings))
	for i, heading := range outline.Headings {
		path := outline.Path(i)
		if len(path) == 0 || len(path) > depth {
			continue
		}
		why := ""
		switch {
		case slices.Contains(path, ""):
			why = "it, or a heading above it, has no text that a unit can name"
		case len(outline.Find(path)) > 1:
			why = "it stands more than once"
		}
		if why != "" {
			a.Skipped = append(a.Skipped, Skipped{Line: first + heading.Line - 1, Heading: joinHeading(path), Why: why})
			continue
		}
		isUnit[i], chosen[i] = true, path
		if heading.Parent >= 0 {
			gathers[heading.Parent] = true
		}
	}
	for i := range outline.Headings {
		if isUnit[i] && (!gathers[i] || outline.HasText(i)) {
			paths = append(paths, chosen[i])
		}
	}
	return paths
}

// moduleID derives an id from a path: the folder and the name, with more folders before it where that is taken.
func moduleID(file string, taken func(string) bool) string {
	folders := strings.Split(path.Dir(file), "/")
	if folders[0] == "." {
		folders = nil
	}
	name := path.Base(file)
	if markdown.HasExtension(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	// A README speaks for its folder.
	if lower := strings.ToLower(name); (lower == "readme" || lower == "index") && len(folders) > 0 {
		name, folders = folders[len(folders)-1], folders[:len(folders)-1]
	}
	id := idPart(name)
	for i := len(folders) - 1; i >= 0 && (i == len(folders)-1 || taken(id)); i-- {
		id = idPart(folders[i]) + "." + id
	}
	return unused(id, taken)
}

// latin writes the letters of western European languages without their marks.
var latin = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ā", "a", "ą", "a", "æ", "ae", "ç", "c", "ć", "c", "č", "c",
	"ď", "d", "đ", "d", "è", "e", "é", "e", "ê", "e", "ë", "e", "ę", "e", "ě", "e", "ğ", "g", "ì", "i", "í", "i", "î", "i", "ï", "i", "ı", "i", "ł", "l",
	"ñ", "n", "ń", "n", "ň", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ø", "o", "ő", "o", "œ", "oe", "ř", "r", "ś", "s", "ş", "s", "š", "s",
	"ß", "ss", "ť", "t", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ů", "u", "ű", "u", "ý", "y", "ÿ", "y", "ź", "z", "ż", "z", "ž", "z")

// idPart keeps of a text what an id may hold, in lower case.
func idPart(text string) string {
	var b strings.Builder
	for _, c := range latin.Replace(strings.ToLower(text)) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() == 0:
		case c == '.' || c == '_':
			b.WriteRune(c)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if part := strings.TrimRight(b.String(), "-._"); part != "" {
		return part
	}
	return nothing
}

// nothing is the part of an id where a text holds nothing that could stand in one, such as a name in Chinese.
const nothing = "text"

func unused(id string, taken func(string) bool) string {
	for n, base := 2, id; taken(id); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}

// number is the numbering of a heading, which its id does not keep: it changes when a section is put before it.
var number = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)*[.)]?\s+`)

func headingSlug(text string) string {
	if found := number.FindString(text); strings.ContainsAny(found, ".)") {
		text = text[len(found):]
	}
	if idPart(text) == nothing {
		return "section"
	}
	return Slug(latin.Replace(strings.ToLower(text)))
}

// unitIDs gives each heading path an id: its last heading, with those above where several have the same.
func unitIDs(module string, a Adoption, paths [][]string) []string {
	prefix := module
	if rest, ok := strings.CutPrefix(module, a.Role+"."); ok && rest != "" && CheckID(rest) == nil {
		prefix = rest // topic.api has api.errors
	}
	prefix += "."
	count := map[string]int{}
	for _, path := range paths {
		count[headingSlug(path[len(path)-1])]++
	}
	given := map[string]bool{module: true}
	var ids []string
	for _, path := range paths {
		id := headingSlug(path[len(path)-1])
		if count[id] > 1 {
			var slugs []string
			for _, text := range path {
				slugs = append(slugs, headingSlug(text))
			}
			id = strings.Join(slugs, ".")
		}
		id = unused(prefix+id, func(id string) bool { return given[id] || a.Taken(id) })
		given[id] = true
		ids = append(ids, id)
	}
	return ids
}
