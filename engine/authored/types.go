package authored

import "github.com/git-standards/git-standards/engine/authored/markdown"

// Finding is one thing that is wrong or doubtful in authored text (SHAPES, "lint"). Severity is "error" or "warning".
// Unsupported marks an error that is well formed but that this version does not judge yet: it is refused by name.
type Finding struct {
	Code        string
	Severity    string
	File        string
	Line        int
	Message     string
	Next        string
	Unsupported bool
}

// The severities of a finding.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// Manifest is standards/standards.yaml (RULES A5). Lines maps a dotted key ("gate.protected") to its line.
type Manifest struct {
	Modules []string
	Gate    Gate
	Lines   map[string]int
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

// Consumer is one declared edge from a unit (RULES A3). Exactly one of Module, Path and Glob is set. When is the
// expression's text, "always" where not given; On is ["policy"] where not given.
type Consumer struct {
	Line          int
	Unit          string
	Module        string
	Path          string
	Glob          string
	Relation      string
	When          string
	On            []string
	EvidenceOwner string
	Rationale     string
}

// Decision is one decision file (RULES E1): the embedded question records as identity values (identity.Record with
// strings, int64, nil, bool, identity.List), and one answer to all of them. Lines is where each question stands in a file that was
// read, in the order of Questions.
type Decision struct {
	File      string
	Questions []any
	Lines     []int
	Kind      string
	Result    string
	Value     any
	Rationale string
	Principal string
	Evidence  []Evidence
	Signature string
}

// Evidence is what an answer rests on: a repository path or nothing, and the digest ("sha256:…") of the exact bytes.
type Evidence struct {
	Path   string
	SHA256 string
}
