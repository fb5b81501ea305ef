package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// open reports whether git opens the repository.
func (e *examination) open() bool {
	w, err := workspace.Open(e.ctx, e.Options)
	if err != nil {
		e.fail("repository.open", problem, err)
		return false
	}
	e.w = w
	w.Repo.NoFilters = true
	where := w.Repo.TopLevel
	if w.Repo.Bare {
		where = w.Repo.GitDir
	}
	if info, err := os.Stat(where); err != nil || !info.IsDir() {
		// Git goes by core.worktree, and looks whether it is there only when it needs to.
		next := "git -C / config --file " + fault.ShellWord(filepath.Join(w.Repo.GitDir, "config")) + " --unset-all core.worktree"
		e.say("repository.open", problem, fmt.Sprintf("the worktree %s, which core.worktree or GIT_WORK_TREE names, is not there", where), next)
		w.Close()
		return false
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE"} {
		if value := e.variable(name); value != "" {
			e.say("repository.open", note, fmt.Sprintf("the variable %s is %s: git works on that repository wherever it is called", name, value),
				"unset "+name)
		}
	}
	if err := w.Repo.PassedOver(); err != nil {
		e.fail("repository.open", problem, err)
	}
	e.say("repository.open", ok, where)
	return true
}

// repository looks at what kind of repository it is.
func (e *examination) repository() {
	e.settings()
	e.format()
	e.worktree()
	e.index()
	e.borrowed()
	e.history()
	e.replaced()
}

// settings looks for configurations of the user and the machine that git passes over without a word. One of the repository it does not.
func (e *examination) settings() {
	home, config := e.variable("HOME"), e.variable("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	files := []string{filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config")}
	if global := e.variable("GIT_CONFIG_GLOBAL"); global != "" {
		files = []string{global}
	}
	found := false
	for _, file := range files {
		if next := gitext.Permit(file); next != nil {
			e.say("repository.settings", warning, file+" may not be read: git goes on without what it sets", next...)
			found = true
		}
	}
	if !found {
		e.say("repository.settings", ok, "no configuration is passed over")
	}
}

func (e *examination) format() {
	repo := e.w.Repo
	settings, err := repo.SettingsLike(e.ctx, `^extensions\.`)
	if err != nil {
		e.fail("repository.format", problem, err)
		return
	}
	message := repo.ObjectFormat + ", packs are read by " + repo.PackReader()
	var extensions []string
	for _, setting := range settings {
		name, _ := strings.CutPrefix(setting[0], "extensions.")
		if name != "objectformat" {
			extensions = append(extensions, name+"="+setting[1])
		}
	}
	if len(extensions) > 0 {
		message += "; extensions: " + strings.Join(extensions, ", ")
	}
	e.say("repository.format", ok, message)
}

func (e *examination) worktree() {
	repo := e.w.Repo
	if repo.Bare {
		e.say("repository.worktree", ok, "bare: there is no worktree")
		return
	}
	if err := capture.Admitted(e.ctx, repo); err != nil {
		if f := fault.As(err); f != nil && f.Code == "WORKTREE.FILESYSTEM" {
			f.Next = f.Next[:1] // the other way is to judge the index
		}
		e.fail("repository.worktree", problem, err)
		return
	}
	sparse, _, _, err := repo.ConfigScope(e.ctx, "core.sparseCheckout")
	switch {
	case err != nil:
		e.fail("repository.worktree", problem, err)
	case sparse == "true":
		e.say("repository.worktree", note, "sparse: what is not checked out is read from the index", "git sparse-checkout list")
	default:
		e.say("repository.worktree", ok, "on a file system that is read")
	}
}

// index looks at whether it can be read, and written.
func (e *examination) index() {
	path, err := e.w.Repo.IndexFile(e.ctx)
	if err != nil {
		e.unindexed = true
		message := err.Error()
		if f := fault.As(err); f != nil && f.Cause != nil {
			message = f.Cause.Error()
		}
		e.say("repository.index", problem, "the index cannot be read: "+message+"; anew, nothing is staged",
			"mv -- "+fault.ShellWord(path)+" "+fault.ShellWord(path+".aside"), "git reset -q")
		return
	}
	if lock := path + ".lock"; exists(lock) {
		e.say("repository.index", warning, lock+": a git is at work, or one that was killed left its lock; once no git runs here, it can be removed",
			"rm -- "+fault.ShellWord(lock))
		return
	}
	e.say("repository.index", ok, "it can be read")
}

// borrowed looks for folders of objects that are not there.
func (e *examination) borrowed() {
	repo := e.w.Repo
	all, missing := repo.Alternates()
	for _, folder := range missing {
		file := filepath.Join(repo.ObjectsDir, "info", "alternates")
		e.say("repository.alternates", problem,
			fmt.Sprintf("objects are borrowed from %s, which is not there: put it back, or fetch them anew", folder),
			"mv -- "+fault.ShellWord(file)+" "+fault.ShellWord(file+".aside"), "git fetch --refetch")
	}
	switch {
	case len(missing) > 0:
	case len(all) > 0:
		e.say("repository.alternates", ok, "objects are borrowed from "+strings.Join(all, ", "))
	default:
		e.say("repository.alternates", ok, "no objects are borrowed")
	}
}

// history looks at whether all of it is here.
func (e *examination) history() {
	repo := e.w.Repo
	if repo.Shallow {
		e.say("repository.history", warning, "shallow: where the fork point lies below what was fetched, nothing can be judged",
			"git fetch --unshallow")
	}
	promised, err := repo.SettingsLike(e.ctx, `^(remote\..*\.promisor|extensions\.partialclone)$`)
	switch {
	case err != nil:
		e.fail("repository.history", problem, err)
	case len(promised) > 0:
		e.say("repository.history", note,
			"a partial clone: what is not here is fetched when it is read, and offline the command that fetches it is said")
	case !repo.Shallow:
		e.say("repository.history", ok, "all of it is here")
	}
}

// replaced looks for what makes git show something else than is judged.
func (e *examination) replaced() {
	repo := e.w.Repo
	refs, err := repo.RefsMatching(e.ctx, "refs/replace/")
	if err != nil {
		e.fail("repository.replaced", problem, err)
		return
	}
	if len(refs) > 0 {
		e.say("repository.replaced", note,
			fmt.Sprintf("%s: git shows other objects than are judged here", counted(len(refs), "replace ref", "replace refs")), "git replace --list")
	}
	file := filepath.Join(repo.CommonDir, "info", "grafts")
	grafts, err := os.Stat(file)
	if err == nil && grafts.Size() > 0 {
		e.say("repository.replaced", note, "grafts: git shows another history than is judged here", "cat "+fault.ShellWord(file))
	} else if len(refs) == 0 {
		e.say("repository.replaced", ok, "no object is replaced")
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
