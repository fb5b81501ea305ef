package capture

import (
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// gpg.ssh.defaultKeyCommand is the user's own program: what it prints is read as far as a key can be, and no further.
func TestWhichKeyACommandNames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, command, want, why string }{
		{"a key", "echo 'key::ssh-ed25519 AAAA ann'", "key::ssh-ed25519 AAAA ann", ""},
		{"a key before others", "printf 'ssh-ed25519 AAAA ann\\nssh-ed25519 BBBB bob\\n'", "ssh-ed25519 AAAA ann", ""},
		{"none", "echo no identities", "", `printed "no identities"`},
		{"a failure", "exit 3", "", "exit status 3"},
		{"text without end", "yes ssh-ed25519 AAAA", "", "more than may be printed"},
		{"no command", "", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			key, err := Signer{Settings: gitext.Signing{KeyCommand: row.command}, Dir: t.TempDir()}.key(t.Context())
			if took := time.Since(begun); took >= askingWithin {
				t.Errorf("it took %s", took)
			}
			if row.want != "" {
				if key != row.want || err != nil {
					t.Errorf("%q, %v", key, err)
				}
				return
			}
			f := fault.As(err)
			if f == nil || f.Code != "SIGNING.NO_KEY" || f.Outcome != fault.Invalid || len(f.Next) == 0 {
				t.Fatalf("%q, %v", key, err)
			}
			if said := err.Error(); !strings.Contains(said, row.why) {
				t.Errorf("%q does not say %q", said, row.why)
			}
		})
	}
}
