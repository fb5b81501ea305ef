package gitext

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// history gives a repository with blobs, nested trees, commits and an annotated tag, near enough alike to be deltas.
func withHistory(t *testing.T, format string) *fixture {
	f := newFixture(t, "--object-format="+format)
	text := strings.Repeat("a line that repeats\n", 200)
	for i := range 4 {
		f.Commit("docs/a.md", fmt.Sprintf("%s%d\n", text, i), "docs/deep/er/b.md", fmt.Sprint(i), "empty", "")
	}
	f.Git("tag", "-a", "-m", "a tag", "v1")
	return f
}

func TestReadersSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	f := withHistory(t, "sha1")
	r := f.open()
	readers(t, r, func(t *testing.T, o Objects) {
		for _, id := range []string{strings.Repeat("ab", 20), strings.Repeat("0", 40), "HEAD", "", "abc\nHEAD", strings.Repeat("ab", 32)} {
			_, _, err := o.Read(t.Context(), id)
			wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
		}
		blob := f.Git("rev-parse", "HEAD:empty")
		if _, err := ReadTree(t.Context(), o, blob); !fault.Is(err, "OBJECT.CORRUPT") {
			t.Errorf("a blob read as a tree: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := o.Read(ctx, blob); err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// A size is told without the bytes, by every reader; of what is damaged or missing it may be told or not, but it never hangs.
func TestSizesAreToldWithoutReading(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		want := map[string]int64{}
		for _, text := range []string{"", "x", strings.Repeat("large\n", 100_000)} {
			f.Write("file", text)
			want[f.Git("hash-object", "-w", "file")] = int64(len(text))
		}
		f.Commit("a", "1")
		f.Git("repack", "-adq")
		for _, text := range []string{"loose", strings.Repeat("loose\n", 100_000)} {
			f.Write("file", text)
			want[f.Git("hash-object", "-w", "file")] = int64(len(text))
		}
		truncated := f.Feed(strings.Repeat("0123456789", 1000), "hash-object", "-w", "--stdin")
		data, err := os.ReadFile(loosePath(f, truncated))
		if err != nil {
			t.Fatal(err)
		}
		replaceFile(t, loosePath(f, truncated), data[:len(data)/2])
		readers(t, f.open(), func(t *testing.T, o Objects) {
			for id, size := range want {
				if have, ok := BlobSize(t.Context(), o, id); !ok || have != size {
					t.Errorf("%s has %d bytes, told are %d %v", id, size, have, ok)
				}
			}
			if _, ok := BlobSize(t.Context(), o, strings.Repeat("1", len(truncated))); ok {
				t.Error("what is missing has a size")
			}
			if size, ok := BlobSize(t.Context(), o, truncated); ok && size != 10_000 {
				t.Error(size)
			}
			if _, _, err := o.Read(t.Context(), truncated); err == nil {
				t.Error("a truncated object is read")
			}
		})
	}
}
