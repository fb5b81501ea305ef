package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

const (
	// signingWithin bounds signing: somebody types a passphrase or touches a key.
	signingWithin = 2 * time.Minute
	// askingWithin bounds a command that says which key to use.
	askingWithin = 10 * time.Second
	// maxKey bounds the file of a public key, in bytes.
	maxKey = 64 << 10
)

// Signer signs with the key that Git would sign commits with.
type Signer struct {
	Settings gitext.Signing
	Dir      string    // where paths of the settings start
	Said     io.Writer // what the program says while it waits for somebody; nil drops it
}

// PublicKey is the key that user.signingkey names, as a line of a .pub file: "" where it is not set or names no SSH key that is here.
// It runs nothing.
func (s Signer) PublicKey() string {
	if key, ok := literalKey(s.Settings.Key); ok {
		return key
	}
	if s.Settings.Key == "" || s.Settings.Format != "" && s.Settings.Format != "ssh" {
		return ""
	}
	for _, name := range []string{s.path(s.Settings.Key), s.path(s.Settings.Key) + ".pub"} {
		if key, ok := literalKey(firstLine(name)); ok {
			return key
		}
	}
	return ""
}

func firstLine(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKey))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// literalKey is the key in a setting that is one, as Git tells: after key::, or by its type.
func literalKey(text string) (string, bool) {
	if key, ok := strings.CutPrefix(text, "key::"); ok {
		return key, true
	}
	for _, kind := range []string{"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"} {
		if strings.HasPrefix(text, kind) && strings.Contains(text, " ") {
			return text, true
		}
	}
	return "", false
}

func (s Signer) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Dir, name)
}

// Sign signs a message for a namespace through ssh-keygen, or the program that Git uses in its place, and returns the armored
// signature. Keys of an agent and of hardware sign as they do for Git. Of Git's variables the program inherits none.
//
// Faults: SIGNING.FORMAT (unsupported) where Git signs with something else than SSH, SIGNING.NO_KEY (invalid) where there is no key,
// SIGNING.PROGRAM and SIGNING.FAILED (unavailable).
func (s Signer) Sign(ctx context.Context, namespace string, message []byte) (signature string, err error) {
	if format := s.Settings.Format; format != "" && format != "ssh" {
		return "", fault.New(fault.Unsupported, "SIGNING.FORMAT", "gpg.format", "git signs with %q here; answers are signed with SSH keys", format).
			Hint("git config gpg.format ssh", "git config user.signingkey ~/.ssh/id_ed25519.pub")
	}
	program := s.Settings.Program
	if program == "" {
		program = "ssh-keygen"
	}
	found, err := exec.LookPath(program)
	if err != nil {
		return "", fault.New(fault.Unavailable, "SIGNING.PROGRAM", program, "what signs cannot be found; ssh-keygen comes with OpenSSH").Because(err).Hint("command -v ssh-keygen")
	}
	key, err := s.key(ctx)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "git-standards-sign-")
	if err != nil {
		return "", fault.New(fault.Unavailable, "TEMP.UNWRITABLE", os.TempDir(), "no private directory can be made").Because(err)
	}
	defer os.RemoveAll(folder)
	buffer := filepath.Join(folder, "decision")
	args := []string{"-Y", "sign", "-n", namespace, "-f"}
	write := func(name string, data []byte) error { return os.WriteFile(name, data, 0o600) }
	if literal, ok := literalKey(key); ok {
		name := filepath.Join(folder, "key.pub")
		if err := write(name, []byte(literal+"\n")); err != nil {
			return "", fault.New(fault.Unavailable, "TEMP.UNWRITABLE", name, "the key cannot be written").Because(err)
		}
		args = append(args, name, "-U") // only an agent has the other half
	} else {
		args = append(args, s.path(key))
	}
	if err := write(buffer, message); err != nil {
		return "", fault.New(fault.Unavailable, "TEMP.UNWRITABLE", buffer, "the message cannot be written").Because(err)
	}
	if err := s.run(ctx, found, append(args, buffer)...); err != nil {
		return "", err
	}
	text, err := os.ReadFile(buffer + ".sig")
	if err != nil {
		return "", fault.New(fault.Unavailable, "SIGNING.FAILED", program, "the program ended well and left no signature").
			Hint("git config --show-origin gpg.ssh.program")
	}
	return string(text), nil
}

// key is the setting of the key to sign with: user.signingkey, else what gpg.ssh.defaultKeyCommand prints first, as Git does it.
func (s Signer) key(ctx context.Context) (string, error) {
	if s.Settings.Key != "" {
		return s.Settings.Key, nil
	}
	none := fault.New(fault.Invalid, "SIGNING.NO_KEY", "user.signingkey", "the answer must be signed, and git knows no key to sign with").
		Hint("ssh-keygen -t ed25519", "git config gpg.format ssh", "git config user.signingkey ~/.ssh/id_ed25519.pub")
	if s.Settings.KeyCommand == "" {
		return "", none
	}
	ctx, cancel := context.WithTimeout(ctx, askingWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", s.Settings.KeyCommand)
	said := &limited{most: maxKey, over: make(chan struct{})}
	cmd.Env, cmd.Dir, cmd.WaitDelay, cmd.Stdout = withoutGit(os.Environ()), s.Dir, time.Second, said
	err := cmd.Run()
	if said.isOver() {
		err = errTooMuch
	}
	if err != nil {
		return "", none.Because(fmt.Errorf("gpg.ssh.defaultKeyCommand: %w", err))
	}
	line, _, _ := strings.Cut(string(said.data), "\n")
	if _, ok := literalKey(strings.TrimSpace(line)); !ok {
		return "", none.Because(fmt.Errorf("gpg.ssh.defaultKeyCommand printed %.60q, and no key", line))
	}
	return strings.TrimSpace(line), nil
}

// run runs the program in the group of this process, so that it may ask for a passphrase on the terminal.
func (s Signer) run(ctx context.Context, program string, args ...string) error {
	limited, cancel := context.WithTimeout(ctx, signingWithin)
	defer cancel()
	cmd := exec.CommandContext(limited, program, args...)
	complaint := &tail{}
	cmd.Env, cmd.Dir, cmd.WaitDelay = append(withoutGit(os.Environ()), "LC_ALL=C"), s.Dir, time.Second
	cmd.Stderr = io.MultiWriter(complaint, &prompts{to: s.Said})
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("it did not end within %s", signingWithin)
	}
	if said := strings.TrimSpace(complaint.String()); said != "" {
		err = errors.New(strings.Join(strings.Fields(said), " "))
	}
	return fault.New(fault.Unavailable, "SIGNING.FAILED", filepath.Base(program), "the answer could not be signed").Because(err).
		Hint("git config user.signingkey", "ssh-add -L")
}

// withoutGit is an environment without the variables by which Git ties a process to a repository.
func withoutGit(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		return strings.HasPrefix(pair, "GIT_") || strings.HasPrefix(pair, "LC_ALL=")
	})
}

// prompts passes on what somebody must read while a program waits for them, and not what it says of its files.
type prompts struct {
	to   io.Writer
	line []byte
}

func (p *prompts) Write(data []byte) (int, error) {
	if p.to == nil {
		return len(data), nil
	}
	p.line = append(p.line, data...)
	for {
		end := bytes.IndexByte(p.line, '\n')
		if end < 0 {
			return len(data), nil
		}
		line := p.line[:end+1]
		if !bytes.HasPrefix(line, []byte("Signing file ")) && !bytes.HasPrefix(line, []byte("Write signature to ")) {
			if _, err := p.to.Write(line); err != nil {
				return 0, err
			}
		}
		p.line = p.line[end+1:]
	}
}
