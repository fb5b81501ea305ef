package fault

import (
	"os/exec"
	"testing"

	"pgregory.net/rapid"
)

// The right value is what bash makes of the word.
func TestShellWordIsOneWordForBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("bash is needed to check what it reads:", err)
	}
	check := func(t rapid.TB, text string) {
		out, err := exec.Command(bash, "-c", "printf %s "+ShellWord(text)).Output()
		if err != nil || string(out) != text {
			t.Fatalf("%q is written %s, which bash reads as %q (%v)", text, ShellWord(text), out, err)
		}
	}
	for _, text := range []string{"", "plain/path.md", "two words", "it's", "x;id>pwned", "$(id)", "-n\nline", "\x1b[31m\u202e", "é", "\xff", `back\slash`, "\t'\\"} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringMatching("[^\\x00]{0,8}").Draw(t, "text"))
	})
}
