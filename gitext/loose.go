package gitext

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

// reader is how a repository's objects are read: loose files here, packs by libgit2 where it knows the object format, and whatever
// those have not, by git, which also finds what a promisor has, packs that came since, and a second, sound copy of a damaged object.
type reader struct {
	dirs  []string // object directories, alternates among them
	env   []string // of git
	packs *libgit2 // nil where libgit2 does not know the object format
	git   *batch
}

// newReader reads the objects of directories and of their alternates; git is started in dir with env, which must name the same ones.
func (r *Repo) newReader(dirs []string, dir string, env []string) *reader {
	dirs = withAlternates(dirs)
	return &reader{dirs: dirs, env: env, packs: openLibgit2(r.ObjectFormat, dirs), git: newBatch(r.git, dir, env)}
}

func (r *reader) Read(ctx context.Context, id string) (typ string, data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	if !IsID(id) {
		return "", nil, missing(id)
	}
	typ, data, err = r.once(ctx, id)
	if err == nil || errors.Is(err, errPromised) || fault.Is(err, "OBJECT.TOO_LARGE") || ctx.Err() != nil {
		return typ, data, r.unfetched(id, err)
	}
	// While git repacks, an object is now in a file and now in another: what is still wrong at a second look, is wrong.
	if r.packs != nil {
		r.packs.refresh()
	}
	r.git.close()
	typ, data, err = r.once(ctx, id)
	return typ, data, r.unfetched(id, err)
}

func (r *reader) once(ctx context.Context, id string) (typ string, data []byte, err error) {
	found := false
	for _, dir := range r.dirs {
		typ, data, err := readLoose(dir, id)
		switch {
		case err == nil:
			return typ, data, nil
		case fault.Is(err, "OBJECT.TOO_LARGE"):
			return "", nil, err
		case errors.Is(err, errTrailing):
			return "", nil, corrupt(id).Because(err) // which git may pass over, so it is not asked
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

// unfetched says of an object that is missing from a partial clone how to get it: git fetch alone would not.
func (r *reader) unfetched(id string, err error) error {
	if !fault.Is(err, "OBJECT.MISSING") || !r.partial() {
		return err
	}
	f := fault.New(fault.Unavailable, "OBJECT.MISSING", id, "the object is not in this partial clone, and was not fetched").Because(fault.As(err).Cause)
	if lookup(r.env, "GIT_NO_LAZY_FETCH") != "" {
		return f.Hint("env -u GIT_NO_LAZY_FETCH git cat-file -e " + id)
	}
	return f.Hint("git cat-file -e " + id)
}

// partial reports packs from a remote that promised the rest.
func (r *reader) partial() bool {
	return slices.ContainsFunc(r.dirs, func(dir string) bool {
		files, err := os.ReadDir(filepath.Join(dir, "pack"))
		return err == nil && slices.ContainsFunc(files, func(f fs.DirEntry) bool { return filepath.Ext(f.Name()) == ".promisor" })
	})
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

// loose is an open loose object: "<type> <size>" NUL and the bytes, from a zlib stream that is the whole file.
type loose struct {
	file   *os.File
	raw    *bufio.Reader // of the file; zlib takes no byte more from it than the stream has
	stream *bufio.Reader
	typ    string
	size   int64
}

// errTrailing is bytes behind those of the object.
var errTrailing = errors.New("bytes follow the object in its file")

func openLoose(dir, id string) (o *loose, err error) {
	// Whoever put a pipe here does not make us wait for its writer.
	file, err := os.OpenFile(filepath.Join(dir, id[:2], id[2:]), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("the object is not a regular file"))
	}
	o = &loose{file: file, raw: bufio.NewReaderSize(file, 16<<10)}
	stream, err := zlib.NewReader(o.raw)
	if err != nil {
		return nil, err
	}
	o.stream = bufio.NewReaderSize(stream, 512)
	return o, o.header()
}

// header reads at most the longest header: a type of six letters, a blank, the digits of 63 bits and a NUL.
func (o *loose) header() error {
	const longest = 6 + 1 + 19 + 1
	head, err := o.stream.Peek(longest)
	end := bytes.IndexByte(head, 0)
	if end < 0 {
		return errors.Join(err, errors.New("the header of the object has no end"))
	}
	typ, digits, _ := strings.Cut(string(head[:end]), " ")
	size, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || size < 0 || digits != strconv.FormatInt(size, 10) || !slices.Contains(types, typ) {
		return fmt.Errorf("the header of the object says %q", head[:end])
	}
	o.typ, o.size = typ, size
	_, err = o.stream.Discard(end + 1)
	return err
}

// types are the types of objects.
var types = []string{"blob", "tree", "commit", "tag"}

// readLoose reads and proves a loose object. It allocates no more than the file really holds and no more than maxObject.
func readLoose(dir, id string) (typ string, data []byte, err error) {
	o, err := openLoose(dir, id)
	if err != nil {
		return "", nil, err
	}
	defer o.file.Close()
	if o.size > maxObject {
		return "", nil, tooLarge(id, o.size)
	}
	var body bytes.Buffer
	body.Grow(int(min(o.size, 1<<20)) + bytes.MinRead)
	if _, err := io.CopyN(&body, o.stream, o.size); err != nil {
		return "", nil, err
	}
	// The stream ends with its checksum, which is read here.
	if _, err := o.stream.ReadByte(); err == nil {
		return "", nil, errTrailing
	} else if err != io.EOF {
		return "", nil, err
	}
	if _, err := o.raw.ReadByte(); err == nil {
		return "", nil, errTrailing
	}
	return o.typ, body.Bytes(), verify(id, o.typ, body.Bytes())
}

func looseSize(dir, id string) (int64, error) {
	o, err := openLoose(dir, id)
	if err != nil {
		return 0, err
	}
	return o.size, o.file.Close()
}
