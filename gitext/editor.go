package gitext

import (
	"context"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Editor is the command line of the editor that Git starts for messages: GIT_EDITOR, core.editor, VISUAL, EDITOR, else Git's own.
func (r *Repo) Editor(ctx context.Context) (string, error) {
	out, err := r.plainAny(ctx, "var", "GIT_EDITOR")
	if err != nil {
		return "", err
	}
	editor := strings.TrimSuffix(string(out.stdout), "\n")
	if out.code != 0 || editor == "" {
		return "", fault.New(fault.Unavailable, "GIT.FAILED", "git var GIT_EDITOR", "git knows no editor").Hint("git config core.editor COMMAND").Because(out.cause())
	}
	return editor, nil
}
