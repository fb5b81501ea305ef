package trust

import (
	"bytes"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/fault"
)

// Namespace keeps what is signed here from being taken for anything else that a key signs (OpenSSH, PROTOCOL.sshsig).
const Namespace = "git-standards-decision"

// minRSA is the shortest RSA key that proves anything, in bits.
const minRSA = 2048

var keyTypes = []string{
	ssh.KeyAlgoED25519, ssh.KeyAlgoRSA, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256,
}

// Key is an SSH public key. Fingerprint is what ssh-keygen -lf prints: SHA256: and 43 characters.
type Key struct {
	Fingerprint string

	text   string // type and Base64, without a comment
	public ssh.PublicKey
}

// ParseKey reads a public key as it stands in one line of a .pub file. Of RSA, keys below 2048 bits are refused; DSA, certificates
// and options before the key are no keys here.
func ParseKey(line string) (Key, error) {
	public, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil || len(options) > 0 || len(bytes.TrimSpace(rest)) > 0:
		return Key{}, errors.New("not one public key as in a .pub file")
	case !slices.Contains(keyTypes, public.Type()):
		return Key{}, fmt.Errorf("keys of type %q are not taken", public.Type())
	}
	if wrapped, ok := public.(ssh.CryptoPublicKey); ok {
		if plain, ok := wrapped.CryptoPublicKey().(*rsa.PublicKey); ok && plain.N.BitLen() < minRSA {
			return Key{}, fmt.Errorf("the RSA key has %d bits, fewer than %d", plain.N.BitLen(), minRSA)
		}
	}
	return Key{ssh.FingerprintSHA256(public), strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public))), public}, nil
}

// Signer is the fingerprint of the key that a signature carries, "" where the issuer is open. It proves nothing: see Verify.
func (p *Policy) Signer(signature string) (string, error) {
	if p.open || signature == "" {
		return "", nil
	}
	read, err := readSignature(signature)
	if err != nil {
		return "", err
	}
	return ssh.FingerprintSHA256(read.PublicKey), nil
}

// Verify says which key of a principal, by its fingerprint, signed a message. signature is an armored SSH signature as ssh-keygen -Y
// sign writes it. The key that it carries proves nothing: it must be one of the principal's.
//
//	SIGNATURE.MISSING     unauthorized  there is none
//	SIGNATURE.MALFORMED   invalid       what is there is none
//	SIGNATURE.FORMAT      unsupported   it is one of a version, a hash or a kind of key that is not known here
//	SIGNATURE.NAMESPACE   unauthorized  it was made for something else
//	SIGNATURE.KEY         unauthorized  by a key that is not the principal's
//	SIGNATURE.REVOKED     unauthorized  by one that is revoked
//	SIGNATURE.BYTES       invalid       over another message
//
// Where the issuer is open no key is anyone's: there is nothing to verify, and the key is "". Whether the principal may answer at all
// says May.
func (p *Policy) Verify(id string, message []byte, signature string) (key string, err error) {
	if p.open {
		return "", nil
	}
	if signature == "" {
		return "", fault.New(fault.Unauthorized, "SIGNATURE.MISSING", id, "the answer of %q is not signed", id)
	}
	read, err := readSignature(signature)
	if err != nil {
		return "", err
	}
	fingerprint := ssh.FingerprintSHA256(read.PublicKey)
	if read.Namespace != Namespace {
		return "", fault.New(fault.Unauthorized, "SIGNATURE.NAMESPACE", id, "the signature is for the namespace %q, not %q", read.Namespace, Namespace)
	}
	one, known := p.principals[id]
	if !known {
		return "", p.May(id, capabilities.Analyze)
	}
	// A row that revokes a key stays when the key is taken out of the file, and says more than that it is unknown.
	for _, r := range one.revocations {
		if r.Key == fingerprint {
			return "", fault.New(fault.Unauthorized, "SIGNATURE.REVOKED", id, "the key %s of %q is revoked by %q", fingerprint, id, r.ID)
		}
	}
	for _, own := range one.keys {
		if own.Fingerprint != fingerprint {
			continue
		}
		if err := sshsig.Verify(bytes.NewReader(message), read, own.public, read.HashAlgorithm, Namespace); err != nil {
			return "", fault.New(fault.Invalid, "SIGNATURE.BYTES", id, "the signature is not over this answer")
		}
		return fingerprint, nil
	}
	return "", fault.New(fault.Unauthorized, "SIGNATURE.KEY", id, "the key %s is none of %q", fingerprint, id)
}

const (
	armorBegin = "-----BEGIN SSH SIGNATURE-----\n"
	armorEnd   = "-----END SSH SIGNATURE-----"
)

// readSignature reads one armored signature with nothing around it.
func readSignature(text string) (*sshsig.Signature, error) {
	malformed := func(cause error) error {
		return fault.New(fault.Invalid, "SIGNATURE.MALFORMED", "", "the signature is no armored SSH signature").Because(cause)
	}
	text = strings.TrimRight(text, "\n")
	if !strings.HasPrefix(text, armorBegin) || !strings.HasSuffix(text, armorEnd) {
		return nil, malformed(errors.New("it does not stand between its BEGIN and END lines"))
	}
	block, rest := pem.Decode([]byte(text))
	if block == nil || len(block.Headers) > 0 || len(rest) > 0 || block.Type != sshsig.PEMType {
		return nil, malformed(errors.New("its armor is damaged"))
	}
	signature, err := sshsig.ParseSignature(block.Bytes)
	switch {
	case errors.Is(err, sshsig.ErrUnsupportedSignatureVersion), errors.Is(err, sshsig.ErrUnsupportedHashAlgorithm):
		return nil, fault.New(fault.Unsupported, "SIGNATURE.FORMAT", "", "the signature is of a kind that this version does not know").Because(err)
	case err != nil:
		return nil, malformed(errors.New("what stands in its armor is no signature"))
	case !slices.Contains(keyTypes, signature.PublicKey.Type()):
		return nil, fault.New(fault.Unsupported, "SIGNATURE.FORMAT", "", "the signature is by a key of type %q, which is not taken", signature.PublicKey.Type())
	}
	return signature, nil
}
