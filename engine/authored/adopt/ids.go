package adopt

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/identity"
)

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
	return authored.Slug(latin.Replace(strings.ToLower(text)))
}

// unitIDs gives each heading path an id: its last heading, with those above where several have the same.
func unitIDs(module string, o Options, paths [][]string) []string {
	prefix := module
	if rest, ok := strings.CutPrefix(module, o.Role+"."); ok && rest != "" && identity.CheckID(rest) == nil {
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
		id = unused(prefix+id, func(id string) bool { return given[id] || o.Taken(id) })
		given[id] = true
		ids = append(ids, id)
	}
	return ids
}
