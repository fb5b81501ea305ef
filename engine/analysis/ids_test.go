package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/identity"
)

func hash(t *testing.T, domain, kind string, record any) string {
	t.Helper()
	id, err := identity.Hash(domain, kind, record)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// The records are written here by hand from the tables of doc/questions.md, the normal forms of the texts by hand from
// doc/normalization.md. Nothing of the code under test makes them.
func TestQuestionIDsAreTheHashesOfTheDocumentedRecords(t *testing.T) {
	t.Parallel()
	structure := func(normal string) string {
		return hash(t, "coding-standards:unit-structure:v1", "structure", normal)
	}
	question := func(record identity.Record) string {
		return hash(t, "coding-standards:question:v1", "question", record)
	}
	always := hash(t, "coding-standards:applicability-program:v1", "program", identity.Record{"operator": "always"})
	errorsNow := structure("## Errors\n\nEvery error carries a stable code that clients must match.")
	review := func(relation string, consumer identity.Record, bytes string) string {
		return question(identity.Record{
			"recipe": "q1", "kind": "consumer-review", "unit": "api.errors", "revision": int64(2), "structure": errorsNow,
			"relation": relation, "program": always, "consumer": consumer, "bytes": bytes,
		})
	}
	http := hash(t, "coding-standards:module-structure:v1", "module-structure", identity.Record{
		"outside": structure("# HTTP"),
		"units":   identity.List{identity.Record{"unit": "http.codes", "structure": structure("## Codes\n\nA missing thing is 404.")}},
	})
	accepted := apply(t, base(), write("docs/errors.md", contenttest.Symlink))
	proposed := apply(t, accepted,
		raise("api.errors", 1, 2), sub(api, "can match", "must match"), // C1
		sub(api, "lower case", "upper case"),                  // C2
		sub(api, "What a client sees.", "What client\nsees."), // C8
		write("src/err/a.go", "new bytes"))
	want := []string{
		question(identity.Record{"recipe": "q1", "kind": "impact-review", "reason": "unmapped-text", "module": "topic.api", "structure": structure("# API\n\nWhat client sees.")}),
		review("documentation-projection", identity.Record{"path": "docs/errors.md"}, "absent"),
		review("implementation-projection", identity.Record{"path": "src/err/a.go"}, identity.Bytes([]byte("new bytes"))),
		review("implementation-projection", identity.Record{"path": "src/err/b.go"}, identity.Bytes([]byte("package err // b\n"))),
		review("normative-consumer", identity.Record{"module": "topic.http"}, http),
		question(identity.Record{
			"recipe": "q1", "kind": "impact-review", "reason": "same-revision", "unit": "api.names", "revision": int64(1),
			"structure": structure("## Names\n\nNames are upper case."),
		}),
	}
	if diff := cmp.Diff(want, ids(mustJudge(t, accepted, proposed).Asked)); diff != "" {
		t.Error(diff)
	}
}

// RULES C15: the same consumer against the same unit state is one question, however it came up.
func TestAQuestionIsOneHoweverItCameUp(t *testing.T) {
	t.Parallel()
	final := apply(t, base(), raise("api.names", 1, 3))
	ask := func(accepted contenttest.Files) string {
		v := mustJudge(t, accepted, final)
		if len(v.Asked) != 1 {
			t.Fatalf("%d questions", len(v.Asked))
		}
		return v.Asked[0].ID
	}
	raised := ask(base())
	if other := ask(apply(t, base(), raise("api.names", 1, 2))); other != raised {
		t.Error("from another revision it is another question")
	}
	if other := ask(apply(t, base(), write("docs/names.md", "other\n"), sub(api, "lower case", "upper case"))); other != raised {
		t.Error("from another text it is another question")
	}
	unitAdded := apply(t, base(), sub(api, "    - {id: api.names, heading: [Names], revision: 1}\n", ""), sub(api, "## Names\n\nNames are lower case.\n", ""),
		sub(api, namesEdge, ""))
	if other := ask(unitAdded); other != raised {
		t.Error("as a new unit it is another question")
	}
}
