// Package gitext is all that is asked of Git: discovery, revisions, objects, trees, the index, the worktree, the fork
// point and the merge that would land. It alone starts git and it alone uses libgit2.
//
// It promises that every object it hands out was hashed here and has the id it was asked by; that replace refs, grafts,
// optional locks, hooks and settings that change output have no say; and that the user's repository is only written by
// Stage, StageEntries, WriteBlob and Move, and for publish by WriteObject, KeepLanding, MoveRef and AddNotes. Git's clean filters run where git add would run them, nowhere else. It promises nothing about speed on
// repositories that libgit2 cannot open, and it never fetches by itself, though git may do so in a partial clone.
//
// Faults of the outcome unavailable mean that Git could not tell; they are never an answer.
package gitext

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-standards/git-standards/engine/fault"
)

// Options says where a repository is looked for.
type Options struct {
	Dir      string   // the directory git is started in; "" is the current one
	GitDir   string   // as git's --git-dir, "" where not given
	WorkTree string   // as git's --work-tree, "" where not given
	Env      []string // the environment, name=value; nil is that of this process
}

// Repo is an open repository, for the time of one command: what it was told of branches and remotes it does not ask again.
// All paths are absolute. Its methods may be called by several goroutines.
type Repo struct {
	TopLevel     string // the root of the worktree, "" where there is none
	GitDir       string // of this worktree
	CommonDir    string // shared by all worktrees
	ObjectsDir   string // where new objects would go; a quarantine in pre-receive
	Bare         bool   // no worktree here
	Shallow      bool
	ObjectFormat string // sha1 or sha256
	GitVersion   string // such as 2.39.5

	// NoFilters keeps clean filters from being run: files are taken as they stand, but for their line ends. For looks that run nothing.
	NoFilters bool

	git       string   // absolute path of git
	start     string   // where the repository was opened from
	dir       string   // where git is started: the top level, else the Git directory
	env       []string // for every git but discovery and merge
	found     bool     // by looking around, not by GIT_DIR or --git-dir
	indexFile string

	mutex   sync.Mutex
	objects *reader // made by Objects

	branchMutex   sync.Mutex
	foreseen      sync.WaitGroup
	branchesKnown bool // whether git has told what is below
	refs          []ref
	remotes       []string
	settings      settings

	frontierMutex sync.Mutex
	expected      []string // by ExpectTips, sorted
	frontiers     map[string]frontier
}

// oldest is the first release of git whose plumbing has all that is asked here: merge-tree --write-tree.
var oldest = [2]int{2, 39}

// Open finds the repository as git itself would. Faults: GIT.MISSING, GIT.TOO_OLD, GIT.NOT_A_REPOSITORY, GIT.BROKEN and
// GIT.OWNERSHIP, all unavailable.
func Open(ctx context.Context, o Options) (*Repo, error) {
	environ := o.Env
	if environ == nil {
		environ = os.Environ()
	}
	git, err := findGit(lookup(environ, "PATH"))
	if err != nil {
		return nil, err
	}
	r := &Repo{git: git}
	r.dir, err = FromDir(o.Dir, "")
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(r.dir)
	}
	if err == nil && !info.IsDir() {
		return nil, fault.New(fault.Unavailable, "GIT.NOT_A_REPOSITORY", o.Dir, "this is a file, not a directory").
			Hint("git standards -C DIRECTORY …")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "GIT.NOT_A_REPOSITORY", o.Dir, "the directory cannot be found").
			Hint("git standards -C DIRECTORY …").Because(err)
	}
	r.env = childEnv(environ)
	r.start = r.dir
	r.found = o.GitDir == "" && lookup(environ, "GIT_DIR") == ""
	// An old git fails in the second question as well, but what is wrong then is its age.
	if err := together(func() error { return r.checkVersion(ctx) }, func() error { return r.discover(ctx, o) }); err != nil {
		return nil, err
	}
	r.pinEnv()
	return r, nil
}

func (r *Repo) checkVersion(ctx context.Context) error {
	out, err := r.plain(ctx, "version")
	if err != nil {
		return err
	}
	version, ok := parseVersion(string(out.stdout))
	if !ok {
		return fault.New(fault.Unavailable, "GIT.TOO_OLD", r.git, "git does not say which version it is: %q", clip(out.stdout))
	}
	r.GitVersion = version
	if !atLeast(version, oldest) {
		return fault.New(fault.Unavailable, "GIT.TOO_OLD", r.git, "git is version %s; %d.%d or newer is needed", version, oldest[0], oldest[1]).
			Hint("git --version")
	}
	return nil
}

// parseVersion takes the dotted number out of "git version 2.39.5 (Apple Git-154)".
func parseVersion(text string) (string, bool) {
	fields := strings.Fields(text)
	if len(fields) < 3 || fields[0] != "git" || fields[1] != "version" {
		return "", false
	}
	return fields[2], true
}

func atLeast(version string, least [2]int) bool {
	var have [2]int
	for i, part := range strings.SplitN(version, ".", 3) {
		if i == len(have) {
			break
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return false
		}
		have[i] = n
	}
	return slices.Compare(have[:], least[:]) >= 0
}

// queries are asked by one git; the top level comes last because git refuses to name it where there is none.
var queries = []string{
	"--git-dir", "--git-common-dir", "--git-path", "objects", "--git-path", "index", "--show-object-format",
	"--is-shallow-repository", "--show-toplevel",
}

func (r *Repo) discover(ctx context.Context, o Options) error {
	var args []string
	if o.GitDir != "" {
		args = append(args, "--git-dir="+o.GitDir)
	}
	if o.WorkTree != "" {
		args = append(args, "--work-tree="+o.WorkTree)
	}
	args = append(args, "rev-parse", "--path-format=absolute")
	out, err := r.plainAny(ctx, append(slices.Clone(args), queries...)...)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(out.stdout), "\n"), "\n")
	if out.code != 0 && len(lines) < 6 {
		return r.notFound(o, out)
	}
	if len(lines) != 6 && (len(lines) != 7 || out.code != 0) {
		if lines, err = r.discoverEach(ctx, args); err != nil {
			return err
		}
	}
	r.GitDir, r.CommonDir, r.ObjectsDir, r.indexFile = lines[0], lines[1], lines[2], lines[3]
	r.ObjectFormat, r.Shallow = lines[4], lines[5] == "true"
	// Git resolves the top level from the directory it is started in; with GIT_DIR alone, as hooks in a linked worktree
	// are started, that directory is the top level. So it is asked once, here, and named explicitly ever after.
	if len(lines) == 7 {
		r.TopLevel = lines[6]
	} else {
		r.Bare = true
	}
	return nil
}

// discoverEach asks the queries one by one: a path may hold line ends, which divide the answers to several.
func (r *Repo) discoverEach(ctx context.Context, args []string) ([]string, error) {
	var answers []string
	for i := 0; i < len(queries); i++ {
		query := queries[i : i+1]
		if query[0] == "--git-path" {
			query, i = queries[i:i+2], i+1
		}
		out, err := r.plainAny(ctx, slices.Concat(args, query)...)
		if err != nil {
			return nil, err
		}
		switch {
		case out.code == 0:
			answers = append(answers, strings.TrimSuffix(string(out.stdout), "\n"))
		case query[0] != "--show-toplevel": // there is none in a bare repository
			return nil, out.failed()
		}
	}
	return answers, nil
}

// pinEnv names the repository explicitly for every later git, so that none discovers another one.
func (r *Repo) pinEnv() {
	r.dir = r.TopLevel
	if r.Bare {
		r.dir = r.GitDir
	}
	r.env = setEnv(r.env, "GIT_DIR", r.GitDir)
	if r.Bare {
		r.env = unsetEnv(r.env, "GIT_WORK_TREE")
	} else {
		r.env = setEnv(r.env, "GIT_WORK_TREE", r.TopLevel)
	}
	// What was inherited may be relative to a directory that later calls are not started in.
	for name, value := range map[string]string{
		"GIT_INDEX_FILE": r.indexFile, "GIT_OBJECT_DIRECTORY": r.ObjectsDir, "GIT_COMMON_DIR": r.CommonDir,
	} {
		if lookup(r.env, name) != "" {
			r.env = setEnv(r.env, name, value)
		}
	}
	if list := lookup(r.env, alternates); list != "" {
		r.env = setEnv(r.env, alternates, joinAlternates(r.splitAlternates(list)))
	}
}

// Close ends the processes and frees the memory behind Objects. The Repo must not be used afterwards.
func (r *Repo) Close() error {
	r.foreseen.Wait()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.objects != nil {
		r.objects.close()
		r.objects = nil
	}
	return nil
}

// NeedWorktree returns a fault where the repository has no worktree, and so neither an index of one.
func (r *Repo) NeedWorktree() error {
	if !r.Bare {
		return nil
	}
	if r.found && filepath.Base(r.GitDir) == ".git" {
		return fault.New(fault.Invalid, "WORKTREE.NONE", r.GitDir, "this is the Git directory of a repository, not its worktree").
			Hint("cd " + fault.ShellWord(filepath.Dir(r.GitDir)))
	}
	return fault.New(fault.Invalid, "WORKTREE.NONE", r.GitDir, "the repository is bare: there is no worktree and no index to judge").
		Hint("git standards gate --base BASE --head HEAD")
}

// GitPath returns the absolute path of a file of the Git directory, as git rev-parse --git-path from the top level: it
// honours core.hooksPath for "hooks".
func (r *Repo) GitPath(ctx context.Context, name string) (string, error) {
	out, err := r.plain(ctx, "rev-parse", "--path-format=absolute", "--git-path", name)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(out.stdout), "\n"), nil
}

// ConfigScope returns the value that counts for a key, the scope it comes from (system, global, local, worktree or
// command) and its origin, such as "file:.git/config". All three are empty where the key is not set.
func (r *Repo) ConfigScope(ctx context.Context, key string) (value, scope, origin string, err error) {
	out, err := r.plainAny(ctx, "config", "-z", "--show-scope", "--show-origin", "--get", key)
	if err != nil {
		return "", "", "", err
	}
	if out.code == 1 && len(out.stdout) == 0 {
		return "", "", "", nil
	}
	fields := strings.Split(string(out.stdout), "\x00")
	if out.code != 0 || len(fields) != 4 {
		return "", "", "", out.failed()
	}
	return fields[2], fields[0], fields[1], nil
}

// AuthorMail returns the mail of the author that a commit made now would have, in lower case. Where git knows none the
// fault is IDENTITY.MISSING.
func (r *Repo) AuthorMail(ctx context.Context) (string, error) {
	out, err := r.plainAny(ctx, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return "", err
	}
	ident := string(out.stdout)
	from, to := strings.LastIndexByte(ident, '<'), strings.LastIndexByte(ident, '>')
	if out.code != 0 || from < 0 || to <= from+1 {
		return "", fault.New(fault.Invalid, "IDENTITY.MISSING", "user.email", "git knows no author, and an answer needs one").
			Hint("git config user.email YOU@EXAMPLE.ORG", "git config user.name NAME").Because(out.cause())
	}
	return strings.ToLower(ident[from+1 : to]), nil
}

func clip(data []byte) string {
	const most = 300
	text := strings.TrimSpace(string(data))
	if len(text) > most {
		return text[:most] + fmt.Sprintf(" … and %d bytes more", len(text)-most)
	}
	return text
}
