package question

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// Question is one question that a change asks. Module and Unit, or Module alone, say what changed; Consumer is a path or a module
// id; Declaration names a declared value, a fact by its declaration, or the file of a base-invalid; File and Line are where to look. Was and Now are the
// unit's revisions, 0 where the side has none; they, the reason of a consumer-review and the place are shown and never hashed
// (RULES C15). Parts is the objects behind the record that a store keeps with it.
type Question struct {
	ID       string
	Record   identity.Record
	Kind     string
	Reason   string
	Module   string
	Unit     string
	Consumer string

	Declaration string
	File        string
	Line        int
	Was, Now    int64
	Updatable   bool // the consumer's bytes differ between the sides (RULES E4)

	Contract *facts.Contract // of a fact, where its declaration is at hand
	Meaning  string          // of a fact, as it is declared

	Parts []authority.Node
}

// needed is the capabilities that a question of each kind needs of whoever answers it (RULES F1).
var needed = map[string]string{
	ConsumerReview: capabilities.ReviewConsumer,
	ImpactReview:   capabilities.ReviewImpact,
	Fact:           capabilities.Analyze,
	Coverage:       capabilities.ReviewAudit,
}

// Capability is the capability that an answer needs once the accepted side has an authority.yaml.
func (q *Question) Capability() string { return needed[q.Kind] }

// CapabilityFor is the capability that an answer of a kind and result needs: a waiver its own (RULES E3).
func CapabilityFor(kind, result string) string {
	if result == facts.Waiver {
		return capabilities.Waive
	}
	return needed[kind]
}

// Results returns the results that may be given now, in the order of RULES E3, waiver aside; of a fact what its contract takes. None
// where it is not known here what may be answered.
func (q *Question) Results() []string {
	if q.Kind == Fact {
		if q.Contract == nil {
			return nil
		}
		return q.Contract.Answers()
	}
	return slices.DeleteFunc(decisionfile.Results(q.Kind), func(result string) bool { return result == "updated" && !q.Updatable })
}

// AnyValue stands among the results of a fact whose values cannot be listed.
const AnyValue = "value"

// Placeholder stands in a printed command for a value that cannot be listed.
const Placeholder = "VALUE"

// Suggested is the result to show in a command: of those that may be given, the one that fits most often.
func (q *Question) Suggested() string {
	if q.Kind == ConsumerReview && q.Record["bytes"] == Absent {
		return "not-applicable"
	}
	if first := q.Results()[0]; first != AnyValue {
		return first
	}
	return Placeholder
}

// Seal gives the question the id of its record, which the caller must not change after.
func (q *Question) Seal() (err error) {
	q.ID, err = Codec.ID(q.Record)
	return err
}

// Node is the question as an object to store, with the bytes behind it.
func (q *Question) Node() authority.Node {
	return Codec.Lazy(q.ID, func() (any, error) { return q.Record, nil }, q.Parts...)
}

// Stored makes a question from a stored record, for which no side is at hand: nothing is known of its bytes, so
// `updated` is not offered (RULES H1).
func Stored(questionID string, record identity.Record) *Question {
	q := &Question{ID: questionID, Record: record}
	q.Kind, _ = record["kind"].(string)
	q.Reason, _ = record["reason"].(string)
	q.Unit, _ = record["unit"].(string)
	q.Module, _ = record["module"].(string)
	q.Now, _ = record["revision"].(int64)
	q.Consumer = consumerName(record)
	q.Declaration = declarationName(record)
	return q
}

// FactDeclaration begins the name of the declaration of a fact.
const FactDeclaration = "manifest#facts."

// declarationName is the declaration of a C7 question, the file of a base-invalid one, or where the fact is declared.
func declarationName(record identity.Record) string {
	for _, key := range []string{"declaration", "file"} {
		if name, ok := record[key].(string); ok {
			return name
		}
	}
	if fact, ok := record["fact"].(string); ok {
		return FactDeclaration + fact
	}
	return ""
}

func consumerName(record identity.Record) string {
	target, _ := record["consumer"].(identity.Record)
	for _, key := range []string{"path", "module"} {
		if name, ok := target[key].(string); ok {
			return name
		}
	}
	return ""
}

// Locator says which question a record is about, whatever the state it was asked for (RULES D4).
func Locator(record identity.Record) string {
	parts := make([]string, 0, 6)
	for _, key := range []string{"kind", "reason", "unit", "module"} {
		value, _ := record[key].(string)
		parts = append(parts, value)
	}
	parts = append(parts, declarationName(record))
	target, _ := record["consumer"].(identity.Record)
	if _, isModule := target["module"]; isModule {
		parts = append(parts, "module")
	}
	return strings.Join(append(parts, consumerName(record)), "\x00")
}

// Sort sorts by (module, unit, kind, consumer), then by id, and keeps the first of equal ids: the same consumer
// against the same unit state is one question, however it came up (RULES C15).
func Sort(questions []*Question) []*Question {
	slices.SortStableFunc(questions, func(a, b *Question) int {
		for _, pair := range [][2]string{{a.Module, b.Module}, {a.Unit, b.Unit}, {a.Kind, b.Kind}, {a.Consumer, b.Consumer}, {a.Declaration, b.Declaration}, {a.ID, b.ID}} {
			if c := strings.Compare(pair[0], pair[1]); c != 0 {
				return c
			}
		}
		return 0
	})
	return slices.CompactFunc(questions, func(a, b *Question) bool { return a.ID == b.ID })
}

// IDs is the ids of questions as a set.
func IDs(questions []*Question) map[string]bool {
	ids := make(map[string]bool, len(questions))
	for _, q := range questions {
		ids[q.ID] = true
	}
	return ids
}
