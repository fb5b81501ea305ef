package landing

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// The settings by which records are shared (doc/publish.md). Patterns, because Git refuses to fetch a ref by its name where there is none yet.
const (
	sharedRefs    = NotesRef + "*"
	mergeStrategy = "notes.standards.mergeStrategy"
	keepsAll      = "cat_sort_uniq"
	shareAlias    = "alias.share-standards"
)

// setting is one value in the repository's own configuration.
type setting struct{ key, value string }

// sharing is the settings that share records with a remote. What is fetched has a ref of its own, so that nothing that was not sent yet
// is overwritten; git push stays what it was, and git share-standards sends.
func sharing(remote string) []setting {
	quoted := fault.PosixWord(remote)
	return []setting{
		{"remote." + remote + ".fetch", "+" + sharedRefs + ":refs/notes/" + remote + "/standards*"},
		{mergeStrategy, keepsAll},
		{shareAlias, "!git fetch " + quoted + " && git standards publish --records && git push " + quoted + " '" + sharedRefs + ":" + sharedRefs + "'"},
	}
}

// Share sets up that records are fetched from and sent to a remote; "" is origin, or the only one. Its faults: SHARE.REMOTE and
// SHARE.FOREIGN, invalid.
func Share(ctx context.Context, repo *gitext.Repo, remote string) error {
	remotes, err := repo.Remotes(ctx)
	if err != nil {
		return err
	}
	switch {
	case remote == "" && slices.Contains(remotes, "origin"):
		remote = "origin"
	case remote == "" && len(remotes) == 1:
		remote = remotes[0]
	case len(remotes) == 0:
		return fault.New(fault.Invalid, "SHARE.REMOTE", remote, "no remote is configured here to share records with").Hint("git remote add origin URL")
	case remote == "" || !slices.Contains(remotes, remote):
		return fault.New(fault.Invalid, "SHARE.REMOTE", remote, "records are shared with one of the remotes here: %s", strings.Join(remotes, ", ")).
			Hint("git standards hooks install --share --remote " + fault.ShellWord(remotes[0]))
	}
	wanted := sharing(remote)
	for _, w := range wanted[1:] { // one value each: what a person set is not overwritten
		have, err := repo.OwnSettings(ctx, w.key)
		if err != nil {
			return err
		}
		if len(have) > 0 && !slices.Contains(have, w.value) && !(w.key == mergeStrategy && slices.Equal(have, []string{"union"})) && !isShareAlias(w.key, have) {
			return fault.New(fault.Invalid, "SHARE.FOREIGN", w.key, "it is set to %q here, and records are shared by %q", have, w.value).
				Hint("git config --local --unset-all " + w.key)
		}
	}
	if err := Unshare(ctx, repo); err != nil {
		return err
	}
	for _, w := range wanted {
		if have, err := repo.OwnSettings(ctx, w.key); err != nil || w.key != wanted[0].key && len(have) > 0 {
			if err != nil {
				return err
			}
			continue
		}
		if err := repo.AddOwnSetting(ctx, w.key, w.value); err != nil {
			return err
		}
	}
	return nil
}

var (
	ourFetch = regexp.MustCompile(`^\+refs/notes/standards\*:refs/notes/.+/standards\*$`)
	ourAlias = regexp.MustCompile(`^!git fetch .+ && git standards publish --records && git push .+ 'refs/notes/standards\*:refs/notes/standards\*'$`)
)

func isShareAlias(key string, values []string) bool {
	return key == shareAlias && !slices.ContainsFunc(values, func(value string) bool { return !ourAlias.MatchString(value) })
}

// Shared is the remotes that records are shared with.
func Shared(ctx context.Context, repo *gitext.Repo) ([]string, error) {
	_, remotes, err := shared(ctx, repo)
	return remotes, err
}

// shared is the settings of sharing that are in force, and the remotes that records are shared with.
func shared(ctx context.Context, repo *gitext.Repo) (settings []setting, remotes []string, err error) {
	all, err := repo.Remotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, remote := range all {
		key := "remote." + remote + ".fetch"
		values, err := repo.OwnSettings(ctx, key)
		if err != nil {
			return nil, nil, err
		}
		for _, value := range values {
			if ourFetch.MatchString(value) {
				settings, remotes = append(settings, setting{key, value}), append(remotes, remote)
			}
		}
	}
	aliases, err := repo.OwnSettings(ctx, shareAlias)
	if err != nil {
		return nil, nil, err
	}
	if len(aliases) > 0 && isShareAlias(shareAlias, aliases) {
		// The merge rule is taken back with the alias that was set together with it.
		for _, value := range aliases {
			settings = append(settings, setting{shareAlias, value})
		}
		settings = append(settings, setting{mergeStrategy, keepsAll})
	}
	return settings, remotes, nil
}

// Unshare takes the settings back; the records that are here stay.
func Unshare(ctx context.Context, repo *gitext.Repo) error {
	settings, _, err := shared(ctx, repo)
	if err != nil {
		return err
	}
	for _, one := range settings {
		if err := repo.RemoveOwnSetting(ctx, one.key, one.value); err != nil {
			return err
		}
	}
	return nil
}
