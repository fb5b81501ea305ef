package journal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/identity"
)

// traced are the system calls that a writer makes.
const traced = "openat,mkdirat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,flock"

// underStrace runs the workload of a child in a folder, with one system call going wrong as inject says, and returns what
// the child said and the names of the calls on the journal's files.
func underStrace(t *testing.T, strace, folder, inject string) (said string, calls []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	args := []string{"-f", "-qq", "-o", log, "-e", "trace=" + traced}
	for _, path := range []string{filepath.Dir(folder), folder, folder + "/s.journal", folder + "/s.new", folder + "/s.writer"} {
		args = append(args, "-P", path)
	}
	if inject != "" {
		args = append(args, "-e", "inject="+inject)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strace, append(args, self, folder, "s")...)
	// Preemption by signals interrupts system calls, which strace then counts twice.
	cmd.Env = append(os.Environ(), childTask+"=append", "GODEBUG=asyncpreemptoff=1")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err = cmd.Run()
	text, readErr := os.ReadFile(log)
	if readErr != nil {
		t.Fatalf("strace: %v\n%s", err, complaint.String())
	}
	if err != nil && !strings.Contains(inject, "SIGKILL") {
		t.Fatalf("%s: %v\n%s%s\n%s", inject, err, out.String(), complaint.String(), text)
	}
	for _, found := range regexp.MustCompile(`(?m)^\d+ +([a-z0-9]+)\(`).FindAllSubmatch(text, -1) {
		calls = append(calls, string(found[1]))
	}
	if inject != "" && !bytes.Contains(text, []byte("INJECTED")) && !bytes.Contains(text, []byte("killed by SIGKILL")) {
		t.Fatalf("%s was not injected\n%s", inject, text)
	}
	return out.String(), calls
}

// Each system call of Open and Append is killed, and fails with EIO and with ENOSPC: what was acknowledged is there, once,
// nothing is there in part, and a failed call is made good by the next try.
func TestEverySystemCallFails(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: the system calls of a real process are NOT failed; scripts/setup installs it")
	}
	steps := workload("s")
	folder := newFolder(t)
	said, calls := underStrace(t, strace, folder, "")
	if said != "done 0\ndone 1\ndone 2\n" {
		t.Fatal(said)
	}
	checkWorkload(t, osDisk{}, folder, "s", steps, len(steps), false)
	count := map[string]int{}
	for _, call := range calls {
		count[call]++
	}
	if count["write"] < 4 || count["fsync"] < 7 || count["openat"] < 6 {
		t.Fatalf("these are not all calls: %v", count)
	}
	for call, n := range count {
		for when := 1; when <= n; when++ {
			for _, how := range []string{"signal=SIGKILL", "error=EIO", "error=ENOSPC"} {
				if testing.Short() && how != "signal=SIGKILL" {
					continue
				}
				t.Run(fmt.Sprintf("%s %d %s", call, when, how), func(t *testing.T) {
					t.Parallel()
					folder := newFolder(t)
					said, _ := underStrace(t, strace, folder, fmt.Sprintf("%s:%s:when=%d", call, how, when))
					checkSaid(t, folder, said, steps, strings.Contains(how, "KILL"))
				})
			}
		}
	}
}

func checkSaid(t *testing.T, folder, said string, steps [][]identity.Record, killed bool) {
	t.Helper()
	acknowledged, failed := strings.Count(said, "done "), strings.Count(said, "failed ")
	if !killed && (acknowledged != len(steps) || failed != 1) {
		t.Errorf("%d steps were acknowledged and %d failed:\n%s", acknowledged, failed, said)
	}
	if killed && acknowledged == len(steps) {
		t.Errorf("nothing was killed:\n%s", said)
	}
	checkWorkload(t, osDisk{}, folder, "s", steps, acknowledged, killed)
}
