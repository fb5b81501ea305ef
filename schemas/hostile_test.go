package schemas

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// beforeTests is whether a schema was compiled by the package's own start, and by what needs no validator.
var beforeTests struct{ atStart, byTexts bool }

func TestMain(m *testing.M) {
	beforeTests.atStart = cache.compiler != nil
	_, known := Standalone("queryRequest")
	beforeTests.byTexts = cache.compiler != nil || !known || len(Text()) == 0 || len(AgentTools()) == 0
	os.Exit(m.Run())
}

// Start-up pays for no schema that is not used.
func TestNoSchemaIsCompiledBeforeItIsUsed(t *testing.T) {
	t.Parallel()
	if beforeTests.atStart || beforeTests.byTexts {
		t.Error(beforeTests)
	}
	if err := Validate("inspectRequest", []byte(`{"handle":"0123456"}`)); err != nil {
		t.Error(err)
	}
	cache.Lock()
	defer cache.Unlock()
	if cache.compiler == nil {
		t.Error("the check above cannot fail")
	}
}

// allocated is how many bytes f allocates, in all. It needs that nothing else runs.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// Bounded: whatever a document holds, judging it allocates a constant and a fixed multiple of its size. Not parallel:
// it measures.
func TestHostileDocumentsAreBounded(t *testing.T) {
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"` + strconv.Itoa(i) + `":0,`)
		}
		return `{` + b.String() + `"x":0}`
	}
	rationale := func(text string) string {
		return `{"schema_version":11,"answers":[{"question":"0123456","result":"no-change","rationale":` + text + `}]}`
	}
	if err := Validate("submission", []byte(rationale(`"why"`))); err != nil {
		t.Fatal(err) // and the schema is compiled from here on
	}
	const fixed = 2 << 20
	for _, row := range []struct {
		name     string
		text     func() string
		code     string
		multiple int
	}{
		{"100 MB", func() string { return string(make([]byte, 100<<20)) }, "JSON.TOO_LARGE", 0},
		{"10,000 levels", func() string { return strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) }, "JSON.DEPTH", 20},
		{"10,000 levels of objects", func() string { return strings.Repeat(`{"a":`, 10_000) + "0" + strings.Repeat("}", 10_000) }, "JSON.DEPTH", 20},
		{"more levels than are scanned", func() string { return strings.Repeat("[", 8<<20) }, "JSON.DEPTH", 4},
		{"a key twice, deep", func() string { return strings.Repeat(`{"a":`, 50) + `{"k":1,"k":2}` + strings.Repeat("}", 50) }, "JSON.DUPLICATE_KEY", 100},
		{"a long key twice", func() string {
			return `{"` + strings.Repeat("k", 4<<20) + `":1,"` + strings.Repeat("k", 4<<20) + `":1}`
		}, "JSON.DUPLICATE_KEY", 8},
		{"half a surrogate pair", func() string { return rationale(`"\ud800"`) }, "JSON.ENCODING", 100},
		{"the other half", func() string { return rationale(`"\udc00 "`) }, "JSON.ENCODING", 100},
		{"1e400", func() string { return rationale(`1e400`) }, "JSON.NUMBER", 100},
		{"1e1000000", func() string { return rationale(`1e1000000`) }, "JSON.NUMBER", 100},
		{"a million digits", func() string { return rationale(strings.Repeat("9", 1_000_000)) }, "JSON.NUMBER", 12},
		{"minus zero", func() string { return rationale(`-0`) }, "JSON.NUMBER", 100},
		{"NUL in a string", func() string { return rationale(`"a\u0000b"`) }, "JSON.SHAPE", 200},
		{"raw NUL in a string", func() string { return rationale("\"a\x00b\"") }, "JSON.SYNTAX", 100},
		{"raw NUL", func() string { return "\x00" }, "JSON.SYNTAX", 100},
		{"byte order mark", func() string { return "\ufeff" + rationale(`"why"`) }, "JSON.SYNTAX", 100},
		{"data behind", func() string { return rationale(`"why"`) + `{}` }, "JSON.SYNTAX", 100},
		{"invalid UTF-8", func() string { return rationale("\"\xc3\x28\"") }, "JSON.ENCODING", 100},
		{"a surrogate in UTF-8", func() string { return rationale("\"\xed\xa0\x80\"") }, "JSON.ENCODING", 100},
		{"a reference as data", func() string { return `{"$ref":"file:///etc/hostname"}` }, "JSON.SHAPE", 500},
		{"a reference as an answer", func() string { return `{"schema_version":11,"answers":[{"$ref":"file:///etc/hostname"}]}` }, "JSON.SHAPE", 500},
		{"a million keys", func() string { return keys(1_000_000) }, "JSON.TOO_MANY", 60},
		{"as many keys as are read", func() string { return keys(131_000) }, "JSON.SHAPE", 150},
		{"a million items", func() string { return `{"schema_version":11,"answers":[` + strings.Repeat("0,", 1_000_000) + `0]}` }, "JSON.TOO_MANY", 60},
		{"as many items as are read", func() string { return `{"schema_version":11,"answers":[` + strings.Repeat("0,", 262_000) + `0]}` }, "JSON.SHAPE", 1000},
		{"many backslashes", func() string { return rationale(`"` + strings.Repeat(`\\`, 4<<20) + `"`) }, "JSON.SHAPE", 12},
	} {
		text := []byte(row.text())
		var err error
		start := time.Now()
		used := allocated(func() { err = Validate("submission", text) })
		f := fault.As(err)
		if f == nil || f.Code != row.code || f.Outcome != fault.Invalid || strings.ContainsAny(f.Error(), "\n\r\x00") || len(f.Error()) > 1000 {
			t.Errorf("%s: %.300v", row.name, err)
		}
		if most := fixed + row.multiple*len(text); used > most {
			t.Errorf("%s: %d bytes allocated for %d, more than %d", row.name, used, len(text), most)
		}
		t.Logf("%s: %d bytes, %d allocated, %v", row.name, len(text), used, time.Since(start))
	}
}
