package content

import (
	"bytes"
	"context"
)

// Differing leaves out of changes what is no regular file on either side, and the files whose bytes are equal on both: a worktree
// lists what was touched. An entry that is no regular file is nil in what it returns.
func Differing(ctx context.Context, accepted, proposed Source, changes []Change) ([]Change, error) {
	var certain, unsure []Change
	for _, c := range changes {
		if c.Old != nil && c.Old.Kind != Regular {
			c.Old = nil
		}
		if c.New != nil && c.New.Kind != Regular {
			c.New = nil
		}
		switch {
		case c.Old == nil && c.New == nil:
		case c.Old == nil || c.New == nil:
			certain = append(certain, c)
		case c.Old.Object == "" || c.New.Object == "":
			unsure = append(unsure, c)
		case c.Old.Object != c.New.Object:
			certain = append(certain, c)
		}
	}
	if len(unsure) == 0 {
		return certain, nil
	}
	differs, err := differ(ctx, accepted, proposed, unsure)
	if err != nil {
		return nil, err
	}
	for i, c := range unsure {
		if differs[i] {
			certain = append(certain, c)
		}
	}
	return certain, nil
}

// differ compares by the names of objects where both sides know them, else byte by byte.
func differ(ctx context.Context, accepted, proposed Source, changes []Change) ([]bool, error) {
	old, young := make([]Entry, len(changes)), make([]Entry, len(changes))
	for i, c := range changes {
		old[i], young[i] = *c.Old, *c.New
	}
	before, err := objects(ctx, accepted, old)
	if err != nil {
		return nil, err
	}
	after, err := objects(ctx, proposed, young)
	if err != nil {
		return nil, err
	}
	differs := make([]bool, len(changes))
	for i := range changes {
		if before[i] != "" && after[i] != "" {
			differs[i] = before[i] != after[i]
			continue
		}
		was, err := accepted.Read(ctx, old[i])
		if err != nil {
			return nil, err
		}
		is, err := proposed.Read(ctx, young[i])
		if err != nil {
			return nil, err
		}
		differs[i] = !bytes.Equal(was[0], is[0])
	}
	return differs, nil
}
