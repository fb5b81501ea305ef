package authorityfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

const (
	annKey  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDfhZqc+1JPQdaXwurK19qpGEIDwLwGG5qewSRPwQaY7"
	boKey   = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBCXGTDfGhnTg8teGu9XPoH8TOPF2HzlvTvtIIEMnZmsZhmmXgxw1tvleYhKCPrvpSTg8coC7wcI9pcQbSqR67AY="
	rsa1024 = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC6l0iCrsDjpUx2ZmbDo597XhATeD1Heh80kQmWM4i840oA4j4pmE6oD9GWk/dq7cVqdqKVbKUZog1WoPrYXb61Fzpa0KWhdnDL0VyCnd0IWqF3fducDnbYoejcr9IVbkJN6g5ymsXmTQAAvZ4kzQvDKHD+m8jHIWbE6hK9PveiNw=="
	rsa2048 = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC9jAH3UstlWTFdyMbGt69mkTZECqpXF4+pHjQuD/rogJ59cyJFPfk1Q7Uv2mPHrclMHv99g2eQCwKAXRdP8nn1ITAsSoVHGMdO/VgLzXW1Kth3U/JptSXNWHbtq/VG/klaM6RCAFTIWmKrsMUhYZykbkbAlYWu8oYFhP1g/XvbIQWSSM3/QN3tIfURe9y2ETF+/Cd9F8P8EoEmqV9LIutBJ31sVMxHD3mOVfcDrBBGQPKSpvF9r9Zunj+kV+MdfiziQShl9NotOj5GSqLdlNwrttbBECw6ngR34faAxvCs4B8+hssAs4OPJBLgUmz5innVgxWtY1n2flkzMfPPreHH"
	dsaKey  = "ssh-dss AAAAB3NzaC1kc3MAAACBAKgfUL/HE7nKfjZ9amdXeR4q9SOA+quecrX9H31w5DEdfQ7/vs1aCv5tfJkbf4HVw40UrEiv1As64ykECk/4JPDY7iJ03yFYlZO3oAQy13wJizkhI8m4vMBbMp2Hjh5YLpvID00SEhFiU7YQilEUPHgDnKd3H5ARezi9dE4cFFAtAAAAFQDqO12B5zMEZ19BvhXucxQER7NR0QAAAIEAmDLyfgQKLbvoPpEHo/U1fzS69++4/t8dRaSkUDSGlpTqCtECBuzmEn80KpdiEDSrS1yyu5v0L9QrQzwcmbX1uvz7TKtJIVbIPU77SfU1ucZyGGfSzf3FV0g79xuRFvU80NQzyJS9jE7IWxtbVpBrzBQvGZummV5lrJBsXiH9MGQAAACBAKVSgaSdbDB4joHvU2eqS35nDPIZXAfIRlqJAzMKEOiKg9Y9q6mF977k++v10n8Bw8PR/poL+BW0Kc4ItFH9Krp4bZuX9grnuM6/vtVi2A9IPjxN2u0VlIFdJFEpQDW9U4osJLNFG2+1kKUYnb1+CKYrNBw98lkfc6zHlmkSkrN2"
)

const authorityHead = "version: 1\nissuer: {id: team, revision: 1}\nsignatures: optional\n"

func TestAuthorityFindings(t *testing.T) {
	t.Parallel()
	one := func(rest string) string { return authorityHead + "principals:\n  - {id: ann, " + rest + "}\n" }
	two := func(first, second string) string {
		return authorityHead + "principals:\n  - {id: ann, capabilities: [], " + first + "}\n  - {id: bo, capabilities: [], " + second + "}\n"
	}
	revoked := func(row string) string {
		return two("keys: ['"+annKey+"']", "keys: ['"+boKey+"']") + "revocations:\n  authority: {id: security, revision: 1}\n  revoked:\n    - {id: r, " + row + ", reason: why}\n"
	}
	tests := []struct{ name, text, want, message string }{
		{"smallest", one("capabilities: []"), "", ""},
		{"list", "- a\n", "1 YAML.TYPE", "the authority must be a mapping"},
		{"keys missing", "signatures: optional\n", "1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING", ""},
		{"misspelt", authorityHead + "principal: []\nprincipals: [{id: ann, capabilities: []}]\n", "4 YAML.KEY_UNKNOWN", `did you mean "principals"?`},
		{"version", strings.Replace(one("capabilities: []"), "1", "2", 1), "1 AUTHORITY.VERSION", "2"},
		{"issuer open (F3)", strings.Replace(one("capabilities: []"), "team", "open", 1), "2 AUTHORITY.ISSUER", "anybody"},
		{"issuer revision", strings.Replace(one("capabilities: []"), "revision: 1", "revision: 0", 1), "2 AUTHORITY.ISSUER", "0"},
		{"issuer revision beyond", strings.Replace(one("capabilities: []"), "revision: 1", "revision: 9007199254740992", 1), "2 AUTHORITY.ISSUER", ""},
		{"issuer id", strings.Replace(one("capabilities: []"), "team", "'a b'", 1), "2 MODULE.ID", ""},
		{"signatures", strings.Replace(one("capabilities: []"), "optional", "optinal", 1), "3 AUTHORITY.SIGNATURES", `did you mean "optional"?`},
		{"nobody", authorityHead + "principals: []\n", "4 AUTHORITY.PRINCIPAL", "nobody"},
		{"principal id", authorityHead + "principals: [{id: ann lee, capabilities: []}]\n", "4 AUTHORITY.PRINCIPAL", "ann lee"},
		{"one id twice", authorityHead + "principals:\n  - {id: ann, capabilities: []}\n  - {id: ann, capabilities: []}\n", "6 AUTHORITY.PRINCIPAL_REPEATED", "line 5"},
		{"mail", one("capabilities: [], emails: [ann]"), "5 AUTHORITY.EMAIL", "ann"},
		{"one mail twice, by case", one("capabilities: [], emails: [ann@example.com, ANN@example.com]"), "5 AUTHORITY.EMAIL", "line 5"},
		{"one mail for two, by case", two("emails: [a@example.com]", "emails: [A@Example.com]"), "6 AUTHORITY.EMAIL_SHARED", `principal "ann" on line 5`},
		{"one key for two", two("keys: ['"+annKey+" laptop']", "keys: ['"+annKey+" desk']"), "6 AUTHORITY.KEY_SHARED", `principal "ann" on line 5`},
		{"one key twice", two("keys: ['"+annKey+" laptop', '"+annKey+" desk']", "keys: []"), "5 AUTHORITY.KEY", "line 5"},
		{"no key", one("capabilities: [], keys: [ann]"), "5 AUTHORITY.KEY", ""},
		{"DSA", one("capabilities: [], keys: ['" + dsaKey + "']"), "5 AUTHORITY.KEY", ""},
		{"short RSA", one("capabilities: [], keys: ['" + rsa1024 + "']"), "5 AUTHORITY.KEY", "1024 bits"},
		{"RSA of 2048 bits", one("capabilities: [], keys: ['" + rsa2048 + "']"), "", ""},
		{"a key of another type than it says", one("capabilities: [], keys: ['ssh-rsa " + strings.Fields(annKey)[1] + "']"), "5 AUTHORITY.KEY", "ssh-ed25519"},
		{"unknown capability", one("capabilities: [standards.review.consumers]"), "5 AUTHORITY.GRANT", `did you mean "standards.review.consumer"?`},
		{"capability twice", one("capabilities: [standards.waive, standards.waive]"), "5 AUTHORITY.GRANT", "twice"},
		{"coverage", one("capabilities: []") + "coverage: {attesters: 0, independent: x}\n", "6 YAML.TYPE, 6 AUTHORITY.COVERAGE", ""},
		{"more attesters than may attest", one("capabilities: [standards.review.audit]") + "coverage: {attesters: 2}\n", "6 AUTHORITY.COVERAGE", "1 principals may attest"},
		{"revoked", revoked("principal: ann"), "", ""},
		{"revoked key", revoked("principal: ann, key: 'SHA256:rGLyZ4zkE3QDbzrx7Ae3mPEix3a5Hhgbhwl5NXLacC4'"), "", ""},
		{"revoked twice", revoked("principal: ann") + "    - {id: r, principal: bo, reason: x}\n", "11 AUTHORITY.REVOCATION", "line 10"},
		{"revoked both", revoked("principal: ann, key: 'SHA256:rGLyZ4zkE3QDbzrx7Ae3mPEix3a5Hhgbhwl5NXLacC4', capabilities: [standards.waive]"), "10 AUTHORITY.REVOCATION", "not both"},
		{"revoked nothing", revoked("principal: ann, capabilities: []"), "10 AUTHORITY.REVOCATION", "empty"},
		{"revoked by file", revoked("principal: ann, key: id.pub"), "10 AUTHORITY.REVOCATION", "fingerprint"},
		{"revoked who is none", revoked("principal: an"), "10 AUTHORITY.PRINCIPAL_UNKNOWN", `did you mean "ann"?`},
	}
	for _, row := range tests {
		t.Run(row.name, func(t *testing.T) {
			_, findings := Parse("f", []byte(row.text))
			if got := readingtest.Codes(findings); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			readingtest.Check(t, findings)
			if len(findings) > 0 && !strings.Contains(findings[len(findings)-1].Message, row.message) {
				t.Errorf("%q does not say %q", findings[len(findings)-1].Message, row.message)
			}
		})
	}
	// A principal that may review, where answers must be signed, and has no key: said, and nothing more (RULES F3).
	_, findings := Parse("f", []byte("version: 1\nissuer: {id: team, revision: 1}\nprincipals: [{id: ann, capabilities: [standards.waive]}]\n"))
	if len(findings) != 1 || findings[0].Code != "AUTHORITY.NO_KEY" || findings[0].Severity != reading.SeverityWarning {
		t.Error(findings)
	}
}

func TestAuthorityAsRead(t *testing.T) {
	t.Parallel()
	a, findings := Parse("f", []byte(authorityHead+"principals:\n  - {id: ann, emails: [Ann@Example.com], keys: ['"+annKey+"'], capabilities: [standards.waive]}\n"))
	want := &Authority{
		Issuer: Issuer{"team", 1}, Signatures: "optional", Attesters: 1, Independent: true,
		Principals: []Principal{{Line: 5, ID: "ann", Emails: []string{"ann@example.com"}, Keys: []string{annKey}, Capabilities: []string{"standards.waive"}}},
		Lines:      map[string]int{"version": 1, "issuer": 2, "issuer.id": 2, "issuer.revision": 2, "signatures": 3, "principals": 4},
	}
	if diff := cmp.Diff(want, a); diff != "" || len(findings) > 0 {
		t.Error(diff, findings)
	}
}

// ssh-keygen is the independent source of what a key is and of its fingerprint.
func TestFingerprintsAreThoseOfSSHKeygen(t *testing.T) {
	t.Parallel()
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Fatal("ssh-keygen is needed: it says what a fingerprint is (scripts/setup installs openssh-client)")
	}
	for _, line := range []string{annKey, boKey, rsa2048} {
		file := filepath.Join(t.TempDir(), "key.pub")
		if err := os.WriteFile(file, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command(keygen, "-lf", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fingerprint(line); err != nil || got != strings.Fields(string(said))[1] {
			t.Errorf("%q %v, ssh-keygen says %s", got, err, said)
		}
	}
}

// A key has one encoding: whatever is done to its bytes, it is no key, or another one.
func FuzzParse(f *testing.F) {
	f.Add([]byte(authorityHead + "principals:\n  - {id: ann, emails: [a@example.com], keys: ['" + annKey + "', '" + boKey + "', '" + rsa2048 + "'], capabilities: [standards.waive]}\n"))
	f.Add([]byte(authorityHead + "principals: [{id: ann, capabilities: []}]\ncoverage: {attesters: 1}\nrevocations: {authority: {id: b, revision: 1}, revoked: [{id: r, principal: ann, reason: x}]}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, findings := Parse("f", text)
		if a == nil && len(findings) == 0 {
			t.Fatal("neither an authority nor a finding")
		}
		for _, finding := range findings {
			if finding.Line < 1 || finding.Code == "" || finding.Next == "" {
				t.Fatalf("%+v", finding)
			}
		}
	})
}
