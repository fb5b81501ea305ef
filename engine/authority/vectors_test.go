package authority_test

import (
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/authority/authoritytest"
)

func TestClosureIsItsVector(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := authoritytest.Vectors(t, text, authority.CodecSet()...)
	authoritytest.Refuses(t, authority.ClosureCodec, vectors["a closure of two roots"].Payload)
}
