package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// In each shell, its own completion for git finds ours after `make install`, and offers commands, options and files.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "of us")
	install := exec.Command("make", "-s", "install-files", "PREFIX="+prefix, "BIN="+binary)
	install.Dir = root
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("make install-files: %v\n%s", err, out)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a file.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	lines := []struct {
		typed, offered string
	}{
		{"git standards prep", "prepare"},
		{"git standards version --form", "--format"},
		{"git standards hooks inst", "install"},
		{"git standards mv a", "a file.md"},
	}
	for shell, script := range map[string]string{"bash": bashCompletes, "zsh": zshCompletes, "fish": `complete -C "$LINE"`} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed: its completion is not tested", shell)
			}
			for _, line := range lines {
				c := exec.Command(program, "-c", script)
				if shell == "zsh" {
					c = exec.Command(program, "-f", "-c", script)
				}
				c.Dir = dir
				home := t.TempDir()
				c.Env = []string{"HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_DIRS=" + prefix + "/share:/usr/share",
					"PATH=" + prefix + "/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM=1", "TERM=dumb", "LC_ALL=C.UTF-8",
					"LINE=" + line.typed, "OFFERED=" + line.offered, "PREFIX=" + prefix}
				out, err := c.CombinedOutput()
				if text := strings.ReplaceAll(string(out), `\ `, " "); err != nil || !strings.Contains(text, line.offered) {
					t.Errorf("%s<TAB> must offer %s: %v\n%s", line.typed, line.offered, err, out)
				}
			}
		})
	}
}

// What bash-completion does at TAB: git's completion is loaded, which finds ours by the name of the subcommand.
const bashCompletes = `
. /usr/share/bash-completion/bash_completion 2>/dev/null || _completion_loader() { . "$PREFIX/share/bash-completion/completions/$1"; }
. /usr/share/bash-completion/completions/git
COMP_LINE=$LINE COMP_POINT=${#LINE}
read -ra COMP_WORDS <<<"$LINE"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__git_wrap__git_main
printf '%s\n' "${COMPREPLY[@]}"
`

// A terminal of its own, in which the line is typed and TAB pressed.
const zshCompletes = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; stty -echo; fpath=(\$PREFIX/share/zsh/site-functions \$fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-prompt ''; print -r REA''DY"
zpty -r shell seen '*READY*' 2>/dev/null
zpty -w -n shell "$LINE"$'\t'
seen=
for i in {1..40}; do
  while zpty -r -t shell part; do seen+=$part; done
  [[ ${seen//\\ / } == *$OFFERED* ]] && break
  sleep 0.1
done
print -r -- $seen
zpty -d shell
exit 0
`

// What is installed under a prefix is found by git and man, and removed whole.
func TestInstallAndUninstall(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "prefix")
	run := func(name string, args ...string) string {
		c := exec.Command(name, args...)
		c.Dir = root
		c.Env = []string{"HOME=" + prefix, "PATH=" + prefix + "/bin:/usr/bin:/bin", "MANPATH=" + prefix + "/share/man", "GIT_CONFIG_NOSYSTEM=1",
			"LC_ALL=C.UTF-8", "MANPAGER=cat", "PAGER=cat", "TERM=dumb"}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	// PREFIX and DESTDIR are joined.
	run("make", "-s", "install-files", "DESTDIR="+filepath.Dir(prefix), "PREFIX=/prefix", "BIN="+binary)
	if out := run("git", "standards", "version"); !strings.Contains(out, "libgit2 1.5") {
		t.Error(out)
	}
	t.Run("help", func(t *testing.T) {
		if _, err := exec.LookPath("man"); err != nil {
			t.Skip("man is not installed: that `git standards --help` opens the man page is not tested")
		}
		if out := run("git", "standards", "--help"); !strings.Contains(out, "make written standards bind") {
			t.Error(out)
		}
	})
	run("make", "-s", "uninstall", "DESTDIR="+filepath.Dir(prefix), "PREFIX=/prefix")
	err := filepath.WalkDir(prefix, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
