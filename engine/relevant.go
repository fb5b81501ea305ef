package engine

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
)

// HasManifest reports whether a side has standards at all.
func HasManifest(ctx context.Context, source content.Source) (bool, error) {
	entries, err := source.List(ctx, corpus.ManifestPath)
	return len(entries) == 1, err
}

// Relevant reports whether a request can ask or refuse anything, by the names of what changed alone: the manifest, the
// authority, a decision, a file that a side's globs match, or a deletion, which may be a consumer's. False means that the
// verdict is complete and that no text changed which a side's standards are made of. It reads the manifests and nothing
// else, so that a hook costs little where no standard is touched.
func Relevant(ctx context.Context, r Request) (bool, error) {
	manifests := false
	var globs []authored.Glob
	for _, side := range []content.Source{r.Accepted.Source, r.Proposed.Source} {
		entries, err := side.List(ctx, corpus.ManifestPath)
		if err != nil {
			return false, err
		}
		if len(entries) == 0 {
			continue
		}
		manifests = true
		if entries[0].Kind != content.Regular {
			return true, nil
		}
		data, err := side.Read(ctx, entries[0])
		if err != nil {
			return false, err
		}
		manifest, findings := authored.ParseManifest(corpus.ManifestPath, data[0])
		if manifest == nil || corpus.HasErrors(findings) {
			return true, nil
		}
		for _, pattern := range manifest.Modules {
			glob, err := authored.ParseGlob(pattern)
			if err != nil {
				return true, nil
			}
			globs = append(globs, glob)
		}
	}
	if !manifests {
		return false, nil
	}
	return slices.ContainsFunc(r.Changes, func(c content.Change) bool {
		return c.New == nil || c.New.Kind != content.Regular ||
			c.Name == corpus.ManifestPath || c.Name == corpus.AuthorityPath || corpus.IsDecision(c.Name) ||
			slices.ContainsFunc(globs, func(g authored.Glob) bool { return g.Match(c.Name) })
	}), nil
}
