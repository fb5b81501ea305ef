package gitext

import (
	"io"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Push is one line that git gives a pre-push hook: a ref and the id it would move to. LocalID is zeros for a deletion,
// RemoteID for a ref that is new there; LocalRef is what was typed, such as HEAD, HEAD~3 or "(delete)".
type Push struct {
	LocalRef, LocalID, RemoteRef, RemoteID string
}

// maxPushInput bounds what a hook reads: more than ten thousand refs fit.
const maxPushInput = 16 << 20

// ReadPrePush reads the standard input of a pre-push hook. Anything but whole lines of "<local ref> SP <local id> SP
// <remote ref> SP <remote id>" is HOOK.INPUT, invalid.
func ReadPrePush(r io.Reader) (pushes []Push, err error) {
	err = readHookLines(r, "pre-push", "git push --dry-run", func(line string) bool {
		push, ok := parsePush(line)
		pushes = append(pushes, push)
		return ok
	})
	if err != nil {
		return nil, err
	}
	return pushes, nil
}

// readHookLines gives each line of what git writes to a hook to take, which reports whether it is one.
func readHookLines(r io.Reader, hook, hint string, take func(line string) bool) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.Invalid, "HOOK.INPUT", hook, format, args...).Hint(hint)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxPushInput+1))
	if err != nil {
		return fault.New(fault.Unavailable, "HOOK.INPUT", hook, "the standard input cannot be read").Because(err)
	}
	if len(data) > maxPushInput {
		return refuse("more than %d bytes of input", maxPushInput)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if text, whole := strings.CutSuffix(line, "\n"); !whole || !take(text) {
			return refuse("line %d is not what git writes: %q", number, clip([]byte(text)))
		}
	}
	return nil
}

// parsePush takes the fields from the right: what was typed for the local ref may hold spaces, as in HEAD@{2 days ago}.
func parsePush(line string) (Push, bool) {
	rest, remoteID, ok3 := cutLast(line)
	rest, remoteRef, ok2 := cutLast(rest)
	localRef, localID, ok1 := cutLast(rest)
	push := Push{LocalRef: localRef, LocalID: localID, RemoteRef: remoteRef, RemoteID: remoteID}
	return push, ok1 && ok2 && ok3 && localRef != "" && remoteRef != "" && IsID(localID) && len(localID) == len(remoteID) && IsID(remoteID)
}

func cutLast(s string) (before, after string, ok bool) {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return "", "", false
	}
	return s[:at], s[at+1:], true
}
