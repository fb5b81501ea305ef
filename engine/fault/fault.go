// Package fault is the closed set of ways in which a request can end without a result.
//
// A fault says for a person what is wrong (Message), where (Target) and what to type next (Next), and for a program
// which of the four outcomes of the interface it is and a code that never changes its meaning. Only the command maps
// outcomes to exit codes (RULES H2). A fault promises nothing about retrying.
package fault

import (
	"errors"
	"fmt"
)

// Outcome is one of the four outcomes of the public interface.
type Outcome string

// The outcomes, verbatim as in the interface.
const (
	Invalid      Outcome = "invalid"
	Unsupported  Outcome = "unsupported"
	Unavailable  Outcome = "unavailable"
	Unauthorized Outcome = "unauthorized"
)

// Error is one fault. Code is upper case, dotted, stable (MODULE.HEADING_MISSING). Target names the place: file:line,
// a path, a revision or a handle, as it came; it is escaped where it is shown. Next holds commands to type, in order.
type Error struct {
	Outcome Outcome
	Code    string
	Target  string
	Message string
	Next    []string
	Cause   error
}

// Error renders the target, the message and the cause on one line.
func (e *Error) Error() string {
	if e.Target == "" {
		return e.Reason()
	}
	return e.Target + ": " + e.Reason()
}

// Reason is the message and the cause, without the target.
func (e *Error) Reason() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Cause }

// New makes a fault whose message is formatted from format and args.
func New(outcome Outcome, code, target, format string, args ...any) *Error {
	return &Error{Outcome: outcome, Code: code, Target: target, Message: fmt.Sprintf(format, args...)}
}

// Hint returns e with the commands to type next added.
func (e *Error) Hint(next ...string) *Error {
	e.Next = append(e.Next, next...)
	return e
}

// Because returns e with the error that caused it.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// As returns the first fault in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Is reports whether err carries a fault with that code.
func Is(err error, code string) bool {
	e := As(err)
	return e != nil && e.Code == code
}
