package gitext

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"

	"github.com/pjbgf/sha1cd"

	"github.com/git-standards/git-standards/engine/fault"
)

// Objects reads objects by full id. Read returns the type (blob, tree, commit or tag) and the bytes of the object whose
// hash is id, computed here over both; no replace ref or graft is followed. Faults: OBJECT.MISSING, OBJECT.CORRUPT and
// GIT.FAILED, all unavailable, and OBJECT.TOO_LARGE, unsupported. It may be used by several goroutines; the bytes belong to the caller.
type Objects interface {
	Read(ctx context.Context, id string) (typ string, data []byte, err error)
}

// Objects returns the reader of this repository's objects, the same one each time; Close ends it. Packed objects are
// read by libgit2 where it knows the object format and by git cat-file --batch-command where it does not, or has them not.
func (r *Repo) Objects(ctx context.Context) (Objects, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.objects == nil {
		r.objects = r.newReader(r.objectDirs(), r.dir, r.env)
	}
	return r.objects, ctx.Err()
}

// idLength returns the number of hex digits of an id of an object format.
func idLength(format string) int {
	if format == "sha256" {
		return 2 * sha256.Size
	}
	return 2 * sha1cd.Size
}

// IsID reports whether s is a full object id: 40 or 64 lower-case hex digits.
func IsID(s string) bool {
	if len(s) != 2*sha1cd.Size && len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

// IsZero reports whether id is the id of no object: 40 or 64 zeros.
func IsZero(id string) bool {
	for i := range len(id) {
		if id[i] != '0' {
			return false
		}
	}
	return IsID(id)
}

// hashObject returns the id of an object in the format whose ids have that many digits. An object made to collide with
// another under SHA-1 has no id.
func hashObject(digits int, typ string, data []byte) (string, error) {
	h := objectHash(digits, typ, int64(len(data)))
	h.Write(data)
	return h.ID()
}

// Hash finds the id of an object whose bytes are written to it, all of them and in order.
type Hash struct{ hash.Hash }

// BlobHash is the Hash of a blob with that many bytes, in this repository's object format.
func (r *Repo) BlobHash(size int64) Hash { return objectHash(idLength(r.ObjectFormat), "blob", size) }

func objectHash(digits int, typ string, size int64) Hash {
	h := newHash(digits)
	h.Write(append(strconv.AppendInt(append([]byte(typ), ' '), size, 10), 0))
	return h
}

func newHash(digits int) Hash {
	if digits == 2*sha256.Size {
		return Hash{sha256.New()}
	}
	return Hash{sha1cd.New()}
}

// ID is the id of what was written.
func (h Hash) ID() (string, error) {
	if resistant, ok := h.Hash.(sha1cd.CollisionResistantHash); ok {
		sum, collides := resistant.CollisionResistantSum(nil)
		if collides {
			return "", errors.New("the bytes were made to collide under SHA-1")
		}
		return hex.EncodeToString(sum), nil
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// verify proves that an object is the one asked for.
func verify(id, typ string, data []byte) error {
	have, err := hashObject(len(id), typ, data)
	if err != nil {
		return corrupt(id).Because(err)
	}
	if have != id {
		return fault.New(fault.Unavailable, "OBJECT.CORRUPT", id, "the object is damaged: a %s of %d bytes with hash %s", typ, len(data), have).
			Hint("git fsck --full")
	}
	return nil
}

func corrupt(id string) *fault.Error {
	return fault.New(fault.Unavailable, "OBJECT.CORRUPT", id, "the object is damaged").Hint("git fsck --full")
}

func missing(id string) *fault.Error {
	return fault.New(fault.Unavailable, "OBJECT.MISSING", id, "the object is not in this repository").
		Hint("git fetch", "git fsck --full")
}

// tooLarge refuses an object by the size that it claims; -1 is one that git would not say.
func tooLarge(id string, size int64) *fault.Error {
	f := fault.New(fault.Unsupported, "OBJECT.TOO_LARGE", id, "the object has %d bytes; at most %d are read", size, maxObject)
	if size < 0 {
		f.Message = fmt.Sprintf("the object, or one that it is stored as a difference from, has more than %d bytes", maxObject)
	}
	return f
}

// readAs reads an object that must have a type.
func readAs(ctx context.Context, o Objects, id, typ string) ([]byte, error) {
	have, data, err := o.Read(ctx, id)
	if err == nil && have != typ {
		err = fault.New(fault.Unavailable, "OBJECT.CORRUPT", id, "the object is a %s where a %s is named", have, typ).Hint("git fsck --full")
	}
	return data, err
}

// ReadBlob returns the bytes of a blob. An object of another type is OBJECT.CORRUPT.
func ReadBlob(ctx context.Context, o Objects, id string) ([]byte, error) {
	return readAs(ctx, o, id, "blob")
}

// BlobSize returns how many bytes an object claims to have, without reading it; ok is false where that cannot be told. The
// claim is not proven: it is good enough to refuse by, and for nothing else.
func BlobSize(ctx context.Context, o Objects, id string) (size int64, ok bool) {
	sized, can := o.(interface {
		size(ctx context.Context, id string) (int64, bool)
	})
	if !can {
		return 0, false
	}
	return sized.size(ctx, id)
}
