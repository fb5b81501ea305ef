package gitext

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	// Each of the random repositories costs some tens of processes. What the command line says comes later, and counts.
	if err := flag.Set("rapid.checks", "8"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// grown is a repository that random steps change: what holds its objects, not what they are.
type grown struct {
	*fixture
	format string
	number int // of repositories beside the first
}

// text is like other texts, so that one is stored as a difference from another, with a part that cannot be compressed.
func text(rt *rapid.T) string {
	random := rand.New(rand.NewPCG(uint64(rapid.IntRange(0, 3).Draw(rt, "kind")), 0))
	var b strings.Builder
	for range rapid.IntRange(20, 300).Draw(rt, "lines") {
		fmt.Fprintf(&b, "line %x\n", random.Uint64())
	}
	return b.String() + rapid.StringN(0, 20, 40).Draw(rt, "end")
}

// difference stores two long texts that are alike except at their ends, in one pack, so that git keeps one of them as a difference.
func (g *grown) difference() {
	random := rand.New(rand.NewPCG(9, 0))
	var b strings.Builder
	for range 200 {
		fmt.Fprintf(&b, "line %x\n", random.Uint64())
	}
	g.Write("alike/a", b.String()+"one\n")
	g.Write("alike/b", b.String()+"two\n")
	g.Commit()
	g.Git("repack", "-adfq", "--depth=50")
}

func (g *grown) commit(rt *rapid.T) {
	names := rapid.SampledFrom([]string{"a", "b", "d/a", "d/e/a", "d/e/b"})
	for range rapid.IntRange(2, 5).Draw(rt, "files") {
		g.Write(names.Draw(rt, "name"), text(rt))
	}
	g.Commit()
}

// beside is a further repository, which becomes the one at hand.
func (g *grown) beside(make func(dir string)) {
	g.number++
	dir := g.Beside(fmt.Sprintf("r%d", g.number))
	make(dir)
	g.fixture = g.At(dir)
}

var steps = map[string]func(rt *rapid.T, g *grown){
	"commit": func(rt *rapid.T, g *grown) { g.commit(rt) },
	"tag": func(rt *rapid.T, g *grown) {
		g.Git("tag", "-f", "-a", "-m", fmt.Sprintf("%q", text(rt)), fmt.Sprint("v", rapid.IntRange(0, 2).Draw(rt, "tag")))
	},
	"a loose object": func(rt *rapid.T, g *grown) { g.Feed(text(rt), "hash-object", "-w", "--stdin") },
	"one more pack":  func(_ *rapid.T, g *grown) { g.Git("repack", "-dq") },
	"one pack": func(rt *rapid.T, g *grown) {
		g.Git("-c", fmt.Sprint("repack.useDeltaBaseOffset=", rapid.Bool().Draw(rt, "offsets")), "-c", fmt.Sprint("pack.indexVersion=", rapid.IntRange(1, 2).Draw(rt, "index")),
			"-c", fmt.Sprint("pack.compression=", rapid.IntRange(0, 9).Draw(rt, "compression")), "repack", "-adfq", fmt.Sprint("--depth=", rapid.IntRange(0, 60).Draw(rt, "depth")))
	},
	"gc":        func(_ *rapid.T, g *grown) { g.Git("gc", "-q") },
	"one index": func(_ *rapid.T, g *grown) { _, _ = g.Run("", "multi-pack-index", "write") }, // there may be no pack
	"keep a pack": func(_ *rapid.T, g *grown) {
		g.Git("repack", "-dq")
		g.each("pack", func(path string) { touch(g, strings.TrimSuffix(path, "pack")+"keep") })
	},
	"unpack": func(_ *rapid.T, g *grown) {
		g.each("pack", func(path string) {
			moved := g.Beside("unpacked")
			if err := os.Rename(path, moved); err != nil {
				g.T.Fatal(err)
			}
			_ = os.Remove(strings.TrimSuffix(path, "pack") + "idx")
			g.Feed(read(g.T, moved), "unpack-objects", "-q")
		})
		_ = os.Remove(filepath.Join(g.Dir, ".git/objects/pack/multi-pack-index"))
	},
	"borrow": func(rt *rapid.T, g *grown) {
		lender := filepath.Base(g.Dir)
		g.beside(func(dir string) { g.Git("clone", "-q", "--shared", ".", dir) })
		if rapid.Bool().Draw(rt, "relative") {
			g.borrow("../../../" + lender + "/.git/objects\n")
		}
	},
	"fetch a thin pack": func(rt *rapid.T, g *grown) {
		g.beside(func(dir string) {
			g.Git("clone", "-q", "file://"+g.Dir, dir)
			g.commit(rt)
			g.At(dir).Git("-c", "fetch.unpackLimit=1", "pull", "-q", "--ff-only")
		})
	},
}

func (g *grown) each(ext string, do func(path string)) {
	paths, err := filepath.Glob(filepath.Join(g.Dir, ".git/objects/pack/*."+ext))
	if err != nil {
		g.T.Fatal(err)
	}
	for _, path := range paths {
		do(path)
	}
}

func touch(g *grown, path string) {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		g.T.Fatal(err)
	}
}

// Whatever Git made of a repository, each reader gives of every object what git gives, and no other object: libgit2 without asking
// git, and git alone.
func TestReadersAgreeOnRandomRepositories(t *testing.T) {
	t.Parallel()
	byName := rapid.SampledFrom([]string{
		"commit", "commit", "tag", "a loose object", "one more pack", "one pack", "one pack", "one pack", "gc", "one index", "keep a pack", "unpack", "borrow", "fetch a thin pack",
	})
	deltas := 0
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom([]string{"sha1", "sha1", "sha256"}).Draw(rt, "format")
		g := &grown{fixture: newFixture(t, "--object-format="+format), format: format}
		defer os.RemoveAll(filepath.Dir(g.Dir))
		g.commit(rt)
		for range rapid.IntRange(2, 7).Draw(rt, "steps") {
			steps[byName.Draw(rt, "step")](rt, g)
		}
		if deltas == 0 { // the first repository has one for certain: with -short it is the only one
			g.difference()
		}
		want := gitObjects(g.fixture)
		for range 3 {
			absent, _ := hashObject(idLength(format), "blob", []byte(text(rt)))
			if _, there := want[absent]; !there {
				want[absent] = object{}
			}
		}
		for line := range strings.SplitSeq(g.Feed("", "cat-file", "--batch-all-objects", "--batch-check=%(deltabase)"), "\n") {
			if !IsZero(line) {
				deltas++
			}
		}
		r := g.open()
		for name, o := range readersOf(r) {
			asked := false
			for id, w := range want {
				typ, data, err := o.Read(t.Context(), id)
				if w.typ == "" {
					asked = true
				}
				if typ != w.typ || string(data) != w.data || (err == nil) != (w.typ != "") {
					rt.Fatalf("%s of %s: %s %q, %v; git says %q", id, name, typ, data, err, w)
				}
				if name == "libgit2" && !asked && o.git.process != nil {
					rt.Fatalf("git was asked for %s, a %s", id, w.typ)
				}
			}
			o.close()
		}
	})
	if deltas == 0 {
		t.Error("no object was stored as a difference")
	}
}

// readersOf gives each reader of a repository: the one that it has, and git alone.
func readersOf(r *Repo) map[string]*reader {
	all := map[string]*reader{}
	if r.ObjectFormat == "sha1" {
		all["libgit2"] = r.newReader(r.objectDirs(), r.dir, r.env)
	}
	all["git"] = r.newReader(r.objectDirs(), r.dir, r.env)
	all["git"].dirs, all["git"].packs = nil, nil
	return all
}
