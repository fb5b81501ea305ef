// Command guard stands between every hook of the scripts and the program: it compares all that a hook must never change
// (RULES I3) before and after, and leaves a report that fails the script, whatever the hook's own exit code. To whoever
// calls it, it is the program: same arguments, standard input, output, exit code and signals.
//
// It stands in a folder with "program", which leads to the real one, and "reports" (guard_test.go).
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	os.Exit(run(filepath.Dir(self), os.Args[1:]))
}

// run returns the exit code of a hook; all else the program does in our place.
func run(kit string, args []string) int {
	program := filepath.Join(kit, "program")
	options, verb := splitOptions(args)
	if verb != "hook" {
		err := syscall.Exec(program, append([]string{"git-standards"}, args...), os.Environ())
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	// Ctrl-C reaches the whole group: the program ends by it, and the guard still compares. What is caught here, and not
	// ignored, the program meets as if there were no guard.
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	p := lookAround(options)
	before := p.look()
	command := exec.Command(program, args...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if command.ProcessState == nil {
		report(kit, p.here, fmt.Sprintf("%q did not start: %v", args, err))
		return 3
	}
	if changes := difference(before, p.look()); len(changes) > 0 {
		report(kit, p.here, fmt.Sprintf("%q changed the repository:\n%s", args, strings.Join(changes, "\n")))
	}
	if status := command.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		signal.Reset(status.Signal())
		syscall.Kill(os.Getpid(), status.Signal())
	}
	return command.ProcessState.ExitCode()
}

func report(kit, where, text string) {
	file, err := os.CreateTemp(filepath.Join(kit, "reports"), "hook-")
	if err == nil {
		_, err = io.WriteString(file, where+"\n"+text+"\n")
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		panic(err)
	}
}

// splitOptions takes git's own options off the front.
func splitOptions(args []string) (options []string, verb string) {
	for i := 0; i < len(args); i++ {
		switch {
		case slices.Contains([]string{"-C", "--git-dir", "--work-tree"}, args[i]) && i+1 < len(args):
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[:i], args[i]
		}
	}
	return args, ""
}

// places is where a hook runs and what it must not change: the worktree, the Git directory of this worktree and the common
// one, the index and the objects that Git names for this process, and the user's configuration. Of the folder that gets
// the store (DESIGN 4) the time of change says nothing.
type places struct {
	here  string
	roots []string
	store []string
}

func lookAround(options []string) (p places) {
	p.here, _ = os.Getwd()
	if real, err := filepath.EvalSymlinks(p.here); err == nil {
		p.here = real
	}
	ask := func(question ...string) string {
		out, err := exec.Command("git", slices.Concat(options, []string{"rev-parse", "--path-format=absolute"}, question)...).Output()
		if err != nil {
			return "" // no worktree, or no repository: the hook will say so
		}
		p.roots = append(p.roots, strings.TrimSuffix(string(out), "\n"))
		return p.roots[len(p.roots)-1]
	}
	top, common := ask("--show-toplevel"), ask("--git-common-dir")
	ask("--git-dir")
	ask("--git-path", "index")
	ask("--git-path", "objects")
	p.store = []string{top, common}
	if filepath.Base(common) == ".git" {
		p.store = []string{filepath.Dir(common)}
	}
	for _, path := range []string{os.Getenv("GIT_CONFIG_GLOBAL"), filepath.Join(os.Getenv("HOME"), ".gitconfig")} {
		if filepath.IsAbs(path) && path != os.DevNull {
			p.roots = append(p.roots, path)
		}
	}
	return p
}

// look describes every file and folder below the roots, but for the store's.
func (p places) look() map[string]string {
	seen, walked := map[string]string{}, map[string]bool{}
	for _, root := range p.roots {
		filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				seen[path] = err.Error()
				return nil
			case entry.Name() == ".standards-engine" || walked[path]:
				return filepath.SkipDir
			}
			walked[path] = entry.IsDir()
			info, err := entry.Info()
			switch {
			case err != nil:
				seen[path] = err.Error()
			case slices.Contains(p.store, path):
				seen[path] = info.Mode().String()
			default:
				seen[path] = describe(path, info)
			}
			return nil
		})
	}
	return seen
}

// describe says all of a file. The bytes of large files are not read: nothing changes them without changing the time of change,
// which no program can set back. Of an object its times say nothing: git itself sets them when it expands a sparse index.
func describe(path string, info fs.FileInfo) string {
	stat := info.Sys().(*syscall.Stat_t)
	if strings.Contains(path, "/objects/") && info.Mode().IsRegular() && info.Size() <= 1<<20 {
		data, err := os.ReadFile(path)
		return fmt.Sprintf("%v size %d inode %d bytes %x %v", info.Mode(), info.Size(), stat.Ino, sha256.Sum256(data), err)
	}
	text := fmt.Sprintf("%v size %d inode %d modified %d changed %d", info.Mode(), info.Size(), stat.Ino, stat.Mtim.Nano(), stat.Ctim.Nano())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return fmt.Sprintf("%s to %q %v", text, target, err)
	case info.Mode().IsRegular() && info.Size() <= 1<<20:
		data, err := os.ReadFile(path)
		return fmt.Sprintf("%s bytes %x %v", text, sha256.Sum256(data), err)
	}
	return text
}

func difference(before, after map[string]string) (changes []string) {
	for path, was := range before {
		if now, ok := after[path]; !ok {
			changes = append(changes, path+" is gone")
		} else if now != was {
			changes = append(changes, fmt.Sprintf("%s\n\twas %s\n\tis  %s", path, was, now))
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			changes = append(changes, path+" is new")
		}
	}
	slices.Sort(changes)
	return changes
}
