package corpus_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
)

// What routers link is what is routed: each row is the routing of a manifest, and the text of each router below its title.
func TestLinksOfRouters(t *testing.T) {
	t.Parallel()
	short := func(id, role string) string {
		return fmt.Sprintf("---\nstandard: {id: %s, role: %s, level: MUST}\n---\n# T\n", id, role)
	}
	for _, row := range []struct {
		name    string
		routing string
		routers contenttest.Files
		want    []string
	}{
		{"exactly", "routing:\n  base: [api]\n  rules: [{id: r, module: deep, when: always}]\n", contenttest.Files{"standards/router.md": "\n[A](api.md) and [d](sub/deep.md#x)\n"}, nil},
		{"by other ways to the same file", "routing:\n  base: [api, deep]\n", contenttest.Files{"standards/sub/router.md": "\n| [A](/standards/api.md?plain=1) |\n| [d](deep.md) |\n"}, nil},
		{"one is missing", "routing:\n  base: [api]\n  rules: [{id: r, module: deep, when: always}]\n", contenttest.Files{"standards/router.md": "\n[A](api.md)\n"},
			[]string{`ROUTING.LINK_MISSING standards/router.md:2: the router does not link module "deep", which the rule r of standards/standards.yaml:5 names; write [deep](sub/deep.md) where it says when to read that`}},
		{"one is more", "routing:\n  base: [api]\n", contenttest.Files{"standards/router.md": "\n[A](api.md)\n\n[d](sub/deep.md), [again](sub/deep.md)\n"},
			[]string{`ROUTING.LINK_EXTRA standards/router.md:8: the router links module "deep", which routing names nowhere; write a rule for deep in standards/standards.yaml, or remove the link`}},
		{"nothing is routed", "routing:\n  base: []\n", contenttest.Files{"standards/router.md": "\n[A](api.md)\n"},
			[]string{`ROUTING.LINK_EXTRA standards/router.md:6: the router links module "api", which routing names nowhere; write a rule for api in standards/standards.yaml, or remove the link`}},
		{"without routing", "", contenttest.Files{"standards/router.md": "\n[A](api.md)\n"}, nil},
		{"without a router", "routing:\n  base: [api]\n", nil, nil},
		{"several cover it together", "routing:\n  base: [api, deep, r2]\n", contenttest.Files{"standards/r1.md": "\n[A](api.md) [two](r2.md)\n", "standards/r2.md": "\n[d](sub/deep.md) [A](api.md) [self](r2.md) [one](r1.md)\n"}, nil},
		{"several leave one out", "routing:\n  base: [api, deep]\n", contenttest.Files{"standards/r1.md": "\n[A](api.md)\n", "standards/sub/r2.md": ""},
			[]string{`ROUTING.LINK_MISSING standards/r1.md:2: no router links module "deep", which the base of standards/standards.yaml:4 names; write [deep](sub/deep.md) where it says when to read that`}},
		{"files that are no modules are free", "routing:\n  base: [api]\n", contenttest.Files{"standards/router.md": "\n[A](api.md) [x](../docs/x.md) [y](plain.md) [z](http://h/standards/sub/deep.md) ![i](sub/deep.md)\n"}, nil},
		{"a name that a destination cannot hold as it is", "routing:\n  base: [api, odd]\n", contenttest.Files{"standards/router.md": "\n[A](api.md)\n"},
			[]string{`ROUTING.LINK_MISSING standards/router.md:2: the router does not link module "odd", which the base of standards/standards.yaml:4 names; write [odd](o%20d%23%28.md) where it says when to read that`}},
		{"which then is the link", "routing:\n  base: [api, odd]\n", contenttest.Files{"standards/router.md": "\n[A](api.md) [odd](o%20d%23%28.md)\n"}, nil},
	} {
		files := contenttest.Files{
			manifest: "version: 1\nmodules: [\"standards/**/*.md\"]\n" + row.routing, "standards/api.md": short("api", "topic"), "standards/sub/deep.md": short("deep", "topic"),
			"standards/o d#(.md": short("odd", "topic"), "standards/plain.md": "# no module\n",
		}
		for name, text := range row.routers {
			id := map[string]string{"standards/r1.md": "r1", "standards/r2.md": "r2", "standards/sub/r2.md": "r2"}[name]
			if id == "" {
				id = "router"
			}
			files[name] = short(id, "router") + text
		}
		var got []string
		c := compile(t, files)
		for _, f := range c.Findings {
			got = append(got, fmt.Sprintf("%s %s:%d: %s; %s", f.Code, f.File, f.Line, f.Message, f.Next))
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
		if corpus.HasErrors(c.Findings) != (len(row.want) > 0) || len(c.Unreadable) > 0 {
			t.Errorf("%s: on an accepted side it reads as other findings about names do (B7): %v", row.name, c.Unreadable)
		}
	}
}

// A router that cannot be read may link what seems to be missing.
func TestLinksOfARouterThatCannotBeRead(t *testing.T) {
	t.Parallel()
	c := compile(t, contenttest.Files{
		manifest: "version: 1\nmodules: [\"standards/**/*.md\"]\nrouting:\n  base: [api]\n", "standards/api.md": "---\nstandard: {id: api, role: topic, level: MUST}\n---\n",
		"standards/r1.md": "---\nstandard: {id: r1, role: router, level: MUST}\n---\n", "standards/r2.md": "---\nstandard: {id: r2, role: router, level: [}\n---\n[A](api.md)\n",
	})
	if len(c.Findings) != 1 || c.Findings[0].Code != "YAML.SYNTAX" {
		t.Error(c.Findings)
	}
}
