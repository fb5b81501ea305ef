package gitext

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// The ways in which git says, under LC_ALL=C, what of a repository keeps it from being opened.
var (
	unreadConfig = regexp.MustCompile(`unable to access '([^\n]+)': ([^\n]+)`)
	badLine      = regexp.MustCompile(`bad config line (\d+) in file (.+)`)
	badValue     = regexp.MustCompile(`bad (?:boolean|numeric) config value '.*' for '([^']+)'(?: in file (.+): .*)?$`)
	unknownParts = regexp.MustCompile(`(?s)unknown repository extensions? found:\s*(.+)`)
	newerFormat  = regexp.MustCompile(`Expected git repo version <= \d+, found \d+`)
	leadsNowhere = regexp.MustCompile(`not a git repository: (.+)`)
	noneAround   = regexp.MustCompile(`not a git repository \(or any`)
)

// notFound says why git opened no repository: there is none here, it is another user's, or what is here is broken.
func (r *Repo) notFound(o Options, out output) error {
	where := r.dir
	if o.GitDir != "" {
		where = o.GitDir
	}
	said := string(out.stderr)
	if strings.Contains(said, "dubious ownership") {
		// Git names the directory to trust, which may lie above the one it was started in.
		if _, rest, ok := strings.Cut(said, "repository at '"); ok {
			where, _, _ = strings.Cut(rest, "'\n")
		}
		return fault.New(fault.Unavailable, "GIT.OWNERSHIP", where, "the repository belongs to another user, so git does not trust it").
			Hint("git config --global --add safe.directory " + fault.ShellWord(where))
	}
	if f := r.broken(where, out); f != nil {
		return f
	}
	f := fault.New(fault.Unavailable, "GIT.NOT_A_REPOSITORY", where, "no Git repository here or above").Because(out.cause())
	if path, _ := above(r.dir); path != "" && strings.Contains(said, "GIT_DISCOVERY_ACROSS_FILESYSTEM") {
		f.Message = fmt.Sprintf("the repository of %s is on another file system, where git does not look", path)
		return f.Hint("export GIT_DISCOVERY_ACROSS_FILESYSTEM=1")
	}
	return f.Hint("git init", "git standards -C DIRECTORY …")
}

// broken is the fault of a repository that is here and that git does not open, with what mends it, or nil.
func (r *Repo) broken(where string, out output) *fault.Error {
	said := string(out.stderr)
	fatal := ""
	for line := range strings.Lines(said) {
		if text, ok := strings.CutPrefix(line, "fatal: "); ok {
			fatal = strings.TrimSpace(text)
		}
	}
	switch {
	case unreadConfig.MatchString(said):
		found := unreadConfig.FindStringSubmatch(said)
		file := r.fromStart(found[1])
		return unopened(file, "this configuration cannot be read: %s", found[2]).Hint(Permit(file)...)
	case badLine.MatchString(fatal):
		found := badLine.FindStringSubmatch(fatal)
		file := r.fromStart(found[2])
		return unopened(file, "line %s of this configuration is none", found[1]).Hint("${EDITOR:-vi} " + fault.ShellWord(file))
	case badValue.MatchString(fatal):
		found := badValue.FindStringSubmatch(fatal)
		key, file := found[1], found[2]
		if file == "" { // git says the file of numbers alone
			file = r.ownConfig(key)
		}
		if file == "" {
			return unopened(key, "the setting has a value that is none").Hint("git -C / config --show-origin --get-all " + key)
		}
		file = r.fromStart(file)
		return unopened(file, "%s has a value that is none", key).Hint("git -C / config --file " + fault.ShellWord(file) + " --unset-all " + key)
	case unknownParts.MatchString(said):
		names := strings.Join(strings.Fields(unknownParts.FindStringSubmatch(said)[1]), ", ")
		return unopened(where, "it uses what this git does not know (extensions: %s)", names).Hint("git --version")
	case newerFormat.MatchString(fatal):
		return unopened(where, "its format is newer than this git knows").Hint("git --version")
	case leadsNowhere.MatchString(fatal) && r.found:
		to := leadsNowhere.FindStringSubmatch(fatal)[1]
		file, _ := above(r.dir)
		if file == "" {
			break
		}
		next := "git submodule update --init"
		if strings.Contains(to, "/worktrees/") {
			next = "git -C REPOSITORY worktree repair " + fault.ShellWord(filepath.Dir(file))
		}
		return unopened(file, "it leads to %s, where no repository is", to).Hint(next)
	case noneAround.MatchString(fatal) && r.found:
		return lacking(r.dir)
	case fatal != "" && !strings.HasPrefix(fatal, "not a git repository"):
		return fault.New(fault.Unavailable, "GIT.BROKEN", where, "git does not open the repository").Because(out.cause()).
			Hint("git -C " + fault.ShellWord(where) + " rev-parse --git-dir")
	}
	return nil
}

func unopened(target, format string, args ...any) *fault.Error {
	return fault.New(fault.Unavailable, "GIT.BROKEN", target, "git does not open the repository: "+format, args...)
}

// PassedOver is the fault GIT.BROKEN of a .git nearer to where the repository was looked for than the one that git opened, or nil: git
// passes over one that lacks something without a word, and works on what is around.
func (r *Repo) PassedOver() error {
	path, _ := above(r.start)
	if !r.found || r.Bare || path == "" {
		return nil
	}
	around, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil || !strings.HasPrefix(around, r.TopLevel+"/") {
		return nil
	}
	if f := lacking(r.start); f != nil {
		return f
	}
	return nil
}

// fromStart is a path that git says, which counts from where it was started.
func (r *Repo) fromStart(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dir, name)
}

// ownConfig is the configuration of the repository around, where it has such a key as far as can be seen, or "".
func (r *Repo) ownConfig(key string) string {
	path, _ := above(r.dir)
	if path == "" || !r.found {
		return ""
	}
	file := filepath.Join(path, "config")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(strings.ToLower(string(text)), key[strings.LastIndexByte(key, '.')+1:]) {
		return ""
	}
	return file
}

// above is the .git nearest above a folder, or "".
func above(dir string) (path string, info os.FileInfo) {
	for {
		path := filepath.Join(dir, ".git")
		if info, err := os.Lstat(path); err == nil {
			return path, info
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// lacking is the fault of a .git that git passed over, because it lacks what makes a repository, or nil where there is none.
func lacking(dir string) *fault.Error {
	path, info := above(dir)
	if path == "" {
		return nil
	}
	in := "git -C " + fault.ShellWord(filepath.Dir(path)) + " init"
	if info.Mode()&os.ModeSymlink != 0 {
		to, _ := os.Readlink(path)
		if target, err := os.Stat(path); err != nil {
			return unopened(path, "it is a link to %s, where nothing is", to).Hint("ls -l " + fault.ShellWord(path))
		} else if info = target; !info.IsDir() {
			return nil
		}
	}
	if !info.IsDir() {
		return nil
	}
	for _, name := range []string{"HEAD", "objects", "refs"} {
		part := filepath.Join(path, name)
		if _, err := os.Lstat(part); os.IsNotExist(err) {
			return unopened(path, "it has no %s", name).Hint(in)
		}
		if next := Permit(part); next != nil {
			return unopened(part, "it cannot be read").Hint(next...)
		}
	}
	head := filepath.Join(path, "HEAD")
	if namesSomething(head) {
		return nil // git had another reason, such as GIT_CEILING_DIRECTORIES
	}
	return unopened(head, "it names no branch and no commit").Hint("mv -- "+fault.ShellWord(head)+" "+fault.ShellWord(head+".aside"), in)
}

// namesSomething reports a HEAD that git takes for one.
func namesSomething(head string) bool {
	if to, err := os.Readlink(head); err == nil {
		return strings.HasPrefix(to, "refs/")
	}
	text, err := os.ReadFile(head)
	name, isRef := strings.CutPrefix(string(text), "ref:")
	return err != nil || isRef && strings.HasPrefix(strings.TrimSpace(name), "refs/") || IsID(strings.TrimSpace(string(text)))
}
