package capture

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// Edit lets a person edit a text in the editor that Git would start for a commit message, and returns what they saved. The file lies
// in the Git directory, as Git's own do, and is removed. The editor is a command line that a shell reads, as for Git.
func Edit(ctx context.Context, repo *gitext.Repo, text string) (string, error) {
	editor, err := repo.Editor(ctx)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(repo.GitDir, "STANDARDS_EDITMSG-*.txt")
	if err != nil {
		return "", fault.New(fault.Unavailable, "GIT.FAILED", editor, "the text cannot be written for the editor").Because(err)
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fault.New(fault.Unavailable, "GIT.FAILED", file.Name(), "the text cannot be written for the editor").Because(err)
	}
	command := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, editor, file.Name())
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Dir = repo.TopLevel
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		defer tty.Close()
		command.Stdout, command.Stderr = tty, tty // standard output may be somewhere else
	}
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fault.New(fault.Unavailable, "GIT.FAILED", editor, "the editor ended with an error").Because(err).Hint("git var GIT_EDITOR")
	}
	edited, err := os.ReadFile(file.Name())
	if err != nil {
		return "", fault.New(fault.Unavailable, "GIT.FAILED", editor, "the edited text cannot be read").Because(err)
	}
	return string(edited), nil
}
