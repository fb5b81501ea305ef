package capture_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/gitext"
)

// BenchmarkCapture reads every regular file of HEAD of the repository GIT_STANDARDS_BENCH, each re-hashed by the reader, and takes its
// SHA-256, by two at a time; beside what git archive writes without looking.
func BenchmarkCapture(b *testing.B) {
	folder := os.Getenv("GIT_STANDARDS_BENCH")
	if folder == "" {
		b.Skip("SKIPPED: GIT_STANDARDS_BENCH names no repository; scripts/bench_rows makes one")
	}
	var have map[string][sha256.Size]byte
	b.Run("capture", func(b *testing.B) {
		for b.Loop() {
			have = captured(b, folder)
		}
	})
	var archive []byte
	b.Run("archive", func(b *testing.B) {
		for b.Loop() {
			var err error
			if archive, err = exec.Command("git", "-C", folder, "archive", "HEAD").Output(); err != nil {
				b.Fatal(err)
			}
		}
	})
	files := 0
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil || have[header.Name] != sha256.Sum256(data) {
			b.Fatalf("%s: captured otherwise than archived (%v)", header.Name, err)
		}
		files++
	}
	if files == 0 || files != len(have) {
		b.Fatalf("%d files are archived, %d captured", files, len(have))
	}
}

func captured(b *testing.B, folder string) map[string][sha256.Size]byte {
	ctx := context.Background()
	repo, err := gitext.Open(ctx, gitext.Options{Dir: folder})
	if err != nil {
		b.Fatal(err)
	}
	defer repo.Close()
	tree, err := repo.Tree(ctx, "HEAD")
	if err != nil {
		b.Fatal(err)
	}
	source := capture.Tree(repo, nil, tree)
	entries, err := source.List(ctx)
	if err != nil {
		b.Fatal(err)
	}
	const chunk = 64 // so that neither thread waits for the other at the end
	next := make(chan []content.Entry, len(entries)/chunk+1)
	for at := 0; at < len(entries); at += chunk {
		next <- entries[at:min(at+chunk, len(entries))]
	}
	close(next)
	digests := make(map[string][sha256.Size]byte, len(entries))
	var mutex sync.Mutex
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			for some := range next {
				data, err := source.Read(ctx, some...)
				if err != nil {
					b.Error(err)
					return
				}
				for i := range some {
					sum := sha256.Sum256(data[i])
					mutex.Lock()
					digests[some[i].Name] = sum
					mutex.Unlock()
				}
			}
		})
	}
	running.Wait()
	return digests
}
