package gitext

import "context"

// BaseName returns the name of the base branch as the repository shows it (RULES B3, gate.base aside); "" where nothing does.
// It looks at no history.
func (r *Repo) BaseName(ctx context.Context) (string, error) {
	known, err := r.branches(ctx, nil)
	if err != nil {
		return "", err
	}
	name, _ := known.baseName("")
	return name, nil
}
