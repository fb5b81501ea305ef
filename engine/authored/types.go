package authored

import (
	"slices"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/identity"
)

// Manifest is standards/standards.yaml (RULES A5). Routing and Horizon are nil where they are not declared. Lines maps a dotted key
// ("gate.protected") to its line.
type Manifest struct {
	Modules   []string
	Gate      Gate
	Facts     []Fact
	Providers []Provider
	Routing   *Routing
	Horizon   *Horizon
	Lines     map[string]int
}

// Expression is a condition over facts in its canonical form (RULES A9): an identity value with the key "operator" and the operands of
// that operator. See doc/facts.md.
type Expression = identity.Record

// Always is the expression that holds without looking.
func Always() Expression { return Expression{"operator": "always"} }

// Fact is a fact contract: what may be asked about a task or a change, and what counts as an answer. Inputs are globs from the
// repository root; Provider is the id of the provider that can observe it, or "".
type Fact struct {
	Line       int
	ID         string
	Revision   int64
	Type       string // boolean, enum, string, string-set, enum-set or canonical-id
	Nullable   bool
	Values     []string // of enum and enum-set, in the order written
	Aliases    []string
	Meaning    string
	Context    string // task-route or standards-change
	Inputs     []string
	Capability string // "standards.analyze" where not given
	Provider   string
}

// Provider is a command that observes facts over their declared inputs (RULES F6). Command is its words; TimeLimit counts seconds.
type Provider struct {
	Line      int
	ID        string
	Revision  int64
	Command   []string
	TimeLimit int64
}

// Routing says which modules are read for which work: Base always, those of a rule when its expression holds.
type Routing struct {
	Line  int
	Base  []string
	Rules []RoutingRule
}

// RoutingRule selects one module.
type RoutingRule struct {
	Line   int
	ID     string
	Module string
	When   Expression
}

// Horizon is where consumers could be, whether or not they are declared (RULES C11, E8). Moving is "ask" or "list".
type Horizon struct {
	Line    int
	Include []string
	Exclude []Exclusion
	Moving  string
}

// Exclusion is a glob of files that cannot be consumers, and why.
type Exclusion struct {
	Line   int
	Glob   string
	Reason string
}

// Gate is the manifest's policy of who is stopped where. Commit and Push are "mine", "all" or "warn" (default mine);
// Block is the levels that ask (default MUST, SHOULD, PROFILE); Protected is ref names or globs, nil where not given.
type Gate struct {
	Base              string
	Protected         []string
	Block             []string
	Commit            string
	Push              string
	RequireApplicable bool
}

// Module is one Markdown file whose front matter has the key `standard` (RULES A1). Line numbers count from 1 in File.
//
// Lines maps a key below `standard` ("requires") to its line.
type Module struct {
	File             string
	Line             int
	Lines            map[string]int
	ID               string
	Role             string
	Level            string
	Title            string
	AppliesWhen      string
	DoesNotApplyWhen string
	Verification     string
	Owner            string
	Requires         []string
	Specializes      []string
	Units            []Unit
	Tombstones       []Tombstone
	Consumers        []Consumer
	// Outside is the text of the body that belongs to no unit (RULES A8).
	Outside markdown.Section
	// Links is where the body of a router leads within the repository, in order; nil for other roles.
	Links []Link
}

// Unit is the smallest reviewable rule: the section of one heading without the units nested in it (RULES A2).
type Unit struct {
	ID           string
	Line         int // of the unit's row in the front matter
	TextLine     int // of its heading
	Heading      []string
	Revision     int64
	Aliases      []string
	Predecessors []string
	Successors   []string
	Text         markdown.Section
}

// Tombstone is the permanent record of a removed unit.
type Tombstone struct {
	ID              string
	Line            int
	RetiredRevision int64
	Successors      []string
	Evidence        string
}

// Consumer is one declared edge from a unit (RULES A3). Exactly one of Module, Path and Glob is set. When is
// Always where not given; On is ["policy"] where not given.
type Consumer struct {
	Line          int
	Unit          string
	Module        string
	Path          string
	Glob          string
	Relation      string
	When          Expression
	On            []string
	EvidenceOwner string
	Rationale     string
}

// Watches reports an edge along which a change of the consumer alone asks as well (RULES C9).
func (c *Consumer) Watches() bool { return slices.Contains(c.On, "consumer") }
