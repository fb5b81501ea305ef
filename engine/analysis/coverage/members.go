// Package coverage is the audit of who could consume a unit (RULES C11, E8): the members of a horizon, which are listed without a
// look at declared consumers, what of them attesters have seen with the bytes that they have now, and the objects that prove it.
//
// It promises that a member counts only with its present bytes, that one person or one key counts once however many answers they
// give, and that no object of a question or requirement hangs on a member. It asks nothing and checks no signature: who attested
// what, and with which key, it is told.
package coverage

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
)

// Horizon is the globs of a declared horizon.
type Horizon struct{ include, exclude []glob.Glob }

// Compile reads the globs of a horizon. One that cannot be read is a finding of the manifest long before.
func Compile(h *authored.Horizon) (*Horizon, error) {
	var compiled Horizon
	for _, pattern := range h.Include {
		g, err := glob.Parse(pattern)
		if err != nil {
			return nil, err
		}
		compiled.include = append(compiled.include, g)
	}
	for _, row := range h.Exclude {
		g, err := glob.Parse(row.Glob)
		if err != nil {
			return nil, err
		}
		compiled.exclude = append(compiled.exclude, g)
	}
	return &compiled, nil
}

// Holds reports whether a regular file at path would be a member. No decision ever is (RULES A10).
func (h *Horizon) Holds(path string) bool {
	matches := func(g glob.Glob) bool { return g.Match(path) }
	return !corpus.IsDecision(path) && slices.ContainsFunc(h.include, matches) && !slices.ContainsFunc(h.exclude, matches)
}

// Members is what a horizon holds on one side, by path. Unnamed is the names of members that Git has and no decision can write down:
// nobody can attest them, and so nothing covers the horizon (RULES E8).
type Members struct {
	List    []decisionfile.Member
	Unnamed []string

	at map[decisionfile.Member]int
}

// NewMembers is members given by path.
func NewMembers(list []decisionfile.Member) *Members {
	m := &Members{List: list, at: make(map[decisionfile.Member]int, len(list))}
	for i, member := range list {
		m.at[member] = i
	}
	return m
}

// compareMembers orders by path, then blob.
func compareMembers(a, b decisionfile.Member) int {
	if c := content.ComparePaths(a.Path, b.Path); c != 0 {
		return c
	}
	return strings.Compare(a.Blob, b.Blob)
}

// ParseMember reads a member as it stands in an object.
func ParseMember(value any) (decisionfile.Member, error) {
	fields, err := authority.Closed(value, "path", "blob")
	if err != nil {
		return decisionfile.Member{}, err
	}
	path, _ := fields["path"].(string)
	blob, _ := fields["blob"].(string)
	if err := content.CheckPath(path); err != nil || !decisionfile.IsBlob(blob) {
		return decisionfile.Member{}, fmt.Errorf("%q with %q is no member", path, blob)
	}
	return decisionfile.Member{Path: path, Blob: blob}, nil
}

// readChunk bounds how many files are held in memory at a time.
const readChunk = 64

// Members lists the regular files of the horizon on a side, each with the Git object id that its bytes have or would have. beside is
// another side of the same repository: where this one knows no object at all, that one tells the repository's object format.
func (h *Horizon) Members(ctx context.Context, source, beside content.Source) (*Members, error) {
	var bases []string
	for _, g := range h.include {
		bases = append(bases, g.Base())
	}
	listed, err := corpus.ListUnder(ctx, source, bases)
	if err != nil {
		return nil, err
	}
	var unnamed []string
	var entries []content.Entry
	for _, entry := range listed {
		switch {
		case entry.Kind != content.Regular || !h.Holds(entry.Name):
		case content.CheckPath(entry.Name) != nil:
			unnamed = append(unnamed, entry.Name)
		default:
			entries = append(entries, entry)
		}
	}
	ids, err := objects(ctx, source, beside, entries)
	if err != nil {
		return nil, err
	}
	list := make([]decisionfile.Member, len(entries))
	for i, entry := range entries {
		list[i] = decisionfile.Member{Path: entry.Name, Blob: algorithm(ids[i]) + ":" + ids[i]}
		if !decisionfile.IsBlob(list[i].Blob) {
			return nil, fmt.Errorf("internal error: %q has the object %q", entry.Name, ids[i])
		}
	}
	m := NewMembers(list)
	m.Unnamed = unnamed
	return m, nil
}

// algorithm is that of a Git object id.
func algorithm(id string) string {
	if len(id) == 2*sha256.Size {
		return "sha256"
	}
	return "sha1"
}

// objects gives the object id of every entry: the one that it has, else the one that the source's repository would give it, else the
// one that git would compute.
func objects(ctx context.Context, source, beside content.Source, entries []content.Entry) ([]string, error) {
	ids := make([]string, len(entries))
	var unknown []int
	for i, entry := range entries {
		if ids[i] = entry.Object; entry.Object == "" {
			unknown = append(unknown, i)
		}
	}
	if namer, ok := source.(content.Namer); ok && len(unknown) > 0 {
		named, err := namer.Objects(ctx, pick(entries, unknown)...)
		if err != nil {
			return nil, err
		}
		for i, at := range unknown {
			ids[at] = named[i]
		}
		unknown = slices.DeleteFunc(unknown, func(at int) bool { return ids[at] != "" })
	}
	if len(unknown) == 0 {
		return ids, nil
	}
	isSHA256, err := usesSHA256(ctx, source, beside)
	if err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(unknown, readChunk) {
		data, err := source.Read(ctx, pick(entries, chunk)...)
		if err != nil {
			return nil, err
		}
		for i, at := range chunk {
			ids[at] = blobID(data[i], isSHA256)
		}
	}
	return ids, nil
}

func pick(entries []content.Entry, at []int) []content.Entry {
	picked := make([]content.Entry, len(at))
	for i, n := range at {
		picked[i] = entries[n]
	}
	return picked
}

// usesSHA256 tells the object format of the sides' repository by any object of either: Git has one format for all of a repository.
func usesSHA256(ctx context.Context, sides ...content.Source) (bool, error) {
	for _, side := range sides {
		entries, err := side.List(ctx)
		if err != nil {
			return false, err
		}
		for _, entry := range entries {
			if entry.Object != "" {
				return algorithm(entry.Object) == "sha256", nil
			}
		}
	}
	return false, nil
}

// blobID is the id that git gives bytes: the hash of a header and of them.
func blobID(data []byte, isSHA256 bool) string {
	var h hash.Hash
	if h = sha1.New(); isSHA256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}
