package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// Find is where Git looks for the hooks of a repository, and who says so (RULES I4). path is the PATH that its hooks have.
func Find(ctx context.Context, repo *gitext.Repo, path string) (Dir, error) {
	setting, scope, origin, err := repo.ConfigScope(ctx, "core.hooksPath")
	if err != nil {
		return Dir{}, err
	}
	dir := Dir{Path: "/", Own: filepath.Join(repo.CommonDir, "hooks"), Top: repo.TopLevel, Scope: scope, Setting: setting}
	if scope == "" || setting != "" { // git looks for an empty one in the root folder, and rev-parse refuses to say so
		if dir.Path, err = repo.GitPath(ctx, "hooks"); err != nil {
			// Git fails where a part of the path is a file; that is then what there is to say of it.
			if dir.Path = setting; !filepath.IsAbs(setting) {
				dir.Path = filepath.Join(cmp.Or(repo.TopLevel, repo.GitDir), setting)
			}
			if _, missing := os.Stat(dir.Path); !errors.Is(missing, syscall.ENOTDIR) {
				return Dir{}, err
			}
		}
	}
	if file, isFile := strings.CutPrefix(origin, "file:"); isFile {
		if dir.Origin = file; !filepath.IsAbs(file) {
			dir.Origin = filepath.Join(cmp.Or(repo.TopLevel, repo.GitDir), file)
		}
	}
	if found := Programs(path); len(found) > 0 {
		dir.OnPath = found[0]
	}
	return dir, nil
}

// Programs are the files that a hook could take for git-standards on a PATH, in its order. Relative entries lead into a repository and are
// passed over.
func Programs(path string) []string {
	var found []string
	for _, folder := range filepath.SplitList(path) {
		name := filepath.Join(folder, "git-standards")
		if info, err := os.Stat(name); err == nil && filepath.IsAbs(folder) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			found = append(found, name)
		}
	}
	return found
}

// LookInOtherWorktrees adds to a status what is wrong in the repository's other worktrees, where these can have hooks of their own: a
// relative hooks path counts from the top of each, and each may have a configuration of its own. environ is that of this process.
func LookInOtherWorktrees(ctx context.Context, repo *gitext.Repo, dir Dir, environ []string, status *Status) error {
	relative := dir.Setting != "" && !filepath.IsAbs(dir.Setting) && !strings.HasPrefix(dir.Setting, "~")
	if !relative {
		own, _, _, err := repo.ConfigScope(ctx, "extensions.worktreeConfig")
		if err != nil || own != "true" {
			return err
		}
	}
	worktrees, err := repo.OtherWorktrees(ctx)
	if err != nil {
		return err
	}
	for _, path := range worktrees {
		there, err := gitext.Open(ctx, gitext.Options{Dir: path, Env: gitext.WithoutRepository(environ)})
		if err != nil {
			continue // its folder is gone, or is no longer this worktree
		}
		other, err := Find(ctx, there, "")
		there.Close()
		if err != nil {
			return err
		}
		found, err := Inspect(other)
		if err != nil {
			return err
		}
		if found.InForce || other.Path == dir.Path {
			continue
		}
		in := "git -C " + fault.ShellWord(path) + " "
		mend := in + "standards hooks install"
		if other.Scope == "worktree" {
			mend = in + "config --worktree --unset-all core.hooksPath"
		}
		status.InForce = false
		why := fmt.Sprintf("not in force in the worktree %s, where Git looks in %s", path, other.Path)
		status.Notes = append(status.Notes, Note{why, []string{mend}, true})
	}
	return nil
}
