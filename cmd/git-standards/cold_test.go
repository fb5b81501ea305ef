package main_test

import (
	"bytes"
	"encoding/hex"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-standards/git-standards/schemas"
)

// list prints every row of a store with python3's own sqlite3, so that what is in the file is not taken from our reader.
const list = `import sqlite3, sys
db = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro&immutable=1", uri=True)
for handle, envelope in db.execute("select handle, envelope from authority_objects order by handle"):
    print(handle, envelope.hex())
`

// cold STORE inspects every handle in a store, as text and as JSON, and then, for each, a copy of the file with one bit of its envelope turned.
func cold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cold STORE")
	}
	path := ts.MkAbs(args[0])
	out, err := exec.Command("python3", "-c", list, path).Output()
	ts.Check(err)
	kinds := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		handle, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		envelope, err := hex.DecodeString(text)
		ts.Check(err)
		kind, _, _ := strings.Cut(handle, ":")
		kinds[kind] = true

		raw, err := inspect(ts, path, "--raw", handle)
		if err != nil || !bytes.Equal(raw, envelope) {
			ts.Fatalf("inspect --raw %s: %v, %d bytes of %d", handle, err, len(raw), len(envelope))
		}
		if shown, err := inspect(ts, path, handle); err != nil || !bytes.Contains(shown, []byte(handle)) {
			ts.Fatalf("inspect %s: %v\n%s", handle, err, shown)
		}
		shown, err := inspect(ts, path, "--format", "json", handle)
		ts.Check(err)
		ts.Check(schemas.Validate("inspection", shown))
		drawn, err := inspect(ts, path, "--closure", "--format", "json", handle)
		ts.Check(err)
		ts.Check(schemas.Validate("closure", drawn))
		ts.Check(exec.Command("python3", "-c", flip, path, path+".flipped", handle).Run())
		if shown, err := inspect(ts, path+".flipped", "--raw", handle); err == nil {
			ts.Fatalf("a flipped bit in %s is not found:\n%s", handle, shown)
		}
	}
	for _, kind := range []string{"analysis-root", "question", "canonical-standards-corpus", "standards-module", "structure", "content-snapshot", "content-file",
		"execution-closure", "operation-authority-contract", "analysis-context", "compiled-policy-impact", "standards-graph", "coverage-horizon", "authorization-grant"} {
		if !kinds[kind] {
			ts.Fatalf("the store holds no %s", kind)
		}
	}
}

func inspect(ts *testscript.TestScript, store string, args ...string) ([]byte, error) {
	command := exec.Command(binary, append([]string{"inspect", "--store", store}, args...)...)
	command.Dir = ts.Getenv("WORK")
	command.Env = []string{"PATH=/nowhere", "HOME=/nowhere"}
	return command.Output()
}

// flip turns one bit of a stored envelope, in a copy of the file. The triggers that refuse it are put back after.
const flip = `import shutil, sqlite3, sys
store, copy, handle = sys.argv[1:]
shutil.copyfile(store, copy)
db = sqlite3.connect(copy)
triggers = db.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
for name, _ in triggers:
    db.execute("drop trigger " + name)
envelope = bytearray(db.execute("select envelope from authority_objects where handle = ?", [handle]).fetchone()[0])
envelope[len(envelope) // 2] ^= 1
db.execute("update authority_objects set envelope = ? where handle = ?", [bytes(envelope), handle])
for _, sql in triggers:
    db.execute(sql)
db.commit()
`
