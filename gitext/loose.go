package gitext

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// reader is how a repository's objects are read: loose files here, the rest by libgit2 where it can open the repository,
// and whatever those have not, by git, which also finds what a promisor has, packs that came since, and a second, sound
// copy of a damaged object. Loose files never reach libgit2, because 1.5 waits for ever for the rest of a truncated one.
type reader struct {
	dirs  []string // object directories, alternates among them
	packs *libgit2 // nil where libgit2 cannot open the repository
	git   *batch
}

func (r *reader) Read(ctx context.Context, id string) (typ string, data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	if !IsID(id) {
		return "", nil, missing(id)
	}
	found := false
	for _, dir := range r.dirs {
		typ, data, err := readLoose(dir, id)
		if err == nil {
			return typ, data, nil
		}
		found = found || !errors.Is(err, fs.ErrNotExist)
	}
	if r.packs != nil && !found {
		if typ, data, ok := r.packs.read(id); ok && verify(id, typ, data) == nil {
			return typ, data, nil
		}
	}
	typ, data, err = r.git.Read(ctx, id)
	if found && fault.Is(err, "OBJECT.MISSING") {
		err = corrupt(id).Because(err)
	}
	return typ, data, err
}

// size is how many bytes an object says that it has. Nothing is proven: who reads it finds out.
func (r *reader) size(ctx context.Context, id string) (int64, bool) {
	if ctx.Err() != nil || !IsID(id) {
		return 0, false
	}
	for _, dir := range r.dirs {
		if size, err := looseSize(dir, id); !errors.Is(err, fs.ErrNotExist) {
			return size, err == nil
		}
	}
	if r.packs != nil {
		if size, ok := r.packs.size(id); ok {
			return size, true
		}
	}
	return r.git.size(ctx, id)
}

func (r *reader) close() {
	if r.packs != nil {
		r.packs.close()
	}
	r.git.close()
}

// readLoose reads and proves "<type> <size>" NUL and the bytes from a zlib stream of its own.
func readLoose(dir, id string) (typ string, data []byte, err error) {
	file, err := os.Open(filepath.Join(dir, id[:2], id[2:]))
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	stream, err := zlib.NewReader(bufio.NewReader(file))
	if err != nil {
		return "", nil, err
	}
	var body bytes.Buffer
	if _, err := io.Copy(&body, io.LimitReader(stream, maxObject)); err != nil {
		return "", nil, err
	}
	head, rest, ok := bytes.Cut(body.Bytes(), []byte{0})
	typ, size, _ := strings.Cut(string(head), " ")
	if !ok || size != strconv.Itoa(len(rest)) {
		return "", nil, errors.New("the header of the object is damaged")
	}
	return typ, rest, verify(id, typ, rest)
}

func looseSize(dir, id string) (int64, error) {
	file, err := os.Open(filepath.Join(dir, id[:2], id[2:]))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	stream, err := zlib.NewReader(bufio.NewReaderSize(file, 512))
	if err != nil {
		return 0, err
	}
	// The longest header is a type, a blank, the digits of 64 bits and a NUL.
	head, err := bufio.NewReader(io.LimitReader(stream, 32)).ReadString(0)
	if err != nil {
		return 0, err
	}
	_, text, _ := strings.Cut(strings.TrimSuffix(head, "\x00"), " ")
	return strconv.ParseInt(text, 10, 64)
}

// withAlternates adds the directories that objects/info/alternates name, as deep as git follows them. One that cannot
// be read is git's to complain about, when an object is missed.
func withAlternates(dirs []string) []string {
	const deepest = 5
	seen := map[string]bool{}
	var all []string
	var add func(dir string, depth int)
	add = func(dir string, depth int) {
		if seen[dir] || depth > deepest {
			return
		}
		seen[dir] = true
		all = append(all, dir)
		data, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
		if err != nil {
			return
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			if strings.HasPrefix(line, `"`) {
				line, _ = unquoteC(line)
			}
			if line == "" || line[0] == '#' {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(dir, line)
			}
			add(filepath.Clean(line), depth+1)
		}
	}
	for _, dir := range dirs {
		add(dir, 0)
	}
	return all
}
