package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/fault"
)

func TestError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  *fault.Error
		want string
	}{
		{fault.New(fault.Invalid, "A.B", "", "the %s is %q", "key", "x\n"), `the key is "x\n"`},
		{fault.New(fault.Invalid, "A.B", "standards/api.md:7", "no heading"), "standards/api.md:7: no heading"},
		{fault.New(fault.Unavailable, "A.B", "HEAD", "not readable").Because(fs.ErrPermission), "HEAD: not readable: permission denied"},
		{fault.New(fault.Invalid, "A.B", "", "no"), "no"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestChain(t *testing.T) {
	t.Parallel()
	inner := fault.New(fault.Unavailable, "STORE.BUSY", "store", "busy").Because(fs.ErrPermission).Hint("one", "two").Hint("three")
	err := fmt.Errorf("preparing: %w", inner)
	if fault.As(err) != inner || !fault.Is(err, "STORE.BUSY") || fault.Is(err, "STORE") || !errors.Is(err, fs.ErrPermission) {
		t.Error("the fault is lost in its chain")
	}
	if diff := cmp.Diff([]string{"one", "two", "three"}, inner.Next); diff != "" {
		t.Error(diff)
	}
	if fault.As(nil) != nil || fault.As(fs.ErrExist) != nil || fault.Is(nil, "STORE.BUSY") {
		t.Error("a fault out of nothing")
	}
	// The outermost fault is the one that a person sees.
	outer := fault.New(fault.Invalid, "OUTER", "", "outer").Because(inner)
	if fault.As(outer) != outer || fault.Is(outer, "STORE.BUSY") {
		t.Error("the inner fault hides the outer one")
	}
}
