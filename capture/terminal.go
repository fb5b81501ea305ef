package capture

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Terminal is the terminal from which a person controls this process, for keys and lines one by one. Lines are edited as the terminal
// itself does it; a key needs no line end. What is not read stays for whoever reads next.
//
// Ctrl-C is a signal as always: reading ends with the context. Close gives the terminal back as it was.
type Terminal struct {
	file     *os.File
	original unix.Termios
	bytes    chan read
	wanted   chan struct{}
	asked    bool
}

type read struct {
	b   byte
	err error
}

// OpenTerminal opens the controlling terminal, where there is one and standard input is one as well: a person who sees the questions.
func OpenTerminal() (*Terminal, error) {
	if _, err := unix.IoctlGetTermios(int(os.Stdin.Fd()), unix.TCGETS); err != nil {
		return nil, err
	}
	file, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	original, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	t := &Terminal{file: file, original: *original, bytes: make(chan read), wanted: make(chan struct{})}
	go func() {
		buffer := make([]byte, 1)
		for range t.wanted {
			n, err := file.Read(buffer)
			if n == 0 && err == nil {
				err = io.EOF
			}
			t.bytes <- read{buffer[0], err}
		}
	}()
	return t, nil
}

// Write prints to the terminal.
func (t *Terminal) Write(p []byte) (int, error) { return t.file.Write(p) }

// Close sets the terminal back. A read that still waits ends with the process.
func (t *Terminal) Close() error {
	return t.set(t.original)
}

func (t *Terminal) set(mode unix.Termios) error {
	return unix.IoctlSetTermios(int(t.file.Fd()), unix.TCSETS, &mode)
}

// next is the next byte. One that was asked for when the context ended is not lost to a later call.
func (t *Terminal) next(ctx context.Context) (byte, error) {
	if !t.asked {
		t.wanted <- struct{}{}
		t.asked = true
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case r := <-t.bytes:
		t.asked = false
		return r.b, r.err
	}
}

// isEnd reports Ctrl-D, which a terminal gives as a byte where keys are read. One that was typed while lines were read, ahead of a key,
// it keeps as NUL.
func (t *Terminal) isEnd(b byte) bool { return b == 0 || b == t.original.Cc[unix.VEOF] }

// Key reads one key without its echo. End of input is io.EOF, and so is Ctrl-D.
func (t *Terminal) Key(ctx context.Context) (rune, error) {
	mode := t.original
	mode.Lflag &^= unix.ICANON | unix.ECHO
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	if err := t.set(mode); err != nil {
		return 0, err
	}
	defer t.set(t.original)
	var key []byte
	for len(key) < utf8.UTFMax {
		b, err := t.next(ctx)
		if err != nil {
			return 0, err
		}
		if key = append(key, b); utf8.FullRune(key) {
			break
		}
	}
	if t.isEnd(key[0]) {
		return 0, io.EOF
	}
	r, _ := utf8.DecodeRune(key)
	return r, nil
}

// maxLine bounds a typed line, as terminals do.
const maxLine = 4096

// Line reads one line, which the terminal echoes and edits.
func (t *Terminal) Line(ctx context.Context) (string, error) {
	var line strings.Builder
	for line.Len() < maxLine {
		b, err := t.next(ctx)
		if err != nil {
			return "", err
		}
		if t.isEnd(b) {
			return "", io.EOF
		}
		if b == '\n' || b == '\r' {
			break
		}
		line.WriteByte(b)
	}
	return line.String(), nil
}
