package gitext

import (
	"context"
	"slices"
	"strings"
)

// settings are those that say which remotes there are and what a new branch is called.
type settings struct {
	urls          map[string][]string // by remote
	instead       [][2]string         // url.<base>.insteadOf and pushInsteadOf: prefix, base
	defaultBranch string
}

func (r *Repo) remoteSettings(ctx context.Context) (settings, error) {
	s := settings{urls: map[string][]string{}}
	out, err := r.plainAny(ctx, "config", "-z", "--get-regexp",
		`^(remote\..*\.(url|pushurl|fetch)|url\..*\.(insteadof|pushinsteadof)|init\.defaultbranch)$`)
	if err != nil {
		return s, err
	}
	if out.code > 1 {
		return s, out.failed()
	}
	for record := range records(out.stdout) {
		key, value, _ := strings.Cut(record, "\n")
		section, rest, _ := strings.Cut(key, ".")
		last := strings.LastIndexByte(rest, '.')
		switch {
		case section == "init":
			s.defaultBranch = value
		case last < 0:
		case section == "url":
			s.instead = append(s.instead, [2]string{value, rest[:last]})
		case rest[last+1:] == "fetch":
			// A remote may have no URL of its own: its name is then the URL.
			s.urls[rest[:last]] = slices.Clip(s.urls[rest[:last]])
		default:
			s.urls[rest[:last]] = append(s.urls[rest[:last]], value)
		}
	}
	return s, nil
}

// find returns the remote that a push goes to: the one of that name, else the first by name that has that URL, as
// written or as the url.<base>.insteadOf settings rewrite it. It is "" for a URL that no remote has.
func (s settings) find(target PushTarget) string {
	if _, ok := s.urls[target.Remote]; ok {
		return target.Remote
	}
	wanted := []string{target.Remote, target.URL}
	names := make([]string, 0, len(s.urls))
	for name := range s.urls {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, url := range s.urls[name] {
			for _, spelling := range append(s.rewritten(url), url) {
				if spelling != "" && slices.Contains(wanted, spelling) {
					return name
				}
			}
		}
	}
	return ""
}

func (s settings) rewritten(url string) []string {
	var spellings []string
	for _, pair := range s.instead {
		if rest, ok := strings.CutPrefix(url, pair[0]); ok && pair[0] != "" {
			spellings = append(spellings, pair[1]+rest)
		}
	}
	return spellings
}

// remoteNames lists the remotes, origin first, then sorted: the configured ones, whose names may hold slashes, and
// those of which only remote-tracking refs are left.
func remoteNames(refs []ref, s settings) []string {
	var names []string
	for name := range s.urls {
		names = append(names, name)
	}
	for _, r := range refs {
		rest, ok := strings.CutPrefix(r.name, "refs/remotes/")
		if !ok || slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(rest, name+"/") }) {
			continue
		}
		if name, _, ok := strings.Cut(rest, "/"); ok {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "origin") != (b == "origin") {
			if a == "origin" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(names)
}
