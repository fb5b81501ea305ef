package corpus_test

import (
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/corpus"
)

func TestGroupsAreTheirVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := authoritytest.Vectors(t, text, corpus.GroupCodec)
	authoritytest.Refuses(t, corpus.GroupCodec, vectors["a group of modules"].Payload)
	authoritytest.Refuses(t, corpus.GroupCodec, vectors["a group of groups"].Payload, ".groups")
}
