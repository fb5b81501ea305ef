package content

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/identity"
)

// Moves finds, for each regular file that one side lost, the one file new on another at which its exact bytes stand (RULES C13), by
// name. Where several are new with these bytes, nobody can say which it is; nor where several are lost that held the same, or where
// there were none: else one of them, or what names it, would vanish without a word.
func Moves(ctx context.Context, accepted Source, lost []Entry, proposed Source, fresh []Entry) (map[string]string, error) {
	moved := map[string]string{}
	if len(lost) == 0 || len(fresh) == 0 {
		return moved, nil
	}
	before, after, err := sameNames(ctx, accepted, lost, proposed, fresh)
	if err != nil {
		return nil, err
	}
	left, places := map[string]int{}, map[string][]string{}
	for _, bytes := range before {
		left[bytes]++
	}
	for i, bytes := range after {
		places[bytes] = append(places[bytes], fresh[i].Name)
	}
	for i, bytes := range before {
		if left[bytes] > 1 || len(places[bytes]) != 1 {
			continue
		}
		data, err := accepted.Read(ctx, lost[i])
		if err != nil {
			return nil, err
		}
		if len(data[0]) > 0 {
			moved[lost[i].Name] = places[bytes][0]
		}
	}
	return moved, nil
}

// sameNames names the bytes of files of both sides, so that equal names are equal bytes: by their objects where both sides know
// them, for which nothing is read, else by their digests.
func sameNames(ctx context.Context, accepted Source, lost []Entry, proposed Source, fresh []Entry) (before, after []string, err error) {
	if before, err = objects(ctx, accepted, lost); err != nil {
		return nil, nil, err
	}
	if after, err = objects(ctx, proposed, fresh); err != nil {
		return nil, nil, err
	}
	if !slices.Contains(before, "") && !slices.Contains(after, "") {
		return before, after, nil
	}
	if before, err = digests(ctx, accepted, lost); err != nil {
		return nil, nil, err
	}
	after, err = digests(ctx, proposed, fresh)
	return before, after, err
}

func objects(ctx context.Context, source Source, entries []Entry) ([]string, error) {
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = entry.Object
	}
	if namer, ok := source.(Namer); ok && slices.Contains(ids, "") {
		return namer.Objects(ctx, entries...)
	}
	return ids, nil
}

// readChunk bounds how many files are held in memory at a time.
const readChunk = 64

func digests(ctx context.Context, source Source, entries []Entry) ([]string, error) {
	out := make([]string, 0, len(entries))
	for chunk := range slices.Chunk(entries, readChunk) {
		data, err := source.Read(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		for _, bytes := range data {
			out = append(out, identity.Bytes(bytes))
		}
	}
	return out, nil
}
