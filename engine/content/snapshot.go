package content

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// FileCodec owns content-file: the bytes of a file. Its identity is their SHA-256 alone, so that a record which holds
// only a digest can name the object behind it.
var FileCodec = authority.Codec{
	Kind:            "content-file",
	Domain:          "coding-standards:content-file:v1",
	PayloadContract: "content-file.v1",
	Examine:         examineFile,
}

// SnapshotCodec owns content-snapshot: a finite map from path to bytes (ContentSnapshotV2 of seed 004).
var SnapshotCodec = authority.Codec{
	Kind:            "content-snapshot",
	Domain:          "coding-standards:content-snapshot:v2",
	PayloadContract: "content-snapshot.v2",
	Examine:         examineSnapshot,
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec { return []authority.Codec{FileCodec, SnapshotCodec} }

// MaxFile is the largest file that fits an envelope as Base64.
const MaxFile = (authority.MaxEnvelope - 1024) / 4 * 3

// FileReference names the content-file whose bytes have that digest ("sha256:…").
func FileReference(digest string) (authority.Reference, error) {
	if !identity.IsBytesDigest(digest) {
		return authority.Reference{}, fmt.Errorf("%q is not a digest of bytes", digest)
	}
	id, err := FileCodec.ID(identity.Record{"sha256": digest})
	return authority.Reference{Kind: FileCodec.Kind, ID: id}, err
}

// FileNode is the node of data, which was read from name. A file too large for its envelope is refused by name.
func FileNode(name string, data []byte) (authority.Node, error) {
	if len(data) > MaxFile {
		return authority.Node{}, tooLarge(name, int64(len(data)))
	}
	ref, err := FileReference(identity.Bytes(data))
	if err != nil {
		return authority.Node{}, err
	}
	return FileCodec.Lazy(ref.ID, func() (any, error) {
		return identity.Record{
			"base64": base64.StdEncoding.EncodeToString(data),
			"length": int64(len(data)),
			"sha256": identity.Bytes(data),
		}, nil
	}), nil
}

func tooLarge(name string, size int64) error {
	return fault.New(fault.Unsupported, "CONTENT.TOO_LARGE", name, "the file has %d bytes; at most %d can be judged", size, MaxFile)
}

// FileBytes returns the bytes in the payload of a content-file that was proven by its codec.
func FileBytes(payload any) ([]byte, error) {
	fields, _ := payload.(identity.Record)
	text, _ := fields["base64"].(string)
	// The decoder skips line ends, which would give one id a second envelope.
	if strings.ContainsAny(text, "\r\n") {
		return nil, fmt.Errorf("line end in base64")
	}
	return base64.StdEncoding.Strict().DecodeString(text)
}

func examineFile(payload any) (any, []authority.Reference, error) {
	fields, ok := payload.(identity.Record)
	if !ok || len(fields) != 3 {
		return nil, nil, fmt.Errorf("not an object of three fields")
	}
	data, err := FileBytes(payload)
	if err != nil {
		return nil, nil, err
	}
	digest := identity.Bytes(data)
	if length, ok := fields["length"].(int64); !ok || length != int64(len(data)) || fields["sha256"] != digest {
		return nil, nil, fmt.Errorf("length or digest is not that of the bytes")
	}
	return identity.Record{"sha256": digest}, nil, nil
}

// NewSnapshot makes the node of the snapshot of files, a nonempty map from path to bytes. A path outside CheckPath or a file beyond
// MaxFile is refused by name.
func NewSnapshot(files map[string][]byte) (authority.Node, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		if err := CheckPath(name); err != nil {
			return authority.Node{}, fault.New(fault.Unsupported, "CONTENT.PATH", name, "the path cannot be in a snapshot").Because(err)
		}
		names = append(names, name)
	}
	slices.SortFunc(names, ComparePaths)
	list := make(identity.List, 0, len(names))
	parts := make([]authority.Node, 0, len(names))
	for _, name := range names {
		node, err := FileNode(name, files[name])
		if err != nil {
			return authority.Node{}, err
		}
		parts = append(parts, node)
		list = append(list, identity.List{name, identity.Bytes(files[name]), int64(len(files[name]))})
	}
	payload := identity.Record{"files": list}
	return SnapshotCodec.Node(payload, parts...)
}

func examineSnapshot(payload any) (any, []authority.Reference, error) {
	fields, ok := payload.(identity.Record)
	files, isList := fields["files"].(identity.List)
	if !ok || !isList || len(fields) != 1 || len(files) == 0 {
		return nil, nil, fmt.Errorf("not an object with a nonempty list of files")
	}
	dependencies := make([]authority.Reference, 0, len(files))
	last := ""
	for i, item := range files {
		name, digest, err := snapshotRow(item)
		if err != nil {
			return nil, nil, fmt.Errorf("file %d: %w", i, err)
		}
		if err := CheckPath(name); err != nil {
			return nil, nil, err
		}
		if i > 0 && ComparePaths(last, name) >= 0 {
			return nil, nil, fmt.Errorf("%q is repeated or out of order", name)
		}
		last = name
		ref, err := FileReference(digest)
		if err != nil {
			return nil, nil, err
		}
		dependencies = append(dependencies, ref)
	}
	return payload, dependencies, nil
}

// snapshotRow reads (path, SHA-256, length). Rows are lists, as their names would be a tenth of a large snapshot.
func snapshotRow(item any) (name, digest string, err error) {
	row, _ := item.(identity.List)
	if len(row) == 3 {
		name, isName := row[0].(string)
		digest, isDigest := row[1].(string)
		if length, isLength := row[2].(int64); isName && isDigest && isLength && length >= 0 {
			return name, digest, nil
		}
	}
	return "", "", fmt.Errorf("not a path, a digest and a length")
}

// SnapshotEntries lists the payload of a content-snapshot that was proven by its codec: each file, its digest as the object, by path.
func SnapshotEntries(payload any) []Entry {
	fields, _ := payload.(identity.Record)
	files, _ := fields["files"].(identity.List)
	entries := make([]Entry, 0, len(files))
	for _, item := range files {
		if name, digest, err := snapshotRow(item); err == nil {
			entries = append(entries, Entry{Name: name, Object: digest})
		}
	}
	return entries
}
