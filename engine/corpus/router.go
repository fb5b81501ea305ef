package corpus

import (
	"fmt"
	slash "path"
	"slices"
	"strings"
)

// routers checks that what modules of the role router link is what is routed: every module that routing names has a link in one of
// them, and every module that one of them links is named by routing. Routers themselves are neither: they are how one gets there, and
// may link each other. Without routing, or without a router, there is nothing to compare.
func (l *linker) routers() {
	routing := l.Manifest.Routing
	var routers []*Module
	files := map[string]*Module{}
	for _, m := range l.Modules {
		if l.modules[m.ID] == m {
			files[m.File] = m
		}
		if m.Role == "router" {
			routers = append(routers, m)
		}
	}
	if routing == nil || len(routers) == 0 {
		return
	}
	slices.SortFunc(routers, func(a, b *Module) int { return strings.Compare(a.ID, b.ID) })
	routed := map[string]string{} // by module: what names it
	for _, rule := range routing.Rules {
		routed[rule.Module] = fmt.Sprintf("rule %s of %s:%d", rule.ID, ManifestPath, rule.Line)
	}
	for _, id := range routing.Base {
		routed[id] = fmt.Sprintf("base of %s:%d", ManifestPath, l.Manifest.Lines["routing.base"])
	}
	linked := map[string]bool{}
	for _, router := range routers {
		extra := map[string]bool{}
		for _, link := range router.Links {
			m := files[link.Path]
			if m == nil || m.Role == "router" {
				continue
			}
			linked[m.ID] = true
			if routed[m.ID] == "" && !extra[m.ID] {
				extra[m.ID] = true
				l.find("ROUTING.LINK_EXTRA", router.File, link.Line, fmt.Sprintf("the router links module %q, which routing names nowhere", m.ID),
					fmt.Sprintf("write a rule for %s in %s, or remove the link", m.ID, ManifestPath))
			}
		}
	}
	if l.hides || len(l.unread) > 0 {
		return // a router may stand in what could not be read, which has its own finding
	}
	for _, m := range l.Modules {
		if l.modules[m.ID] != m || m.Role == "router" || routed[m.ID] == "" || linked[m.ID] {
			continue
		}
		says := "the router does not link"
		if len(routers) > 1 {
			says = "no router links"
		}
		router := routers[0]
		l.find("ROUTING.LINK_MISSING", router.File, router.Line, fmt.Sprintf("%s module %q, which the %s names", says, m.ID, routed[m.ID]),
			fmt.Sprintf("write [%s](%s) where it says when to read that", m.ID, destination(router.File, m.File)))
	}
}

// destination is how a file is linked from another one.
func destination(from, to string) string {
	at, names := strings.Split(slash.Dir(from), "/"), strings.Split(to, "/")
	if at[0] == "." {
		at = nil
	}
	same := 0
	for same < len(at) && same < len(names)-1 && at[same] == names[same] {
		same++
	}
	steps := slices.Repeat([]string{".."}, len(at)-same)
	for _, name := range names[same:] {
		steps = append(steps, escaped(name))
	}
	if path := strings.Join(steps, "/"); !strings.Contains(steps[0], ":") {
		return path
	}
	return "./" + strings.Join(steps, "/")
}

// escaped is a name with percent signs for what would end a destination, or mean something else there.
func escaped(name string) string {
	var out strings.Builder
	for _, c := range []byte(name) {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`%?#()<>[]\&*|`+"`", c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
