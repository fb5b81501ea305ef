package operation_test

import (
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/operation"
)

// The contracts of this build are the seed's table, which the vectors write out by hand.
func TestContractsAreTheirVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := authoritytest.Vectors(t, text, operation.Codecs()...)
	for _, c := range operation.Contracts() {
		node, err := c.Node()
		want := vectors["the contract of "+c.Operation]
		if err != nil || node.ID != want.ID {
			t.Errorf("%s: %s, %v; not %s", c.Operation, node.ID, err, want.ID)
		}
		authoritytest.Refuses(t, operation.ContractCodec, want.Payload)
	}
	authoritytest.Refuses(t, operation.ViewCodec, vectors["a view"].Payload, ".contracts")
	authoritytest.Refuses(t, operation.NavigationCodec, vectors["an answer to read"].Payload, ".request", ".result")
	if len(vectors) != 6 {
		t.Errorf("%d vectors", len(vectors))
	}
}
