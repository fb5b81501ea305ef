package gitext

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// batch reads objects through one long-lived git cat-file --batch-command. Only full ids are asked, one at a time, and each
// answer is read whole before the next question, so neither pipe can fill while the other is waited for.
type batch struct {
	git, dir string
	env      []string

	mutex   sync.Mutex
	process *catFile // nil until the first question, and again after git died
}

type catFile struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bounded
}

// newBatch bounds what git allocates at a time, unless somebody did: a delta of a few bytes can claim to be an object of any size.
func newBatch(git, dir string, env []string) *batch {
	if lookup(env, "GIT_ALLOC_LIMIT") == "" {
		env = setEnv(env, "GIT_ALLOC_LIMIT", strconv.Itoa(maxObject+64))
	}
	return &batch{git: git, dir: dir, env: env}
}

// maxObject bounds what is held in memory for one object. It is the size from which on git itself makes no deltas, so that the
// bases of any file that can be judged are within it.
const maxObject = 512 << 20

func (b *batch) Read(ctx context.Context, id string) (typ string, data []byte, err error) {
	if !IsID(id) {
		return "", nil, missing(id)
	}
	typ, data, _, err = b.ask(ctx, id, true)
	return typ, data, err
}

// size is how many bytes git says that an object has.
func (b *batch) size(ctx context.Context, id string) (int64, bool) {
	if !IsID(id) {
		return 0, false
	}
	_, _, size, err := b.ask(ctx, id, false)
	return size, err == nil
}

func (b *batch) ask(ctx context.Context, id string, whole bool) (typ string, data []byte, size int64, err error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	typ, data, size, err = b.askOnce(ctx, id, whole)
	if errors.Is(err, errOther) {
		typ, data, size, err = b.askOnce(ctx, id, whole)
	}
	return typ, data, size, err
}

func (b *batch) askOnce(ctx context.Context, id string, whole bool) (typ string, data []byte, size int64, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, 0, err
	}
	if b.process == nil {
		if b.process, err = startCatFile(b.git, b.dir, b.env); err != nil {
			return "", nil, 0, err
		}
	}
	process := b.process
	// A lazy fetch may take for ever; ending the process is what interrupts it.
	stop := context.AfterFunc(ctx, func() { _ = signalGroup(process.cmd, syscall.SIGKILL) })
	// Git announces the size of a damaged object, sends less and waits for the next question. With its input closed it
	// ends instead; a git that was only slow finishes its answer first, so that no clock decides anything.
	patience := time.AfterFunc(time.Second/4, func() { _ = process.in.Close() })
	typ, data, size, err = process.ask(id, whole)
	spent := !patience.Stop()
	if !stop() {
		b.drop()
		return "", nil, 0, ctx.Err()
	}
	if errors.Is(err, errTooLarge) {
		b.drop()
		return "", nil, 0, tooLarge(id, size)
	}
	if err != nil && fault.As(err) == nil {
		// The process ended inside an answer: git dies on an object that it cannot decode.
		return "", nil, 0, b.died(id, err)
	}
	if fault.Is(err, "OBJECT.MISSING") {
		// Git calls an object missing whose header it cannot read, too, and then complains of it.
		b.drop()
		if bytes.Contains(process.stderr.data, []byte("error: ")) {
			err = corrupt(id).Because(fmt.Errorf("git said %q", clip(process.stderr.data)))
		}
		return "", nil, 0, err
	}
	if spent {
		b.drop()
	}
	if err == nil && whole {
		err = verify(id, typ, data)
	}
	return typ, data, size, err
}

func startCatFile(git, dir string, env []string) (*catFile, error) {
	p := &catFile{cmd: command(context.Background(), git, dir, env, append(overrides[:len(overrides):len(overrides)], "cat-file", "--batch-command"))}
	p.stderr.limit = 8 << 10
	p.cmd.Stderr = &p.stderr
	in, err := p.cmd.StdinPipe()
	if err == nil {
		p.in = in
		var out io.ReadCloser
		if out, err = p.cmd.StdoutPipe(); err == nil {
			p.out = bufio.NewReaderSize(out, 64<<10)
			err = p.cmd.Start()
		}
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "GIT.FAILED", "git cat-file", "git did not start").Because(err)
	}
	return p, nil
}

// errSize is an answer that is not as long as announced, as git gives for damaged objects.
var errSize = errors.New("git sent more or less than it announced")

// errTooLarge is the announcement of more than is read; what follows it is not waited for.
var errTooLarge = errors.New("git announced more than is read")

// errPromised is an object that git knows a remote to have and did not get.
var errPromised = errors.New("the remote that promises the object did not give it")

// errOther is an answer to another question: what was left of a longer one.
var errOther = errors.New("git answered another question")

// ask sends one question and reads its answer: the header alone, or the whole object.
func (p *catFile) ask(id string, whole bool) (typ string, data []byte, size int64, err error) {
	question := "info "
	if whole {
		question = "contents "
	}
	if _, err := io.WriteString(p.in, question+id+"\n"); err != nil {
		return "", nil, 0, err
	}
	header, err := p.out.ReadString('\n')
	if err != nil {
		return "", nil, 0, err
	}
	fields := strings.Fields(header)
	if len(fields) == 2 && fields[0] == id && fields[1] == "missing" {
		return "", nil, 0, missing(id)
	}
	if len(fields) != 3 || fields[0] != id {
		return "", nil, 0, errOther
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", nil, 0, errOther
	}
	if !whole {
		return fields[1], nil, size, nil
	}
	if size > maxObject {
		return "", nil, size, errTooLarge
	}
	var body bytes.Buffer
	// The buffer grows with what really comes, not with what the header of a damaged object claims.
	if _, err := io.CopyN(&body, p.out, size+1); err != nil {
		return "", nil, 0, errSize
	}
	data = body.Bytes()
	if data[size] != '\n' {
		return "", nil, 0, errSize
	}
	return fields[1], data[:size:size], size, nil
}

func (b *batch) died(id string, cause error) error {
	process := b.process
	b.drop()
	said := string(process.stderr.data)
	if said == "" && errors.Is(cause, errSize) {
		return corrupt(id).Because(cause)
	}
	if said == "" {
		return fault.New(fault.Unavailable, "GIT.FAILED", "git cat-file", "git ended while it read object %s", id).Because(cause)
	}
	cause = fmt.Errorf("git said %q", clip(process.stderr.data))
	if strings.Contains(said, "attempting to allocate") {
		return tooLarge(id, -1).Because(cause)
	}
	if strings.Contains(said, "promisor") || strings.Contains(said, "could not fetch") {
		return missing(id).Because(fmt.Errorf("%w: %w", errPromised, cause))
	}
	return corrupt(id).Because(cause)
}

// drop ends the process; the next Read starts another.
func (b *batch) drop() {
	p := b.process
	b.process = nil
	_ = p.in.Close()
	_ = signalGroup(p.cmd, syscall.SIGKILL)
	_ = p.cmd.Wait()
}

func (b *batch) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.process != nil {
		b.drop()
	}
}
