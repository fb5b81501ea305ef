package trust

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/fault"
)

var canonical = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]*$`)

// unescape is written from the text of Escape: what it undoes is injective.
func unescape(id string) string {
	body, escaped := strings.CutPrefix(id, "text:")
	if !escaped {
		return id
	}
	return regexp.MustCompile(`-[0-9a-f]{2}`).ReplaceAllStringFunc(body, func(hex string) string {
		digits := strings.Index("0123456789abcdef", hex[1:2])*16 + strings.Index("0123456789abcdef", hex[2:3])
		return string([]byte{byte(digits)})
	})
}

func TestEscapeIsInjective(t *testing.T) {
	t.Parallel()
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`(text:)?[a-zA-Z0-9._:/@+ -]{0,12}`), rapid.StringMatching(`text:(-[0-9a-f]{2}|[a-z])*`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		id := Escape(text)
		if !canonical.MatchString(id) {
			t.Fatalf("%q is no canonical id", id)
		}
		if back := unescape(id); back != text {
			t.Fatalf("%q becomes %q, and that %q", text, id, back)
		}
		if same := canonical.MatchString(text) && !strings.HasPrefix(text, "text:"); (id == text) != same {
			t.Fatalf("%q becomes %q", text, id)
		}
	})
	for text, want := range map[string]string{"ann": "ann", "ann@example.com": "text:ann-40example.com", "": "text:", "-x": "text:-2dx", "text:a": "text:text:a", "é": "text:-c3-a9"} {
		if got := Escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// keys are made by ssh-keygen, which is also who signs: it is the independent source of what a signature is.
type keys struct {
	t      *testing.T
	folder string
}

func newKeys(t *testing.T) keys {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Fatal("ssh-keygen is needed: it makes the signatures (scripts/setup installs openssh-client)")
	}
	return keys{t, t.TempDir()}
}

func (k keys) run(args ...string) string {
	k.t.Helper()
	out, err := exec.Command("ssh-keygen", args...).CombinedOutput()
	if err != nil {
		k.t.Fatalf("ssh-keygen %q: %v %s", args, err, out)
	}
	return string(out)
}

func (k keys) add(name string, options ...string) string {
	k.t.Helper()
	k.run(append([]string{"-q", "-N", "", "-C", name, "-f", filepath.Join(k.folder, name)}, options...)...)
	text, err := os.ReadFile(filepath.Join(k.folder, name+".pub"))
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func (k keys) sign(name, namespace, message string, options ...string) string {
	k.t.Helper()
	file := filepath.Join(k.t.TempDir(), "message")
	if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
		k.t.Fatal(err)
	}
	k.run(append(append([]string{"-Y", "sign", "-n", namespace, "-f", filepath.Join(k.folder, name)}, options...), file)...)
	text, err := os.ReadFile(file + ".sig")
	if err != nil {
		k.t.Fatal(err)
	}
	return string(text)
}

func (k keys) print(name string) string {
	return strings.Fields(k.run("-lf", filepath.Join(k.folder, name+".pub")))[1]
}

func TestVerify(t *testing.T) {
	t.Parallel()
	k := newKeys(t)
	annKey, oldKey, boKey := k.add("ann", "-t", "ed25519"), k.add("old", "-t", "ecdsa"), k.add("bo", "-t", "rsa", "-b", "2048")
	longKey, longest := k.add("long", "-t", "ecdsa", "-b", "384"), k.add("longest", "-t", "ecdsa", "-b", "521")
	k.add("none", "-t", "ed25519")
	policy, err := New(Authority{
		Issuer: Source{"team", 1}, Revoker: &Source{"security", 1},
		Principals: []Principal{
			{ID: "ann", Emails: []string{"ann@example.com"}, Keys: []string{annKey, oldKey}, Capabilities: []string{capabilities.ReviewConsumer, capabilities.Waive}},
			{ID: "bo", Keys: []string{boKey, longKey, longest}, Capabilities: []string{capabilities.Analyze, capabilities.ReviewConsumer}},
			{ID: "cy", Capabilities: []string{capabilities.Analyze, capabilities.ReviewConsumer}},
			{ID: "dora", Keys: nil, Capabilities: []string{capabilities.ReviewConsumer}},
		},
		Revocations: []Revocation{
			{ID: "old-laptop", Principal: "ann", Key: k.print("old")},
			{ID: "gone-key", Principal: "bo", Key: k.print("none")},
			{ID: "no-waivers", Principal: "ann", Capabilities: []string{capabilities.Waive}},
			{ID: "dora-left", Principal: "dora"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	signed := k.sign("ann", Namespace, "yes")
	for _, row := range []struct {
		name, principal, message, signature string
		code                                string
		outcome                             fault.Outcome
	}{
		{"ed25519", "ann", "yes", signed, "", ""},
		{"RSA, SHA-512", "bo", "yes", k.sign("bo", Namespace, "yes"), "", ""},
		{"RSA, SHA-256 of the message", "bo", "yes", k.sign("bo", Namespace, "yes", "-O", "hashalg=sha256"), "", ""},
		{"ECDSA 384", "bo", "yes", k.sign("long", Namespace, "yes"), "", ""},
		{"ECDSA 521", "bo", "yes", k.sign("longest", Namespace, "yes"), "", ""},
		{"no message", "ann", "", k.sign("ann", Namespace, ""), "", ""},
		{"none", "ann", "yes", "", "SIGNATURE.MISSING", fault.Unauthorized},
		{"another message", "ann", "no", signed, "SIGNATURE.BYTES", fault.Invalid},
		{"another namespace", "ann", "yes", k.sign("ann", "git", "yes"), "SIGNATURE.NAMESPACE", fault.Unauthorized},
		{"another's key", "bo", "yes", signed, "SIGNATURE.KEY", fault.Unauthorized},
		{"nobody's key", "ann", "yes", k.sign("none", Namespace, "yes"), "SIGNATURE.KEY", fault.Unauthorized},
		{"a revoked key", "ann", "yes", k.sign("old", Namespace, "yes"), "SIGNATURE.REVOKED", fault.Unauthorized},
		{"a revoked key that is listed no more", "bo", "yes", k.sign("none", Namespace, "yes"), "SIGNATURE.REVOKED", fault.Unauthorized},
		{"one who is not listed", "mallory", "yes", signed, "AUTHORITY.NOT_LISTED", fault.Unauthorized},
		{"one without a key", "cy", "yes", signed, "SIGNATURE.KEY", fault.Unauthorized},
		{"text", "ann", "yes", "yes", "SIGNATURE.MALFORMED", fault.Invalid},
		{"text before it", "ann", "yes", "x\n" + signed, "SIGNATURE.MALFORMED", fault.Invalid},
		{"text behind it", "ann", "yes", signed + "x\n", "SIGNATURE.MALFORMED", fault.Invalid},
		{"a header", "ann", "yes", strings.Replace(signed, "\n", "\nA: b\n\n", 1), "SIGNATURE.MALFORMED", fault.Invalid},
		{"two", "ann", "yes", signed + signed, "SIGNATURE.MALFORMED", fault.Invalid},
		{"a newer version", "ann", "yes", strings.Replace(signed, "U1NIU0lHAAAAAQ", "U1NIU0lHAAAAAg", 1), "SIGNATURE.FORMAT", fault.Unsupported},
	} {
		key, err := policy.Verify(row.principal, []byte(row.message), row.signature)
		code, outcome := "", fault.Outcome("")
		if f := fault.As(err); f != nil {
			code, outcome = f.Code, f.Outcome
		}
		if code != row.code || outcome != row.outcome || (key != "") != (row.code == "") {
			t.Errorf("%s: %q %v", row.name, key, err)
		}
	}
	if key, err := policy.Verify("ann", []byte("yes"), signed); key != k.print("ann") || err != nil {
		t.Errorf("%q %v", key, err)
	}
	if key, err := Open().Verify("ann", []byte("yes"), signed); key != "" || err != nil {
		t.Errorf("where the issuer is open, %q %v", key, err)
	}
	for _, row := range []struct {
		principal, capability, code string
		able                        bool
	}{
		{"ann", capabilities.ReviewConsumer, "", true},
		{"ann", capabilities.ReviewImpact, "AUTHORITY.CAPABILITY", false},
		{"ann", capabilities.Waive, "AUTHORITY.REVOKED", false},
		{"bo", capabilities.Analyze, "", true},
		{"cy", capabilities.Analyze, "", true},
		{"cy", capabilities.ReviewConsumer, "", false}, // no key to sign with
		{"dora", capabilities.ReviewConsumer, "AUTHORITY.REVOKED", false},
		{"mallory", capabilities.Analyze, "AUTHORITY.NOT_LISTED", false},
	} {
		err := policy.May(row.principal, row.capability)
		if row.code == "" && err != nil || row.code != "" && (!fault.Is(err, row.code) || fault.As(err).Outcome != fault.Unauthorized) || policy.Able(row.principal, row.capability) != row.able {
			t.Errorf("%s %s: %v", row.principal, row.capability, err)
		}
	}
	for _, row := range []struct {
		as, mail, key, want string
		listed              bool
	}{
		{"bo", "ann@example.com", annKey, "bo", true},
		{"mallory", "ann@example.com", annKey, "mallory", false},
		{"", "ANN@example.com", boKey, "ann", true},
		{"", "other@example.com", boKey + " comment", "bo", true},
		{"", "Other@example.com", "", "other@example.com", false},
		{"", "", "no key", "", false},
	} {
		var mails []string
		if row.mail != "" {
			mails = []string{row.mail}
		}
		if got, listed := policy.Identify(row.as, mails, row.key); got != row.want || listed != row.listed {
			t.Errorf("%+v: %q %v", row, got, listed)
		}
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	k := newKeys(t)
	good := k.add("good", "-t", "ed25519")
	for name, line := range map[string]string{
		"short RSA": k.add("short", "-t", "rsa", "-b", "1024"), "nothing": "", "two": good + "\n" + good, "options": "restrict " + good, "a word": "ssh-ed25519",
	} {
		if key, err := ParseKey(line); err == nil {
			t.Errorf("%s: %s", name, key.Fingerprint)
		}
	}
	if key, err := ParseKey(good); err != nil || key.Fingerprint != k.print("good") {
		t.Errorf("%s %v", key.Fingerprint, err)
	}
}

func FuzzVerify(f *testing.F) {
	policy, err := New(Authority{Issuer: Source{"team", 1}, Principals: []Principal{{ID: "ann", Keys: []string{fuzzKey}, Capabilities: []string{capabilities.Waive}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(fuzzSignature)
	f.Add(armorBegin + "U1NIU0lH\n" + armorEnd)
	f.Fuzz(func(t *testing.T, text string) {
		key, err := policy.Verify("ann", []byte("yes"), text)
		if (key == "") == (err == nil) || err != nil && fault.As(err) == nil {
			t.Fatalf("%q %v", key, err)
		}
	})
}

// What ssh-keygen of OpenSSH 9.2 signed "yes" with.
const (
	fuzzKey       = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDfhZqc+1JPQdaXwurK19qpGEIDwLwGG5qewSRPwQaY7"
	fuzzSignature = "-----BEGIN SSH SIGNATURE-----\n" +
		"U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgN+Fmpz7Uk9B1pfC6srX2qkYQgP\n" +
		"AvAYbmp7BJE/BBpjsAAAAWZ2l0LXN0YW5kYXJkcy1kZWNpc2lvbgAAAAAAAAAGc2hhNTEy\n" +
		"AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEA2+zRwtgwFB7wX59MrlFSBSeaVqz5eVTjgHZNAtI\n" +
		"J6RF22ln9DRDuOpx5YtuMt90zsNCEtmslXRUGmKPanGikC\n" +
		"-----END SSH SIGNATURE-----\n"
)
