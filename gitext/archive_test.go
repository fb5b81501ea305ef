package gitext_test

import (
	"archive/tar"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// archived is what git archive makes of HEAD: path and SHA-256 of each regular file, and how many links there are.
func archived(t *testing.T, f *gittest.Repository) (files map[string]string, links int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.tar")
	f.Git("archive", "--format=tar", "-o", path, "HEAD")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	files = map[string]string{}
	for archive := tar.NewReader(file); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, links
		}
		if err != nil {
			t.Fatal(err)
		}
		switch header.Typeflag {
		case tar.TypeReg:
			hash := sha256.New()
			if n, err := io.Copy(hash, archive); err != nil || n != header.Size {
				t.Fatal(n, err)
			}
			files[header.Name] = fmt.Sprintf("sha256:%x", hash.Sum(nil))
		case tar.TypeSymlink:
			links++
		case tar.TypeDir, tar.TypeXGlobalHeader: // the latter names the commit
		default:
			t.Fatalf("%q is of type %q", header.Name, header.Typeflag)
		}
	}
}

func sum(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// digests lists the rows of the snapshot of a side: path and SHA-256.
func digests(t *testing.T, side content.Source, refused ...string) map[string]string {
	t.Helper()
	_, files := snapshotOf(t, side, refused...)
	node, err := content.NewSnapshot(files)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, entry := range content.SnapshotEntries(payload) {
		rows[entry.Name] = entry.Object
	}
	return rows
}

// A snapshot holds what git archive packs: the same paths with the same bytes. What attributes of the tree make of an archive is
// no content: files left out, texts filled in, line ends converted.
func TestSnapshotsAreWhatGitArchives(t *testing.T) {
	refused := []string{"not \xff UTF-8"}
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			f := gittest.New(t, "--object-format="+format)
			files := []string{
				".gitattributes", "secret export-ignore\nfilled export-subst\n*.crlf text eol=crlf\n*.id ident\n", "secret", "left out\n", "filled", "$Format:%H$\n",
				"a.crlf", "1\n2\n", "b.id", "$Id$\n", "windows", "1\r\n2\r\n", "nul", "a\x00b", "empty", "", "d/empty", "", "d/e/f/g", "deep", "d-e", "order", "d.e", "order",
				"new\nline", "1", "tab\there", "2", `quo"te\`, "3", "caf\u00e9", "4", "cafe\u0301", "5", "-dash", "6", ":(glob)*", "7", " blank ", "8", "A", "upper", "a", "lower",
				".gitmodules", "", "git~2", "9", "tool.sh", "#!/bin/sh\n", refused[0], "10",
				strings.Repeat("n", 255), "longest name", strings.Repeat(strings.Repeat("p", 200)+"/", 10) + "f", "long path",
				"large", strings.Repeat("0123456789abcdef", 1<<16),
			}
			for i := 0; i < len(files); i += 2 {
				f.Write(files[i], files[i+1])
			}
			err := errors.Join(os.Chmod(filepath.Join(f.Dir, "tool.sh"), 0o755), os.Symlink("tool.sh", filepath.Join(f.Dir, "link")),
				os.Symlink("/nowhere", filepath.Join(f.Dir, "d/link")))
			if err != nil {
				t.Fatal(err)
			}
			f.Git("-c", "core.safecrlf=false", "add", "-A")
			f.Git("commit", "-qm", "all")
			f.Git("repack", "-adq")
			have, _ := archived(t, f)
			if have["secret"] != "" || have["filled"] == sum("$Format:%H$\n") || have["a.crlf"] == sum("1\n2\n") || have["b.id"] == sum("$Id$\n") {
				t.Fatal("the attributes have no say in what git archives")
			}
			f.Write(".git/info/attributes", "* -export-ignore -export-subst -text -ident\n")
			want, links := archived(t, f)
			for i := 0; i < len(files); i += 2 {
				if want[files[i]] != sum(files[i+1]) {
					t.Errorf("git archives other bytes of %q", files[i])
				}
			}
			if links != 2 || len(want) != len(files)/2 {
				t.Errorf("git archives %d links and %d files, of %d", links, len(want), len(files)/2)
			}
			for _, name := range refused {
				delete(want, name)
			}
			tree := f.Git("rev-parse", "HEAD^{tree}")
			eachReader(t, f, func(t *testing.T, r *gitext.Repo) {
				for name, side := range map[string]content.Source{
					"commit": capture.Tree(r, nil, tree), "index": capture.Index(r), "worktree": capture.Worktree(r),
				} {
					if have := digests(t, side, refused...); !maps.Equal(have, want) {
						t.Errorf("the %s is\n%q\ngit archives\n%q", name, have, want)
					}
				}
			})
		})
	}
}
