package capture

import (
	"context"

	"github.com/git-standards/git-standards/gitext"
)

// files are the files of a worktree that are no objects yet, as git add would record them: as they stand there where it converts
// nothing, else as Git itself converts them. A side without a worktree has none.
type files struct {
	repo   *gitext.Repo
	native *native
	read   map[string][]byte // by name, once read
}

func newFiles(repo *gitext.Repo) *files {
	allowed := func(ctx context.Context) ([]string, error) { return repo.Settings(ctx, AllowFilesystem) }
	return &files{
		repo:   repo,
		native: &native{top: repo.TopLevel, allowed: allowed, hash: repo.BlobHash, typed: repo.Typed},
		read:   map[string][]byte{},
	}
}

// need reads files that were not read yet, and gives the sizes of those with more than most bytes, which it leaves alone; most 0 is
// no bound. Names are sorted.
func (f *files) need(ctx context.Context, names []string, most int64) (large map[string]int64, err error) {
	var missing []string
	for _, name := range names {
		if _, done := f.read[name]; !done {
			missing = append(missing, name)
		}
	}
	large = map[string]int64{}
	take := func(name string, data []byte, size int64) {
		if most > 0 && size > most {
			large[name] = size
		} else {
			f.read[name] = data
		}
	}
	converted, err := f.verbatim(ctx, missing, want{most: most}, func(name string, c contents) { take(name, c.data, c.size) })
	if err != nil || len(converted) == 0 {
		return large, err
	}
	return large, f.around(ctx, converted, func() error {
		clean, err := f.repo.CleanBytes(ctx, converted, most)
		for i, c := range clean {
			take(converted[i], c.Data, c.Size)
		}
		return err
	})
}

// ids are the ids of the blobs that git add would record, by name.
func (f *files) ids(ctx context.Context, names []string) (map[string]string, error) {
	named := map[string]string{}
	converted, err := f.verbatim(ctx, names, want{id: true}, func(name string, c contents) { named[name] = c.id })
	if err != nil || len(converted) == 0 {
		return named, err
	}
	return named, f.around(ctx, converted, func() error {
		ids, err := f.repo.CleanIDs(ctx, converted)
		for i, id := range ids {
			named[converted[i]] = id
		}
		return err
	})
}

// verbatim hands on the files that git add would record as they are, and returns the names of the others.
func (f *files) verbatim(ctx context.Context, names []string, w want, take func(name string, c contents)) (converted []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	conversions, err := f.repo.Conversions(ctx, names)
	if err != nil {
		return nil, err
	}
	var asTheyAre []string
	lineEnds := map[string]bool{}
	for i, name := range names {
		switch conversions[i] {
		case gitext.Converted:
			converted = append(converted, name)
			continue
		case gitext.LineEnds:
			lineEnds[name] = true
		}
		asTheyAre = append(asTheyAre, name)
	}
	read, err := f.native.read(ctx, asTheyAre, w)
	if err != nil {
		return nil, err
	}
	for i, name := range asTheyAre {
		// Of a file that was not read, line ends are not known.
		if c := read[i]; lineEnds[name] && (c.crlf || c.data == nil && c.id == "") {
			converted = append(converted, name)
		} else {
			take(name, c)
		}
	}
	return converted, nil
}

// around is for what Git reads by path: the files stand on the same mount, below no symlink, and are what they were when it has.
func (f *files) around(ctx context.Context, names []string, read func() error) error {
	before, err := f.native.status(ctx, names)
	if err != nil {
		return err
	}
	if err := read(); err != nil {
		return err
	}
	return f.native.still(ctx, names, before)
}
