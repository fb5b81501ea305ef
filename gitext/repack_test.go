package gitext

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// While git packs, packs anew and prunes, every read gives the right bytes or says that the object cannot be read now; what is still
// referred to is there once git is done, for the very readers that read meanwhile. What was pruned is missing.
func TestReadersWhileGitRepacks(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			f := withHistory(t, format)
			want := gitObjects(f)
			lost := f.Feed("nothing refers to this\n", "hash-object", "-w", "--stdin")
			r := f.open()
			read := func(ctx context.Context, name string, o Objects) (right, unavailable int) {
				for id, w := range want {
					typ, data, err := o.Read(ctx, id)
					switch e := fault.As(err); {
					case err == nil && typ == w.typ && string(data) == w.data:
						right++
					case e != nil && e.Outcome == fault.Unavailable && e.Target == id:
						unavailable++
					default:
						t.Errorf("%s of %s: %s %q, %v", id, name, typ, data, err)
					}
				}
				typ, data, err := o.Read(ctx, lost)
				if (err != nil || typ != "blob" || string(data) != "nothing refers to this\n") && !fault.Is(err, "OBJECT.MISSING") && !fault.Is(err, "OBJECT.CORRUPT") {
					t.Errorf("what nothing refers to: %s %q, %v", typ, data, err)
				}
				return right, unavailable
			}
			var done atomic.Bool
			var reading sync.WaitGroup
			all := readersOf(r)
			for name, o := range all {
				defer o.close()
				for range 2 {
					reading.Go(func() {
						rounds, right, unavailable := 0, 0, 0
						for ; !done.Load() || rounds < 2; rounds++ {
							a, b := read(t.Context(), name, o)
							right, unavailable = right+a, unavailable+b
						}
						if right == 0 || unavailable > right/10 {
							t.Errorf("%s: %d reads were right, %d refused", name, right, unavailable)
						}
					})
				}
			}
			for i := range 2 {
				f.Commit("docs/a.md", strings.Repeat(fmt.Sprintln("line", i), 100))
				f.Git("repack", "-adfq")
				f.Git("gc", "-q", "--prune=now")
				f.Git("repack", "-dq", "--write-midx")
			}
			done.Store(true)
			reading.Wait()
			for name, o := range all {
				if right, unavailable := read(t.Context(), name, o); right != len(want) || unavailable != 0 {
					t.Errorf("%s: at rest, %d of %d objects are read", name, right, len(want))
				}
				_, _, err := o.Read(t.Context(), lost)
				wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
			}
		})
	}
}
