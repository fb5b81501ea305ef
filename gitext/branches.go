package gitext

import (
	"context"
	"slices"
	"strings"
)

// branches is what is known of base branches here.
type branches struct {
	refs    []ref
	remotes []string // origin first, then sorted
	pushed  string   // the remote pushed to, "" where unknown

	defaultBranch string // init.defaultBranch
}

func (r *Repo) branches(ctx context.Context, push *PushTarget) (branches, error) {
	refs, settings, err := r.refsAndRemotes(ctx)
	if err != nil {
		return branches{}, err
	}
	known := branches{refs: refs, remotes: r.remotes, defaultBranch: settings.defaultBranch}
	if push != nil {
		known.pushed = settings.find(*push)
	}
	return known, nil
}

// Foresee begins to ask what ForkPoint will need to know, without waiting for it. It changes no answer.
func (r *Repo) Foresee(ctx context.Context) {
	r.foreseen.Go(func() { _, _, _ = r.refsAndRemotes(ctx) }) // whoever needs it asks again, and is told what failed
}

// refsAndRemotes asks git once: a push asks it for every ref, and all refs of one push are to be judged alike.
func (r *Repo) refsAndRemotes(ctx context.Context) ([]ref, settings, error) {
	r.branchMutex.Lock()
	defer r.branchMutex.Unlock()
	if r.branchesKnown {
		return r.refs, r.settings, nil
	}
	err := together(
		func() (err error) { r.refs, err = r.listRefs(ctx); return err },
		func() (err error) { r.settings, err = r.remoteSettings(ctx); return err },
	)
	r.remotes, r.branchesKnown = remoteNames(r.refs, r.settings), err == nil
	return r.refs, r.settings, err
}

// RemoteHeads returns the names of the branches that the server's HEAD may name, as far as this repository knows: that of
// the remote pushed to, by name or URL, else those of all remotes. A server reached by an unknown URL may be any of them.
func (r *Repo) RemoteHeads(ctx context.Context, target PushTarget) ([]string, error) {
	known, err := r.branches(ctx, &target)
	if err != nil {
		return nil, err
	}
	remotes := known.remotes
	if known.pushed != "" {
		remotes = []string{known.pushed}
	}
	var names []string
	for _, remote := range remotes {
		if name := known.headOf(remote); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// headOf is the name that refs/remotes/<remote>/HEAD names, or "".
func (b branches) headOf(remote string) string {
	prefix := "refs/remotes/" + remote + "/"
	for _, r := range b.refs {
		if r.name == prefix+"HEAD" {
			named, _ := strings.CutPrefix(r.symref, prefix)
			return named
		}
	}
	return ""
}

// baseName is the name of the base branch and what named it; "" where nothing does.
func (b branches) baseName(gateBase string) (name, why string) {
	if gateBase != "" {
		return gateBase, "gate.base"
	}
	order := b.remotes
	if b.pushed != "" {
		order = append([]string{b.pushed}, order...)
	}
	for _, remote := range order {
		if named := b.headOf(remote); named != "" {
			return named, "refs/remotes/" + remote + "/HEAD"
		}
	}
	for i, name := range []string{b.defaultBranch, "main", "master", "trunk"} {
		if name == "" || len(b.named(name)) == 0 {
			continue
		}
		if i == 0 {
			return name, "init.defaultBranch"
		}
		return name, name
	}
	return "", ""
}

// named returns the refs that a base branch name means: its remote-tracking refs, of the remote pushed to where that has
// one, and the local branch where there are none.
func (b branches) named(name string) []ref {
	if name == "" {
		return nil
	}
	own := "refs/remotes/" + b.pushed + "/" + name
	var wanted []string
	for _, remote := range b.remotes {
		wanted = append(wanted, "refs/remotes/"+remote+"/"+name)
	}
	var found []ref
	for _, r := range b.refs {
		if b.pushed != "" && r.name == own {
			return []ref{r}
		}
		if slices.Contains(wanted, r.name) {
			found = append(found, r)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, r := range b.refs {
		if r.name == "refs/heads/"+name {
			return []ref{r}
		}
	}
	return nil
}
