package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/store/faultcalls"
)

// Whatever happens to a page, no object is served that is not as it was stored, and a deep check passes only where all are (DESIGN 8).
func TestDamageAtEveryPage(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	nodes := some(12)
	mustPut(t, s, nodes...)
	s.Close()
	whole := fileBytes(t, s.path)
	const page = 1024
	random := rand.New(rand.NewPCG(1, 2))
	all := append(nodes, leaf("shared"))
	for at := 0; at < len(whole); at += page {
		for name, harm := range harms(whole, at, page, random) {
			checkHarmed(t, fmt.Sprintf("%s at %d", name, at), harmed{file: harm, nodes: all, isWhole: bytes.Equal(harm, whole)})
		}
	}
}

// harms are what can happen to a file at one of its pages.
func harms(whole []byte, at, page int, random *rand.Rand) map[string][]byte {
	end := min(at+page, len(whole))
	bit, zeros, swapped := slices.Clone(whole), slices.Clone(whole), slices.Clone(whole)
	bit[at+random.IntN(end-at)] ^= 1 << random.IntN(8)
	clear(zeros[at:end])
	if other := random.IntN(len(whole)/page) * page; end-at == page {
		copy(swapped[at:], whole[other:other+page])
		copy(swapped[other:], whole[at:end])
	}
	return map[string][]byte{
		"bit": bit, "zeros": zeros, "swap": swapped, "truncated": whole[:at], "amid": whole[:at+random.IntN(end-at)],
		"junk": append(slices.Clone(whole), bytes.Repeat([]byte{0xa5}, at+1)...),
	}
}

// cut plays rounds until the n-th unlink of a journal, and returns the store with all of that transaction written to it, and the journal that
// takes it back. The first unlink ends the creation, and each other a result.
func cut(t *testing.T, unlinks int) (file, journal []byte) {
	t.Helper()
	out, err := child(t, "counted", inMemory(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range strings.Fields(string(out)) {
		if name != "unlink" {
			continue
		}
		if unlinks--; unlinks > 0 {
			continue
		}
		path := filepath.Join(inMemory(t), "s")
		_ = child(t, "killed", path, strconv.Itoa(i+1), strconv.Itoa(int(faultcalls.Kill))).Run() // it is killed
		return fileBytes(t, path), fileBytes(t, path+"-journal")
	}
	t.Fatal("there are fewer transactions")
	return nil, nil
}

// A journal that was damaged, is gone, or belongs to another state or another store gives a fault, or objects as they were stored.
func TestDamagedJournals(t *testing.T) {
	t.Parallel()
	file, journal := cut(t, 4) // in the third result
	_, stale := cut(t, 3)
	var nodes []authority.Node
	for i := range resultsOfASweep {
		result := sweepTree("sweep", i)
		nodes = append(nodes, append(slices.Clone(result.Parts), result)...)
	}
	checkHarmed(t, "nothing", harmed{file: file, journal: journal, nodes: nodes, isWhole: true, lacks: 3})
	if len(journal) < 2000 || bytes.Equal(journal, stale) {
		t.Fatalf("%d bytes of journal", len(journal))
	}

	other := newStore(t)
	mustPut(t, other, some(12)...)
	other.Close()
	interrupt(t, other.path, "INSERT INTO authority_objects VALUES('z:sha256:00', zeroblob(3000000))")
	foreign := filepath.Join(t.TempDir(), "other.db")
	sqlite(t, foreign, "PRAGMA application_id=7; CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(30000))")
	interrupt(t, foreign, "INSERT INTO t VALUES(zeroblob(3000000)); DELETE FROM t")
	for name, beside := range map[string][]byte{
		"no journal": nil, "an empty one": {}, "one of the transaction before": stale,
		"another store's": fileBytes(t, other.path+"-journal"), "another database's": fileBytes(t, foreign+"-journal"),
		"text": []byte(strings.Repeat("this is no journal\n", 200)),
	} {
		checkHarmed(t, name, harmed{file: file, journal: beside, nodes: nodes, lacks: len(nodes)})
	}
	random := rand.New(rand.NewPCG(3, 4))
	const sector = 512
	for at := 0; at < len(journal); at += sector {
		for name, harm := range harms(journal, at, sector, random) {
			checkHarmed(t, fmt.Sprintf("journal: %s at %d", name, at), harmed{file: file, journal: harm, nodes: nodes, lacks: len(nodes)})
		}
	}
}

// A copy of the file that is taken by other means while a process writes, with its journal or without, is a store or gives a fault; no object
// in it is another.
func TestCopiesTakenWhileWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s") // on a disk, where a writer spends its time within transactions
	writer := child(t, "put-until-killed", path, "writer")
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		writer.Process.Kill()
		writer.Wait()
	}()
	var nodes []authority.Node
	for i := range 20 {
		nodes = append(nodes, sweepTree("writer", i))
	}
	for i := 0; i < 20; {
		h := harmed{nodes: nodes, lacks: len(nodes)}
		if exists(path) {
			h.file = fileBytes(t, path)
		}
		if i%2 == 1 {
			h.journal, _ = exec.Command("cat", "--", path+"-journal").Output() // it may be gone by now
		}
		if len(h.file) > 0 {
			checkHarmed(t, fmt.Sprint("copy ", i), h)
			i++
		}
	}
}

// harmed is a store with a journal beside it, and what was stored: of which some may be lacking without damage.
type harmed struct {
	file, journal []byte
	nodes         []authority.Node
	isWhole       bool
	lacks         int
}

// checkHarmed opens a harmed store in each way and reads everything: what is there is as it was stored, everything else a fault, and a deep
// check passes only where nothing else is lacking than may be.
func checkHarmed(t *testing.T, name string, h harmed) {
	t.Helper()
	folder := inMemory(t)
	defer os.RemoveAll(folder)
	if len(h.file) == 0 {
		h.lacks = len(h.nodes) // an empty file is no store yet
	}
	for mode, name := range map[Mode]string{ReadOnly: name + ", to read", Create: name} {
		path := filepath.Join(folder, fmt.Sprint(mode))
		err := os.WriteFile(path, h.file, 0o666)
		if h.journal != nil {
			err = errors.Join(err, os.WriteFile(path+"-journal", h.journal, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), path, codecs, mode)
		if err != nil {
			if f := fault.As(err); f == nil || f.Code == "STORE.SETTING" || h.isWhole {
				t.Errorf("%s: %v is no fault of a store", name, err)
			}
			continue
		}
		checkContents(t, name, s, h)
		s.Close()
	}
}

func checkContents(t *testing.T, name string, s *Store, h harmed) {
	t.Helper()
	damaged, lacking := 0, 0
	for _, node := range h.nodes {
		text, err := s.Get(t.Context(), node.ID)
		if err == nil {
			_, err = codecs.Open(node.ID, text)
		}
		switch {
		case err == nil:
		case fault.Is(err, "HANDLE.UNKNOWN"):
			lacking++
		case fault.As(err) == nil:
			t.Errorf("%s: %s: %v is no fault", name, node.ID, err)
		default:
			damaged++
		}
	}
	report, err := s.Check(t.Context(), true, nil)
	switch {
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case len(report.Damaged) == 0 && (damaged > 0 || lacking > h.lacks):
		t.Errorf("%s: the check passes with %d objects, and %d cannot be read and %d are not there", name, report.Objects, damaged, lacking)
	case h.isWhole && len(report.Damaged) > 0:
		t.Errorf("%s: %v", name, report.Damaged)
	}
}
