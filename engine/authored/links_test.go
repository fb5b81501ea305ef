package authored

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Destinations are relative references of RFC 3986, resolved as hosts of repositories do.
func TestWhereALinkLeads(t *testing.T) {
	t.Parallel()
	for destination, want := range map[string]string{
		"api.md":                  "standards/api.md",
		"./api.md":                "standards/api.md",
		"sub/../api.md":           "standards/api.md",
		"../docs/x.md":            "docs/x.md",
		"/docs/x.md":              "docs/x.md",
		"api.md#errors":           "standards/api.md",
		"api.md?plain=1#L3":       "standards/api.md",
		"api.md?a#b?c":            "standards/api.md",
		"a%20b.md":                "standards/a b.md",
		"%C3%A4.md":               "standards/ä.md",
		"a%23b.md":                "standards/a#b.md",
		"100%.md":                 "standards/100%.md",
		"%zz%4":                   "standards/%zz%4",
		"%2e%2E/docs/x.md":        "docs/x.md",
		"a%2Fb.md":                "",
		"%00.md":                  "",
		"%ff.md":                  "",
		"../../x.md":              "",
		"sub/":                    "",
		".":                       "",
		"..":                      "",
		"":                        "",
		"#errors":                 "",
		"router.md#errors":        "",
		"?q":                      "",
		"//host/standards/api.md": "",
		"http://h/api.md":         "",
		"mailto:api.md":           "",
		"C:api.md":                "",
		"./C:api.md":              "standards/C:api.md",
		".git/config":             "",
	} {
		if got := linkedPath("standards/router.md", destination); got != want {
			t.Errorf("%q leads to %q, not %q", destination, got, want)
		}
	}
}

// Only a router's links are read, and their lines are those of the file.
func TestLinksOfARouter(t *testing.T) {
	t.Parallel()
	body := "\n# R\n\n| task | read |\n|---|---|\n| an api | [API](api.md) |\n\nSee [web](http://h) and [the\ntop](/x.md \"t\").\n"
	router := "---\nstandard: {id: r, role: router, level: MUST}\n---\n" + body
	m, findings := ParseModule("s/r.md", []byte(router))
	if diff := cmp.Diff([]Link{{9, "s/api.md"}, {11, "x.md"}}, m.Links); diff != "" || len(findings) > 0 {
		t.Error(findings, diff)
	}
	if m, _ := ParseModule("s/r.md", []byte(strings.Replace(router, "router", "topic", 1))); m.Links != nil {
		t.Error(m.Links)
	}
	_, findings = ParseModule("s/r.md", []byte(router+"\n"+strings.Repeat("long ", 5000)))
	if len(findings) != 1 || findings[0].Code != "MODULE.TOO_BIG" || findings[0].Line != 14 {
		t.Error(findings)
	}
}
