package judge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
)

// A word names the stored object whose id it abbreviates, and no other; every other word is refused by a code.
func FuzzHandle(f *testing.F) {
	node, err := content.FileNode("a", []byte("a"))
	if err != nil {
		f.Fatal(err)
	}
	repository := memory{}
	if err := repository.Put(context.Background(), node); err != nil {
		f.Fatal(err)
	}
	_, digest, _ := identity.Split(node.ID)
	for _, word := range []string{
		node.ID, digest, digest[:7], digest[:6], "content-file:" + digest[:9], "content-file:sha256:" + digest[:12], "question:" + digest, strings.ToUpper(digest),
		"", ":", "content-file:", "content-file:sha256:", "x:sha256:" + digest, node.ID + " ", "sha256:" + digest,
	} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		id, err := judge.Expand(context.Background(), repository, judge.Codecs(), word)
		kind, typed, hasKind := strings.Cut(word, ":")
		if !hasKind {
			typed = word
		}
		typed = strings.TrimPrefix(typed, "sha256:")
		_, _, isWhole := identity.Split(word)
		names := len(typed) >= 7 && strings.HasPrefix(digest, typed) && (!hasKind && !strings.HasPrefix(word, "sha256:") || kind == "content-file")
		switch {
		case err != nil && fault.As(err) == nil:
			t.Fatal(err)
		case isWhole && id != word, !isWhole && names != (err == nil), !isWhole && err == nil && id != node.ID:
			t.Errorf("%q names %q: %v", word, id, err)
		}
	})
}
