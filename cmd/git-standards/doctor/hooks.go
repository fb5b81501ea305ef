package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/hooks"
)

// hooks looks at whether Git runs them.
func (e *examination) hooks() {
	repo := e.w.Repo
	dir, err := hooks.Find(e.ctx, repo, e.variable("PATH"))
	if err != nil {
		e.fail("hooks.in-force", problem, err)
		return
	}
	dir.Server = repo.Bare && dir.Serves()
	status, err := hooks.Inspect(dir)
	about := status.Notes // those of other worktrees come after
	if err == nil && !dir.Server {
		err = hooks.LookInOtherWorktrees(e.ctx, repo, dir, e.Environ, &status)
	}
	if err != nil {
		e.fail("hooks.in-force", problem, err)
		return
	}
	refused, wants, err := e.unwanted()
	if err != nil {
		e.fail("hooks.wanted", problem, err)
		return
	}
	level := problem
	switch {
	case !e.binds:
		level = note
	case refused != "":
		level = warning
	}
	installed := !slices.ContainsFunc(status.Hooks, func(h hooks.Hook) bool { return h.State != hooks.Installed })
	if status.InForce {
		e.say("hooks.in-force", ok, fmt.Sprintf("Git runs %s in %s", strings.Join(names(status), ", "), dir.Path))
	} else if repo.Bare && !slices.ContainsFunc(status.Hooks, func(h hooks.Hook) bool { return h.State != hooks.Absent }) {
		e.say("hooks.in-force", note, "this repository is bare, and nothing judges what is pushed to it", "git standards hooks install --server")
	} else if !installed {
		e.notInForce(level, dir, status.Hooks, about)
	}
	for _, other := range status.Notes[len(about):] {
		e.say("hooks.in-force", level, other.Text, other.Next...)
	}
	if refused != "" {
		e.say("hooks.wanted", note, refused, wants...)
	} else {
		e.say("hooks.wanted", ok, "nothing says that hooks are not wanted")
	}
	e.skipped(status)
	if installed {
		e.lasting(about)
		e.recorded(dir, status)
	}
	if installed && !dir.Server {
		e.graphical(status)
	}
}

func names(status hooks.Status) (list []string) {
	for _, h := range status.Hooks {
		list = append(list, h.Name)
	}
	return list
}

// unwanted says why nobody expects hooks here, or "", and what makes them expected again.
func (e *examination) unwanted() (why string, next []string, err error) {
	wanted, scope, _, err := e.w.Repo.ConfigScope(e.ctx, "standards.hooks")
	switch {
	case err != nil:
		return "", nil, err
	case slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(wanted)):
		why = "standards.hooks is " + wanted + ": status says nothing of hooks that are not in force"
		return why, []string{unset(scope, "standards.hooks")}, nil
	case e.variable("CI") != "":
		return "the variable CI is set: on a machine that builds, the gate judges, and no hook is expected", nil, nil
	}
	return "", nil, nil
}

// unset is the command that takes a setting back where it is set.
func unset(scope, key string) string {
	if scope == "command" {
		return "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS"
	}
	return "git config --" + scope + " --unset-all " + key
}

// notInForce says what keeps Git from running each hook, what is the same for several of them once.
func (e *examination) notInForce(level string, dir hooks.Dir, all []hooks.Hook, about []hooks.Note) {
	because := ""
	for _, one := range about {
		if one.Now {
			because += "; " + one.Text
		}
	}
	if chosen := dir.Chosen(); because == "" && chosen != "" {
		because = "; " + chosen
	}
	var order []string
	of, next := map[string][]string{}, map[string][]string{}
	for _, h := range all {
		if h.State == hooks.Installed {
			continue
		}
		why := h.Why
		if why == "" {
			why = "not there" // absent says it all
		}
		key := why + "\x00" + strings.Join(h.Next, "\x00")
		if of[key] == nil {
			order = append(order, key)
		}
		of[key], next[key] = append(of[key], h.Name), h.Next
	}
	for _, key := range order {
		why, _, _ := strings.Cut(key, "\x00")
		e.say("hooks.in-force", level, strings.Join(of[key], ", ")+": "+why+because, next[key]...)
	}
}

// lasting says what may put hooks out of force that are in force.
func (e *examination) lasting(about []hooks.Note) {
	for _, one := range about {
		e.say("hooks.lasting", warning, one.Text, one.Next...)
	}
	if len(about) == 0 {
		e.say("hooks.lasting", ok, "nothing is known that will put them out of force")
	}
}

// recorded looks at which program the hooks run.
func (e *examination) recorded(dir hooks.Dir, status hooks.Status) {
	for _, h := range status.Hooks {
		if h.Binary != "" && e.Program != "" && differ(h.Binary, e.Program) {
			next := "git standards hooks install"
			if dir.Server {
				next += " --server"
			}
			e.say("hooks.program", warning, fmt.Sprintf("the hooks run %s, which is another program than this one, %s", h.Binary, e.Program), next)
			return
		}
	}
	e.say("hooks.program", ok, "no hook runs another program than this one")
}

// skipped looks for what makes others' hooks skip ours, and Git skip hooks without a word.
func (e *examination) skipped(status hooks.Status) {
	quiet, scope, _, err := e.w.Repo.ConfigScope(e.ctx, "advice.ignoredHook")
	if err != nil {
		e.fail("hooks.skipped", problem, err)
		return
	}
	found := false
	if quiet == "false" {
		e.say("hooks.skipped", note, "advice.ignoredHook is false: Git skips a hook that is not executable without a word",
			unset(scope, "advice.ignoredHook"))
		found = true
	}
	if huskyRuns(status) {
		if e.variable("HUSKY") == "0" {
			e.say("hooks.skipped", problem, "the variable HUSKY is 0: husky runs no hook, and ours is called by husky", "unset HUSKY")
			found = true
		}
		if file := e.huskyStart(); huskyIsOff(file) {
			e.say("hooks.skipped", problem, file+" sets HUSKY to 0: husky runs no hook, and ours is called by husky",
				"sed -i.aside '/HUSKY=0/d' "+fault.ShellWord(file))
			found = true
		}
	}
	if !found {
		e.say("hooks.skipped", ok, "nothing makes Git skip them")
	}
}

// huskyRuns reports hooks of ours that husky calls.
func huskyRuns(status hooks.Status) bool {
	return slices.ContainsFunc(status.Hooks, func(h hooks.Hook) bool { return h.State == hooks.Installed && h.Binary == "" })
}

// huskyStart is the file that husky's hooks read first.
func (e *examination) huskyStart() string {
	config := e.variable("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(e.variable("HOME"), ".config")
	}
	return filepath.Join(config, "husky", "init.sh")
}

// huskyIsOff reports a line of that file that makes husky skip all hooks.
func huskyIsOff(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && offLine.Match(text)
}

var offLine = regexp.MustCompile(`(?m)^\s*(export\s+)?HUSKY=0\s*$`)

// graphical looks at the hooks as a client meets them that a desktop started.
func (e *examination) graphical(status hooks.Status) {
	if !huskyRuns(status) {
		e.say("hooks.graphical", ok, fmt.Sprintf("graphical clients run %s, whatever their PATH is", status.Hooks[0].Binary))
		return
	}
	path := plainPath
	if own, err := gitext.ExecPath(e.ctx, plainPath); err == nil {
		path = own + ":" + path
	}
	if found := hooks.Programs(path); len(found) > 0 {
		e.say("hooks.graphical", ok, "graphical clients run "+found[0])
		return
	}
	folder := "DIRECTORY"
	if e.Program != "" {
		folder = filepath.Dir(e.Program)
	}
	file := e.huskyStart()
	line := "export PATH=" + fault.ShellWord(folder) + `:"$PATH"`
	if text, err := os.ReadFile(file); err == nil && strings.Contains("\n"+string(text), "\n"+line+"\n") {
		e.say("hooks.graphical", ok, file+" tells husky's hooks where git-standards is")
		return
	}
	e.say("hooks.graphical", warning,
		"husky's hooks look for git-standards on PATH, and where PATH is "+plainPath+", as in a graphical client, it is not found",
		"mkdir -p -- "+fault.ShellWord(filepath.Dir(file)), "echo "+fault.ShellWord(line)+" >>"+fault.ShellWord(file))
}
