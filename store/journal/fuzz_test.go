package journal

import (
	"bytes"
	"testing"

	"github.com/git-standards/git-standards/engine/identity"
)

// What is read of any bytes is exactly what writing the same records gives; and where the rest is a tail, cutting it off
// leaves a journal that can be written on.
func FuzzScan(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		records, o := readAll("publish", data)
		line, hash := headerLine("publish")
		if o.Code == "JOURNAL.FOREIGN" || o.Code == "JOURNAL.NEWER" {
			if len(records) > 0 || bytes.HasPrefix(data, line) {
				t.Fatalf("%+v", o)
			}
			return
		}
		whole := line
		for head := (Head{Hash: hash}); len(records) > 0; {
			// How many came together stands in the first line of them.
			at, _, _ := bytes.Cut(data[len(whole):], []byte{'\n'})
			l, err := parseLine(at)
			if err != nil {
				t.Fatal(err)
			}
			var payloads []identity.Record
			for _, r := range records[:l.batch.last-l.batch.first+1] {
				payloads = append(payloads, r.Payload)
			}
			text, after, err := encodeBatch("", head, payloads)
			if err != nil {
				t.Fatal(err)
			}
			whole, head, records = append(whole, text...), after, records[len(payloads):]
		}
		if !bytes.HasPrefix(data, whole) {
			t.Fatalf("other records would be written as\n%q", whole)
		}
		switch {
		case o.Code != "":
			if o.Offset < int64(len(whole)) || o.Sequence < 1 {
				t.Fatalf("%+v, behind %d bytes of records", o, len(whole))
			}
		case o.Bytes != int64(len(whole)) || o.Tail != int64(len(data)-len(whole)):
			t.Fatalf("%+v of %d bytes", o, len(data))
		default:
			text, after, err := encodeBatch("", Head{Sequence: o.Sequence, Hash: o.Hash}, []identity.Record{{}})
			if err != nil {
				t.Fatal(err)
			}
			if _, again := readAll("publish", append(whole[:len(whole):len(whole)], text...)); again.Hash != after.Hash || again.Tail != 0 {
				t.Fatalf("written on, it reads as %+v", again)
			}
		}
	})
}
