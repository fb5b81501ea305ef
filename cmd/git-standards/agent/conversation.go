package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"sync"
	"time"
)

// patience is how long answers are still given after the end of input. A client that ended its side waits for them, or is gone.
const patience = time.Minute

// conversation knows which requests of a client have no answer yet, so that the end of input is told only when there is none: the
// library would else cancel what is being answered, and whoever pipes requests in and ends there would get nothing.
type conversation struct {
	ctx context.Context
	in  io.Reader
	out io.Writer

	reading, writing lines

	mu     sync.Mutex
	open   map[string]bool
	closed chan struct{} // once input ended: closed when nothing is open
	failed error         // why writing failed, which the library does not tell apart from input that cannot be read
}

func (c *conversation) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.reading.add(p[:n], c.asked)
	switch {
	case n > 0 && err == io.EOF:
		return n, nil // the end comes with the next call
	case err == io.EOF && len(p) > 0 && c.reading.isWhole(): // the library waits for the end of a last line, and the end is held back
		p[0] = '\n'
		c.reading.add(p[:1], c.asked)
		return 1, nil
	case err == io.EOF:
		c.finish()
	}
	return n, err
}

func (c *conversation) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.writing.add(p[:n], c.answered)
	if err != nil {
		c.mu.Lock()
		c.failed = err
		c.mu.Unlock()
	}
	return n, err
}

func (c *conversation) Close() error { return nil }

// writingFailed is why writing failed, or nil.
func (c *conversation) writingFailed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// finish waits for the answers that are still owed.
func (c *conversation) finish() {
	c.mu.Lock()
	c.closed = make(chan struct{})
	if len(c.open) == 0 {
		close(c.closed)
	}
	closed := c.closed
	c.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-closed:
	case <-c.ctx.Done():
	case <-timer.C:
	}
}

// message is what tells requests, their cancellation and answers apart.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// messages are those of a line: one, or the several of a batch. What is none of them is the library's to refuse.
func messages(line []byte) []message {
	var one message
	if json.Unmarshal(line, &one) == nil {
		return []message{one}
	}
	var several []message
	_ = json.Unmarshal(line, &several) // and then there are none
	return several
}

func (c *conversation) asked(line []byte) {
	for _, m := range messages(line) {
		switch {
		case m.Method == "notifications/cancelled":
			c.settle(m.Params.RequestID)
		case m.Method != "" && key(m.ID) != "":
			c.mu.Lock()
			c.open[key(m.ID)] = true
			c.mu.Unlock()
		}
	}
}

func (c *conversation) answered(line []byte) {
	for _, m := range messages(line) {
		if m.Method == "" {
			c.settle(m.ID)
		}
	}
}

func (c *conversation) settle(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.open[key(id)] {
		return
	}
	delete(c.open, key(id))
	if len(c.open) == 0 && c.closed != nil {
		close(c.closed)
	}
}

// key is an id however it is written: the library reads every number as an integer, and null as no id.
func key(id json.RawMessage) string {
	var value any
	_ = json.Unmarshal(id, &value) // none has no key
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatInt(int64(v), 10)
	}
	return ""
}

// lines cuts a stream into its lines.
type lines struct {
	mu   sync.Mutex
	rest []byte
}

// isWhole reports whether the line that is begun lacks nothing but its end.
func (l *lines) isWhole() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return json.Valid(l.rest)
}

func (l *lines) add(p []byte, use func(line []byte)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			if len(l.rest)+len(p) <= maxMessage { // a longer one is refused
				l.rest = append(l.rest, p...)
			}
			return
		}
		use(append(l.rest, p[:end]...))
		l.rest, p = nil, p[end+1:]
	}
}
