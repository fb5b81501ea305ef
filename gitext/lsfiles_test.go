package gitext

import (
	"fmt"
	"strings"
	"testing"
)

// What is read of ls-files -s -z is what was printed, record by record.
func FuzzLsFiles(f *testing.F) {
	a, long := strings.Repeat("a", 40), strings.Repeat("b", 64)
	f.Add("100644 " + a + " 0\tdocs/a.md\x00100755 " + long + " 0\tb c\nd\x00")
	f.Add("100644 " + a + " 1\tx\x00100644 " + a + " 3\tx\x00160000 " + a + " 0\tsub\x00040000 " + a + " 0\tfolder/\x00")
	f.Add("100644 " + a + " 0 x")
	f.Fuzz(func(t *testing.T, out string) {
		entries, unmerged, err := parseStaged([]byte(out))
		if err != nil {
			return
		}
		var again []string
		for _, e := range entries {
			again = append(again, fmt.Sprintf("%06o %s 0\t%s", e.Mode, e.ID, e.Name))
		}
		n := 0
		for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
			if _, name, _ := strings.Cut(record, "\t"); n < len(again) && record == again[n] {
				n++
			} else if record != "" && (len(unmerged) == 0 || name != unmerged[0]) {
				t.Fatalf("%q reads as %v and %q", out, entries, unmerged)
			} else if record != "" {
				unmerged = unmerged[1:]
			}
		}
		if n != len(again) || len(unmerged) > 0 {
			t.Errorf("%q reads as %v and %q", out, entries, unmerged)
		}
	})
}

// Of raw output every change has two sides as git printed them, an absent one with mode 0, and nothing is dropped.
func FuzzRawDiff(f *testing.F) {
	a, zero := strings.Repeat("a", 40), strings.Repeat("0", 40)
	f.Add(":100644 100755 " + a + " " + zero + " M\x00docs/a.md\x00:000000 100644 " + zero + " " + a + " A\x00b\x00")
	f.Add(":100644 000000 " + a + " " + zero + " D\x00a\nb\x00:000000 000000 " + zero + " " + zero + " U\x00c\x00")
	f.Add(":100644 100644 " + a + " " + a + " M\x00")
	f.Fuzz(func(t *testing.T, out string) {
		changes, unmerged, err := parseRaw("diff-index", []byte(out))
		if err != nil {
			return
		}
		if n := strings.Count(strings.TrimSuffix(out, "\x00"), "\x00"); out != "" && out != "\x00" && n+1 != 2*(len(changes)+len(unmerged)) {
			t.Errorf("%q reads as %d changes and %d unmerged paths", out, len(changes), len(unmerged))
		}
		for _, c := range changes {
			for _, side := range []*Entry{c.Old, c.New} {
				if side != nil && (side.Mode == 0 || side.ID != "" && !strings.Contains(out, fmt.Sprintf("%06o", side.Mode)+" ") || side.Name != c.Name) {
					t.Errorf("%q reads as %+v", out, c)
				}
			}
		}
	})
}
