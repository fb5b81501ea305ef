package capture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-standards/git-standards/engine/fault"
)

// While somebody changes a file as fast as can be, what is read is unavailable or one of the states that it had, never a mixture of two
// and never anything outside. Each flip makes the next state; whole tells whether bytes are one.
func TestNativeRaces(t *testing.T) {
	const page, pages = 4 << 10, 64 // many, so that a mixture is likely
	const size = page * pages
	state := func(n int) []byte { return bytes.Repeat([]byte{byte('a' + n%26)}, size) }
	uniform := func(data []byte) bool { return len(data) == size && bytes.Count(data, data[:1]) == len(data) }
	for _, c := range []struct {
		name  string
		flip  func(tr *tree, n int) error
		whole func(data []byte) bool
	}{
		{"replaced by rename", func(tr *tree, n int) error {
			temporary := tr.path("new")
			if err := os.WriteFile(temporary, state(n), 0o644); err != nil {
				return err
			}
			return os.Rename(temporary, tr.path("d/e/file"))
		}, uniform},
		{"written in place", func(tr *tree, n int) error {
			// One byte at a time, page after page, so that all states are known: the first pages are one generation ahead.
			file, err := os.OpenFile(tr.path("d/e/file"), os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer file.Close()
			for i := range 50 * pages {
				if _, err := file.WriteAt([]byte{byte('a' + (n*50+i/pages+1)%26)}, int64(i%pages*page)); err != nil {
					return err
				}
			}
			return nil
		}, func(data []byte) bool {
			turned := 0
			for i := 1; i < pages && len(data) == size; i++ {
				before, here := int(data[(i-1)*page]-'a'), int(data[i*page]-'a')
				if before != here {
					turned++
				}
				if before != here && before != (here+1)%26 {
					return false
				}
			}
			return len(data) == size && turned <= 1
		}},
		{"growing and shrinking", func(tr *tree, n int) error {
			return os.Truncate(tr.path("d/e/file"), int64(size/2+n%2*size/2))
		}, func(data []byte) bool {
			// What a longer state has beyond the first is zeros, as truncate says.
			half := data[:min(len(data), size/2)]
			rest := data[len(half):]
			return len(half) == size/2 && bytes.Count(half, []byte("a")) == len(half) && (len(rest) == 0 || len(rest) == size/2) && isOneByte(rest)
		}},
		{"a symlink swapped in", func(tr *tree, n int) error {
			if n%2 == 0 {
				return unix.Renameat2(unix.AT_FDCWD, tr.path("d/e/file"), unix.AT_FDCWD, tr.path("out-file"), unix.RENAME_EXCHANGE)
			}
			return unix.Renameat2(unix.AT_FDCWD, tr.path("out-file"), unix.AT_FDCWD, tr.path("d/e/file"), unix.RENAME_EXCHANGE)
		}, uniform},
		{"a symlink swapped in for the folder", func(tr *tree, n int) error {
			return unix.Renameat2(unix.AT_FDCWD, tr.path("d/e"), unix.AT_FDCWD, tr.path("out-folder"), unix.RENAME_EXCHANGE)
		}, uniform},
		{"the folder renamed away and back", func(tr *tree, n int) error {
			if n%2 == 0 {
				return os.Rename(tr.path("d"), tr.path("../moved"))
			}
			return os.Rename(tr.path("../moved"), tr.path("d"))
		}, uniform},
	} {
		for way, byHand := range ways {
			t.Run(c.name+", "+way, func(t *testing.T) {
				tr := newTree(t, byHand)
				tr.repo.Write("d/e/file", string(state(0)))
				outside := filepath.Join(filepath.Dir(tr.top), "outside")
				tr.must(os.MkdirAll(outside, 0o755))
				tr.must(os.WriteFile(filepath.Join(outside, "file"), bytes.Repeat([]byte("OUT"), size/3+1)[:size], 0o644))
				tr.must(os.Symlink(filepath.Join(outside, "file"), tr.path("out-file")))
				tr.must(os.Symlink(outside, tr.path("out-folder")))
				var ended atomic.Bool
				var failed error
				var group sync.WaitGroup
				group.Go(func() {
					for n := 0; !ended.Load() && failed == nil; n++ {
						failed = c.flip(tr, n)
						if n%8 == 0 {
							time.Sleep(time.Millisecond) // so that some readings succeed
						}
					}
				})
				read, refused := 0, 0
				for begun := time.Now(); time.Since(begun) < 150*time.Millisecond; {
					got, err := tr.read(t.Context(), []string{"d/e/file"}, want{})
					switch f := fault.As(err); {
					case err == nil && c.whole(got[0].data):
						read++
					case err == nil:
						t.Errorf("read %s", describe(got[0].data))
					case f != nil && f.Code == "WORKTREE.CHANGED" && f.Outcome == fault.Unavailable && strings.HasPrefix("d/e/file", f.Target):
						refused++
					default:
						t.Error(err)
					}
				}
				ended.Store(true)
				group.Wait()
				tr.must(failed)
				t.Logf("%d read, %d refused", read, refused)
				if refused == 0 {
					t.Skip("SKIPPED: this machine met no race")
				}
			})
		}
	}
}

func isOneByte(data []byte) bool {
	return len(data) == 0 || bytes.Count(data, data[:1]) == len(data)
}

// describe tells the runs of a text.
func describe(data []byte) string {
	var b strings.Builder
	for i := 0; i < len(data); {
		n := len(data[i:]) - len(bytes.TrimLeft(data[i:], string(data[i:i+1])))
		fmt.Fprintf(&b, "%d times %q, ", n, data[i])
		i += n
		if b.Len() > 200 {
			break
		}
	}
	return b.String()
}
