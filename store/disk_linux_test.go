package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// big is a result of some thousand bytes, which do not repeat.
func big(i int) authority.Node {
	random := rand.New(rand.NewPCG(uint64(i), 0))
	var text strings.Builder
	for text.Len() < 4000 {
		fmt.Fprintf(&text, "%x ", random.Uint64())
	}
	return tree(fmt.Sprint("big ", i), leaf(text.String()))
}

// putUntilFull stores results until one is refused, which must be for want of room, and returns how many there are. They are whole, and
// nothing of the refused one is there.
func putUntilFull(path string, from int) (int, error) {
	ctx := context.Background()
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	n := from
	for ; ; n++ {
		if err := s.Put(ctx, big(n)); fault.Is(err, "STORE.FULL") {
			break
		} else if err != nil {
			return n, err
		}
	}
	r, err := s.Check(ctx, true, nil)
	if err != nil || len(r.Damaged) > 0 || r.Objects != 2*n {
		return n, fmt.Errorf("of %d results there are %+v, %w", n, r, err)
	}
	return n, nil
}

// childFill fills a disk of its own of 256 KiB with a store, makes room and goes on; then it fills it with the copy of a store.
func childFill(folder string) error {
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=256k"); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	ballast, path := filepath.Join(folder, "ballast"), filepath.Join(folder, "s")
	if err := os.WriteFile(ballast, make([]byte, 100<<10), 0o666); err != nil {
		return err
	}
	first, err := putUntilFull(path, 0)
	if err := errors.Join(err, os.Remove(ballast)); err != nil {
		return err
	}
	all, err := putUntilFull(path, first)
	if err != nil || first < 5 || all < first+5 {
		return fmt.Errorf("first %d, then %d results: %w", first, all, err)
	}
	ctx := context.Background()
	s, err := Open(ctx, path, codecs, ReadOnly)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Copy(ctx, path+".copy")
	if f := fault.As(err); f == nil || f.Code != "STORE.FULL" || f.Target != path+".copy" {
		return fmt.Errorf("a copy to a full disk: %w", err)
	}
	// A store that is made where there is no room at all, and where there is for the folder alone.
	for try := range 2 {
		if _, err := Open(ctx, filepath.Join(folder, fmt.Sprint(try), FolderName, FileName), codecs, Create); !fault.Is(err, "STORE.FULL") {
			return fmt.Errorf("a new store on a full disk: %w", err)
		}
		if err := fillUp(ballast); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "s.") {
			err = errors.Join(err, fmt.Errorf("%s is left", e.Name()))
		}
	}
	fmt.Println("full", first, all)
	return err
}

func fillUp(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	if err = errors.Join(err, file.Close()); errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}

func TestFullDiskInAllItsPlaces(t *testing.T) {
	t.Parallel()
	if err := exec.Command("unshare", "--user", "--mount", "--map-root-user", "true").Run(); err != nil {
		t.Skip("no user namespaces here, in which a small disk could be mounted: a full disk is NOT tried; ", err)
	}
	cmd := child(t, "fill", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "full ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// childLimited may not make files longer than 100 KiB, until it may.
func childLimited(path string) error {
	const limit = 100 << 10
	var limits syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limits)
	limits.Cur = limit
	if err := errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limits)); err != nil {
		return err
	}
	first, err := putUntilFull(path, 0)
	if err != nil || first < 5 {
		return fmt.Errorf("%d results: %w", first, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > limit {
		return fmt.Errorf("the store is too long: %w", err)
	}
	limits.Cur = 2 * limit
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limits); err != nil {
		return err
	}
	all, err := putUntilFull(path, first)
	if err != nil || all < first+5 {
		return fmt.Errorf("%d results, then %d: %w", first, all, err)
	}
	return nil
}

func TestLimitOfAFilesSize(t *testing.T) {
	t.Parallel()
	if err := child(t, "limited", filepath.Join(t.TempDir(), "s")).Run(); err != nil {
		t.Error(err)
	}
}
