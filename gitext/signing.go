package gitext

import (
	"context"
	"strings"
)

// Signing is what Git's settings say of signing with SSH. Each is "" where it is not set.
type Signing struct {
	Format     string // gpg.format
	Key        string // user.signingkey, with a leading ~ written out
	Program    string // gpg.ssh.program, likewise
	KeyCommand string // gpg.ssh.defaultKeyCommand
}

// Signing reads the settings by which Git would sign a commit with SSH.
func (r *Repo) Signing(ctx context.Context) (Signing, error) {
	out, err := r.plainAny(ctx, "config", "-z", "--type=path", "--get-regexp", `^(user\.signingkey|gpg\.format|gpg\.ssh\.(program|defaultkeycommand))$`)
	if err != nil {
		return Signing{}, err
	}
	if out.code > 1 {
		return Signing{}, out.failed()
	}
	values := map[string]string{} // the last of each key counts
	for record := range records(out.stdout) {
		key, value, _ := strings.Cut(record, "\n")
		values[key] = value
	}
	return Signing{values["gpg.format"], values["user.signingkey"], values["gpg.ssh.program"], values["gpg.ssh.defaultkeycommand"]}, nil
}
