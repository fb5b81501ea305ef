package judge

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/authorityfile"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// HasManifest reports whether a side has standards at all.
func HasManifest(ctx context.Context, source content.Source) (bool, error) {
	entry, err := manifestEntry(ctx, source)
	return entry != nil, err
}

// manifestEntry is what stands at the manifest's path; a directory of that name is no manifest.
func manifestEntry(ctx context.Context, source content.Source) (*content.Entry, error) {
	entries, err := source.List(ctx, corpus.ManifestPath)
	if err != nil || len(entries) != 1 || entries[0].Name != corpus.ManifestPath {
		return nil, err
	}
	return &entries[0], nil
}

// Relevant reports whether a request can ask or refuse anything, by the names of what changed alone: the manifest, the
// authority, a decision, a file that a side's globs match, a deletion, which may be a consumer's, or a consumer whose change
// alone asks (RULES C9). False means that the verdict is complete and that no text changed which a side's standards are made
// of. It reads the manifests and looks for one word in the modules, so that a hook costs little where no standard is touched.
//
// The accepted side alone is listed and read: what did not change is the proposed side's too, and listing an index costs a git
// and as many lines as the repository has files.
func Relevant(ctx context.Context, r Request) (bool, error) {
	if slices.ContainsFunc(r.Changes, func(c content.Change) bool { return c.Name == corpus.ManifestPath }) {
		return true, nil
	}
	entry, err := manifestEntry(ctx, r.Accepted.Source)
	if err != nil || entry == nil {
		return false, err
	}
	if entry.Kind != content.Regular {
		return true, nil
	}
	data, err := r.Accepted.Source.Read(ctx, *entry)
	if err != nil {
		return false, err
	}
	manifest, findings := authored.ParseManifest(corpus.ManifestPath, data[0])
	if manifest == nil || corpus.HasErrors(findings) {
		return true, nil
	}
	var globs []glob.Glob
	for _, pattern := range manifest.Modules {
		g, err := glob.Parse(pattern)
		if err != nil {
			return true, nil
		}
		globs = append(globs, g)
	}
	if broken, err := isAuthorityBroken(ctx, r.Accepted.Source); err != nil || broken {
		return broken, err
	}
	if slices.ContainsFunc(r.Changes, func(c content.Change) bool {
		return c.New == nil || c.New.Kind != content.Regular ||
			c.Name == corpus.AuthorityPath || strings.HasPrefix(c.Name, corpus.AuthorityPath+"/") || corpus.IsDecision(c.Name) ||
			matchesAny(globs, c.Name)
	}) {
		return true, nil
	}
	return isWatched(ctx, r, globs)
}

// isAuthorityBroken reports an authority.yaml that cannot be read: where that is the accepted side's, everything is refused (RULES
// B7).
func isAuthorityBroken(ctx context.Context, source content.Source) (bool, error) {
	entries, err := source.List(ctx, corpus.AuthorityPath)
	if err != nil || len(entries) == 0 {
		return false, err
	}
	if entries[0].Name != corpus.AuthorityPath || entries[0].Kind != content.Regular { // a folder of that name, too
		return true, nil
	}
	data, err := source.Read(ctx, entries[0])
	if err != nil {
		return false, err
	}
	_, findings := authorityfile.Parse(corpus.AuthorityPath, data[0])
	return corpus.HasErrors(findings), nil
}

func matchesAny(globs []glob.Glob, name string) bool {
	return slices.ContainsFunc(globs, func(g glob.Glob) bool { return g.Match(name) })
}

// isWatched reports whether a file that changed is the consumer of an edge on: [policy, consumer]. No module has changed, so those of
// the accepted side say it. One that cannot be read binds nobody (RULES B7).
func isWatched(ctx context.Context, r Request, modules []glob.Glob) (bool, error) {
	if len(r.Changes) == 0 {
		return false, nil
	}
	bases := make([]string, len(modules))
	for i, g := range modules {
		bases[i] = g.Base()
	}
	listed, err := corpus.ListUnder(ctx, r.Accepted.Source, bases)
	if err != nil {
		return false, err
	}
	files := slices.DeleteFunc(slices.Clone(listed), func(e content.Entry) bool {
		return e.Kind != content.Regular || e.Name == corpus.ManifestPath || e.Name == corpus.AuthorityPath || !matchesAny(modules, e.Name)
	})
	data, err := r.Accepted.Source.Read(ctx, files...)
	if err != nil {
		return false, err
	}
	patterns := graph.NewPatterns()
	for i, file := range files {
		if !front.MayWatch(data[i]) {
			continue
		}
		module, findings := authored.ParseModule(file.Name, data[i])
		if module == nil || corpus.HasErrors(findings) {
			continue
		}
		for j := range module.Consumers {
			edge := graph.Edge{Consumer: &module.Consumers[j]}
			if edge.Watches() && slices.ContainsFunc(r.Changes, func(c content.Change) bool { return patterns.LeadsTo(edge, c.Name) }) {
				return true, nil
			}
		}
	}
	return false, nil
}
