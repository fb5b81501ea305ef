package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/store"
)

// store looks at the record of what was judged. No verdict depends on it: what keeps it from being written is a warning.
func (e *examination) store() {
	path, err := e.w.StorePath(e.ctx)
	if err != nil {
		e.fail("store.file", problem, err)
		return
	}
	folder := filepath.Dir(path)
	if e.storeFile(path) {
		e.storeWritable(path, folder)
	}
	e.storeIgnored(folder)
	if err := store.CheckCache(e.ctx, folder); err != nil {
		file := filepath.Join(folder, store.CacheName)
		e.say("store.cache", note, fmt.Sprintf("%s is of no use: %v; without it commands take longer", file, err),
			"rm -rf -- "+fault.ShellWord(file))
	} else {
		e.say("store.cache", ok, "the cache can be used")
	}
}

// storeFile reports whether it is worth asking if it can be written.
func (e *examination) storeFile(path string) bool {
	st, err := e.w.OpenStore(e.ctx, store.Untouched)
	if err != nil {
		return e.notOpened(path, err)
	}
	defer st.Close()
	var stat *store.Stat
	report, err := st.Check(e.ctx, false, nil)
	if err == nil && len(report.Damaged) > 0 {
		err = report.Damaged[0].Hint("mv -- " + fault.ShellWord(path) + " " + fault.ShellWord(path+".aside"))
	}
	if err == nil {
		stat, err = st.Stat(e.ctx)
	}
	if err != nil {
		return e.notOpened(path, err)
	}
	e.say("store.file", ok, fmt.Sprintf("%s: version %d, %s", path, stat.Version, counted(report.Objects, "object", "objects")))
	return true
}

func (e *examination) notOpened(path string, err error) bool {
	switch f := fault.As(err); {
	case fault.Is(err, "STORE.MISSING"):
		e.say("store.file", ok, "there is no store yet; the first verdict makes it")
		return true
	case fault.Is(err, "STORE.CORRUPT"):
		e.fail("store.file", problem, err)
	case fault.Is(err, "STORE.NEWER"):
		e.say("store.file", warning, f.Error()+": nothing is recorded; bring this program up to date (STORE.NEWER)", f.Next...)
	case fault.Is(err, "STORE.BUSY") && exists(path+"-journal"):
		e.say("store.file", warning, path+": a writer was interrupted, and is not rolled back yet (STORE.BUSY)", "git standards store check")
	default:
		e.fail("store.file", warning, err)
	}
	return false
}

func (e *examination) storeWritable(path, folder string) {
	const writeOK = 2
	where := folder
	for !exists(where) && filepath.Dir(where) != where { // what is missing is made
		where = filepath.Dir(where)
	}
	for _, name := range []string{where, path} {
		if err := syscall.Access(name, writeOK); err != nil && exists(name) {
			next := "ls -ld " + fault.ShellWord(name)
			switch {
			case err == syscall.EROFS:
				next = "findmnt -T " + fault.ShellWord(name)
			case owns(name):
				next = "chmod u+w -- " + fault.ShellWord(name)
			}
			e.say("store.writable", warning, fmt.Sprintf("%s cannot be written (%v): verdicts hold, and nothing is recorded", name, err), next)
			return
		}
	}
	e.say("store.writable", ok, "it can be written")
}

func owns(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && int(stat.Uid) == os.Geteuid()
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// storeIgnored looks at whether git add would take the folder in.
func (e *examination) storeIgnored(folder string) {
	if e.unindexed {
		return
	}
	top := e.w.Repo.TopLevel
	rel, err := filepath.Rel(top, folder)
	if top == "" || err != nil || !filepath.IsLocal(rel) || !exists(folder) {
		e.say("store.ignored", ok, "it is not in the way of git add")
		return
	}
	ignored, tracked, err := e.w.Repo.IsIgnored(e.ctx, filepath.Join(folder, store.FileName))
	switch {
	case err != nil:
		e.fail("store.ignored", warning, err)
	case tracked:
		e.say("store.ignored", warning, "Git tracks the store, which is this clone's own: commits carry it to everybody",
			"git rm -r -f --cached -- "+fault.ShellWord(e.w.Typed(rel)))
	case !ignored:
		e.say("store.ignored", warning, "Git does not ignore the store: git add takes it in, git clean removes it",
			"echo '*' >"+fault.ShellWord(filepath.Join(folder, ".gitignore")))
	default:
		e.say("store.ignored", ok, "Git ignores it")
	}
}
