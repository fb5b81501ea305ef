// Package wire is the public shapes of results, as SHAPES.md gives them and schemas/standards.v11.schema.json repeats
// them: what `--format json` prints. Every field is always present; a pointer is null where there is nothing. It holds
// no behaviour but the conversion to JSON text.
package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The contract versions of the public interface (DESIGN 3).
const (
	SchemaVersion   = 11
	HandleVersion   = 4
	EnvelopeVersion = 1
	IdentityVersion = 2
)

// Handle is the public form of a stored object's id.
type Handle struct {
	SchemaVersion int    `json:"schema_version"`
	Kind          string `json:"kind"`
	ID            string `json:"id"`
}

// NewHandle makes the handle of an id "kind:sha256:…".
func NewHandle(id string) Handle {
	kind, _, _ := strings.Cut(id, ":")
	return Handle{HandleVersion, kind, id}
}

// Side says where one of the two trees came from. Source is commit, index, worktree, landed or empty.
type Side struct {
	Source   string  `json:"source"`
	Commit   *string `json:"commit"`
	Tree     *string `json:"tree"`
	Snapshot *Handle `json:"snapshot"`
}

// Base is how the accepted side was chosen; Branch is null where there is no base branch.
type Base struct {
	Branch *string `json:"branch"`
	Why    string  `json:"why"`
}

// About is what a question is about.
type About struct {
	Module      *string `json:"module"`
	Unit        *string `json:"unit"`
	Consumer    *string `json:"consumer"`
	Declaration *string `json:"declaration"`
}

// Changed is one field in which a stale answer's question differs from the question asked now.
type Changed struct {
	Field string `json:"field"`
	Was   string `json:"was"`
	Now   string `json:"now"`
}

// Question is one open question.
type Question struct {
	Question   string    `json:"question"`
	Abbrev     string    `json:"abbrev"`
	Kind       string    `json:"kind"`
	Reason     string    `json:"reason"`
	About      About     `json:"about"`
	Results    []string  `json:"results"`
	Capability string    `json:"capability"`
	State      string    `json:"state"`
	Who        string    `json:"who"`
	Changed    []Changed `json:"changed"`
}

// Decision is one answer in the state.
type Decision struct {
	Question  string `json:"question"`
	Result    string `json:"result"`
	Principal string `json:"principal"`
	Trust     string `json:"trust"`
	Counted   bool   `json:"counted"`
	File      string `json:"file"`
}

// Notice is something said beside the verdict. Paths, which is not public, are the files whose deletion it tells of.
type Notice struct {
	Code    string   `json:"code"`
	Target  *string  `json:"target"`
	Message string   `json:"message"`
	Next    *string  `json:"next"`
	Paths   []string `json:"-"`
}

// Landed is what gate and publish judged as landing.
type Landed struct {
	Base   string `json:"base"`
	Head   string `json:"head"`
	Tree   string `json:"tree"`
	Merged bool   `json:"merged"`
}

// Analysis is the result of prepare, status, resolve, gate and publish: Result is pending or complete.
type Analysis struct {
	SchemaVersion int        `json:"schema_version"`
	Result        string     `json:"result"`
	Analysis      Handle     `json:"analysis"`
	Stored        bool       `json:"stored"`
	Accepted      Side       `json:"accepted"`
	Proposed      Side       `json:"proposed"`
	Base          *Base      `json:"base"`
	Issuer        string     `json:"issuer"`
	Questions     []Question `json:"questions"`
	Decisions     []Decision `json:"decisions"`
	Notices       []Notice   `json:"notices"`
	Coverage      string     `json:"coverage"`
	Written       []string   `json:"written"`
	Landed        *Landed    `json:"landed"`
}

// Adoption is the result where the accepted side has no manifest yet (RULES B6).
type Adoption struct {
	SchemaVersion int      `json:"schema_version"`
	Result        string   `json:"result"`
	Accepted      Side     `json:"accepted"`
	Proposed      Side     `json:"proposed"`
	Base          *Base    `json:"base"`
	Modules       int      `json:"modules"`
	Units         int      `json:"units"`
	Consumers     int      `json:"consumers"`
	Notices       []Notice `json:"notices"`
	Landed        *Landed  `json:"landed"`
}

// Finding is one finding in authored text.
type Finding struct {
	Code     string  `json:"code"`
	Severity string  `json:"severity"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Message  string  `json:"message"`
	Next     *string `json:"next"`
}

// Rejected is the result of a request that ended without one.
type Rejected struct {
	SchemaVersion int       `json:"schema_version"`
	Result        string    `json:"result"`
	Code          string    `json:"code"`
	Outcome       string    `json:"outcome"`
	Target        *string   `json:"target"`
	Message       string    `json:"message"`
	Findings      []Finding `json:"findings"`
	Next          []string  `json:"next"`
}

// Pruned is the result of prune.
type Pruned struct {
	SchemaVersion int      `json:"schema_version"`
	Result        string   `json:"result"`
	Removed       []string `json:"removed"`
}

// Lint is the result of lint.
type Lint struct {
	SchemaVersion int       `json:"schema_version"`
	Result        string    `json:"result"`
	Modules       int       `json:"modules"`
	Units         int       `json:"units"`
	Ignored       int       `json:"ignored"`
	Findings      []Finding `json:"findings"`
}

// Inspection is one stored object. Payload is its canonical JSON text.
type Inspection struct {
	SchemaVersion   int             `json:"schema_version"`
	Result          string          `json:"result"`
	Handle          Handle          `json:"handle"`
	PayloadContract string          `json:"payload_contract"`
	Dependencies    []Handle        `json:"dependencies"`
	Payload         json.RawMessage `json:"payload"`
}

// Init is the result of init.
type Init struct {
	SchemaVersion int      `json:"schema_version"`
	Result        string   `json:"result"`
	Created       []string `json:"created"`
	Kept          []string `json:"kept"`
}

// AdoptedFile is one file that adopt changes: Module is null and Units empty for the manifest. Diff is a patch.
type AdoptedFile struct {
	File   string   `json:"file"`
	Module *string  `json:"module"`
	Units  []string `json:"units"`
	Diff   string   `json:"diff"`
}

// Adopted is the result of adopt; nothing was changed unless Written.
type Adopted struct {
	SchemaVersion int           `json:"schema_version"`
	Result        string        `json:"result"`
	Written       bool          `json:"written"`
	Files         []AdoptedFile `json:"files"`
}

// MovedFile is one file whose rows mv changes, by its name after the move. Diff is a patch.
type MovedFile struct {
	File string `json:"file"`
	Diff string `json:"diff"`
}

// Moved is the result of mv; nothing was changed unless Written.
type Moved struct {
	SchemaVersion int         `json:"schema_version"`
	Result        string      `json:"result"`
	Written       bool        `json:"written"`
	Old           string      `json:"old"`
	New           string      `json:"new"`
	Files         []MovedFile `json:"files"`
	Notices       []Notice    `json:"notices"`
}

// Hook is one hook and its state: installed, absent, foreign, outdated, not-executable or shadowed.
type Hook struct {
	Name  string `json:"name"`
	State string `json:"state"`
}

// Hooks is the result of hooks install, uninstall and status.
type Hooks struct {
	SchemaVersion int    `json:"schema_version"`
	Result        string `json:"result"`
	Path          string `json:"path"`
	InForce       bool   `json:"in_force"`
	Hooks         []Hook `json:"hooks"`
}

// Version is the result of version.
type Version struct {
	SchemaVersion int    `json:"schema_version"`
	Result        string `json:"result"`
	Version       string `json:"version"`
	Interface     int    `json:"interface"`
	Handle        int    `json:"handle"`
	Envelope      int    `json:"envelope"`
	Identity      int    `json:"identity"`
	Git           string `json:"git"`
	Libgit2       string `json:"libgit2"`
	SQLite        string `json:"sqlite"`
}

// JSON returns the indented JSON text of a result, with a line end. Text that is not UTF-8 is quoted as in Go source.
func JSON(result any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(legible(result)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
