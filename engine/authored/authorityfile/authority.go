// Package authorityfile reads standards/authority.yaml: who may answer what, by which keys and addresses, and what was taken away (RULES F).
//
// It promises what package reading promises of every reading, and that no two principals share an address or a key: no answer could be told
// from another's. What a grant means, and who gave an answer, is for package trust to say.
package authorityfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/capabilities"
)

// Authority is standards/authority.yaml (RULES F): who may answer what. Revocation is nil where nothing can be revoked. Lines maps a
// dotted key to its line.
type Authority struct {
	Issuer      Issuer
	Signatures  string // required or optional
	Attesters   int64  // how many independent attesters a coverage question needs, from 1
	Independent bool   // who wrote a change does not count among its attesters (RULES F5)
	Principals  []Principal
	Revocation  *Issuer
	Revoked     []Revoked
	Lines       map[string]int
}

// Issuer is who says something, and in which revision.
type Issuer struct {
	ID       string
	Revision int64
}

// Principal is one person or machine. Emails are in lower case; Keys are lines as in a .pub file.
type Principal struct {
	Line         int
	ID           string
	Emails       []string
	Keys         []string
	Capabilities []string
}

// Revoked is one revocation: of a key by its fingerprint, of some capabilities, or with neither of the whole principal.
type Revoked struct {
	Line         int
	ID           string
	Principal    string
	Key          string
	Capabilities []string
	Reason       string
}

var (
	principalForm   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)
	mailForm        = regexp.MustCompile(`^[^@\x00-\x20\x7f-\x{a0}\x{2028}\x{2029}\x{feff}]+@[^@\x00-\x20\x7f-\x{a0}\x{2028}\x{2029}\x{feff}]+$`)
	fingerprintForm = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`)
)

// examples are values to show for keys that are missing.
var examples = map[string]string{
	"version": "1", "issuer": "{id: example.platform-team, revision: 1}", "principals": "", "id": "ann", "capabilities": "[" + capabilities.ReviewConsumer + "]",
	"revision": "1", "authority": "{id: example.security, revision: 1}", "revoked": "[]", "principal": "ann", "reason": "why",
}

// Parse reads standards/authority.yaml (RULES F). The authority is nil only when its text is no mapping; beside findings it
// holds what could be read. One key or mail address of two principals is a finding, whoever wrote it first: no answer could be told
// from another's.
func Parse(file string, data []byte) (*Authority, []reading.Finding) {
	r := &reader{Reader: reading.New(file, examples), a: &Authority{Lines: map[string]int{}, Attesters: 1, Independent: true, Signatures: "required"}}
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	top, ok := r.Mapping(root, "the authority", 3, "version", "issuer", "principals", "signatures", "coverage", "revocations")
	if !ok {
		return nil, r.Sorted()
	}
	r.mark("", top)
	if version, ok := r.Integer(top.Get("version"), "version"); ok && version != 1 {
		r.Refuse(top.Get("version"), "AUTHORITY.VERSION", "write version: 1", "authority version %d is not known", version)
	}
	if issuer := r.source(top.Get("issuer"), "issuer"); issuer != nil {
		r.a.Issuer = *issuer
	}
	if signatures := r.Choice(top.Get("signatures"), "signatures", "AUTHORITY.SIGNATURES", []string{"required", "optional"}); signatures != "" {
		r.a.Signatures = signatures
	}
	r.principals(top.Get("principals"))
	r.coverage(top.Get("coverage"))
	r.revocations(top.Get("revocations"))
	return r.a, r.Sorted()
}

type reader struct {
	*reading.Reader
	a *Authority
}

func (r *reader) mark(prefix string, f *yamltext.Fields) {
	for key, node := range f.Keys {
		if f.Get(key).IsGiven() {
			r.a.Lines[prefix+key] = r.Line(node)
		}
	}
}

// source reads who says something, nil where nothing of it can be used.
func (r *reader) source(node yamltext.Node, what string) *Issuer {
	if !node.IsGiven() {
		return nil
	}
	f, ok := r.Mapping(node, what, 2, "id", "revision")
	if !ok {
		return nil
	}
	r.mark(what+".", f)
	var s Issuer
	if s.ID = r.ID(f.Get("id"), what+".id"); s.ID == "open" {
		r.Refuse(f.Get("id"), "AUTHORITY.ISSUER", "write who it is, such as example.platform-team",
			"%s.id cannot be %q, which means that anybody may answer", what, s.ID)
	}
	n, ok := r.Integer(f.Get("revision"), what+".revision")
	switch {
	case ok && (n < 1 || n > reading.MaxRevision):
		r.Refuse(f.Get("revision"), "AUTHORITY.ISSUER", "write revision: 1, and raise it by one each time", "%s.revision must be from 1 to %d, not %d",
			what, int64(reading.MaxRevision), n)
	case ok:
		s.Revision = n
	}
	return &s
}

func (r *reader) principals(node yamltext.Node) {
	rows := r.List(node, "principals")
	if node.IsGiven() && node.Kind() == yamltext.KindList && len(rows) == 0 {
		r.Refuse(node, "AUTHORITY.PRINCIPAL", "list who may answer, or remove the file", "principals lists nobody")
	}
	ids, mails, keys := map[string]int{}, map[string]owned{}, map[string]owned{}
	for _, row := range rows {
		f, ok := r.Mapping(row, "a principal", 2, "id", "capabilities", "emails", "keys")
		if !ok {
			continue
		}
		p := Principal{Line: r.Line(row), ID: r.principalID(f.Get("id"), "id of a principal")}
		if first, taken := ids[p.ID]; taken && p.ID != "" {
			r.Refuse(f.Get("id"), "AUTHORITY.PRINCIPAL_REPEATED", "make one entry of the two", "principal %q stands on line %d already", p.ID, first)
		}
		ids[p.ID] = p.Line
		for _, item := range r.List(f.Get("emails"), "emails") {
			if mail := r.mail(item); mail != "" && r.takes(item, mails, mail, p, "EMAIL", fmt.Sprintf("the address %q", mail)) {
				p.Emails = append(p.Emails, mail)
			}
		}
		for _, item := range r.List(f.Get("keys"), "keys") {
			if line, print := r.key(item); print != "" && r.takes(item, keys, print, p, "KEY", "the key "+print) {
				p.Keys = append(p.Keys, line)
			}
		}
		p.Capabilities = r.capabilities(f.Get("capabilities"))
		if len(p.Keys) == 0 && !f.Get("keys").IsGiven() && r.a.Signatures == "required" && slices.ContainsFunc(p.Capabilities, capabilities.NeedsSignature) {
			r.Refuse(row, "AUTHORITY.NO_KEY", "add keys: with the line of a .pub file, or write signatures: optional",
				"principal %q may review and has no key to sign with", p.ID)
			r.Findings[len(r.Findings)-1].Severity = reading.SeverityWarning
		}
		r.a.Principals = append(r.a.Principals, p)
	}
}

// owned is whose a key or an address is, and where that stands.
type owned struct {
	principal string
	line      int
}

// takes reports whether an address or a key is a principal's alone so far.
func (r *reader) takes(node yamltext.Node, taken map[string]owned, name string, p Principal, word, what string) bool {
	first, known := taken[name]
	switch {
	case !known:
		taken[name] = owned{p.ID, r.Line(node)}
	case first.principal == p.ID:
		code := map[string]string{"EMAIL": "AUTHORITY.EMAIL", "KEY": "AUTHORITY.KEY"}[word]
		r.Refuse(node, code, "keep one of them", "%s stands on line %d already", what, first.line)
	default:
		code := map[string]string{"EMAIL": "AUTHORITY.EMAIL_SHARED", "KEY": "AUTHORITY.KEY_SHARED"}[word]
		r.Refuse(node, code, "leave it with the one whose it is", "%s is that of principal %q on line %d", what, first.principal, first.line)
	}
	return !known
}

func (r *reader) principalID(node yamltext.Node, what string) string {
	text := r.Text(node, what)
	if text != "" && !principalForm.MatchString(text) {
		r.Refuse(node, "AUTHORITY.PRINCIPAL", "use letters, digits and . _ : / @ + - only, a letter or a digit first", "%s cannot be %q", what, text)
		return ""
	}
	return text
}

// mail reads a mail address in lower case.
func (r *reader) mail(node yamltext.Node) string {
	text := r.Text(node, "an entry of emails")
	if text != "" && !mailForm.MatchString(text) {
		r.Refuse(node, "AUTHORITY.EMAIL", "write a mail address, such as ann@example.com", "%q is no mail address", text)
		return ""
	}
	return strings.ToLower(text)
}

// key reads a public key and its fingerprint.
func (r *reader) key(node yamltext.Node) (line, print string) {
	text := r.Text(node, "an entry of keys")
	if text == "" {
		return "", ""
	}
	if !keyForm.MatchString(text) {
		r.Refuse(node, "AUTHORITY.KEY", "copy the line of a .pub file: its type, its Base64, and a comment if you like", "%.60q is no SSH public key", text)
		return "", ""
	}
	print, err := fingerprint(text)
	if err != nil {
		r.Refuse(node, "AUTHORITY.KEY", "copy the line of a .pub file: its type, its Base64, and a comment if you like", "the key cannot be used: %s", err)
		return "", ""
	}
	return text, print
}

func (r *reader) capabilities(node yamltext.Node) []string {
	var list []string
	for _, item := range r.List(node, "capabilities") {
		capability := r.Choice(item, "a capability", "AUTHORITY.GRANT", capabilities.All())
		switch {
		case capability == "":
		case slices.Contains(list, capability):
			r.Refuse(item, "AUTHORITY.GRANT", "keep one of them", "capabilities names %s twice", capability)
		default:
			list = append(list, capability)
		}
	}
	return list
}

// coverage reads how many attesters a coverage question needs. To ask for more than may attest is to ask for what can never be.
func (r *reader) coverage(node yamltext.Node) {
	if !node.IsGiven() {
		return
	}
	f, ok := r.Mapping(node, "coverage", 0, "attesters", "independent")
	if !ok {
		return
	}
	r.mark("coverage.", f)
	if independent, ok := r.Boolean(f.Get("independent"), "coverage.independent"); ok {
		r.a.Independent = independent
	}
	n, ok := r.Integer(f.Get("attesters"), "coverage.attesters")
	if !ok {
		return
	}
	able := 0
	for _, p := range r.a.Principals {
		if slices.Contains(p.Capabilities, capabilities.ReviewAudit) {
			able++
		}
	}
	switch {
	case n < 1 || n > reading.MaxRevision:
		r.Refuse(f.Get("attesters"), "AUTHORITY.COVERAGE", "write attesters: 1, or more", "coverage.attesters must be from 1 to %d, not %d", int64(reading.MaxRevision), n)
	case n > int64(able) && n > 1:
		r.Refuse(f.Get("attesters"), "AUTHORITY.COVERAGE", "grant "+capabilities.ReviewAudit+" to more principals, or write a smaller number",
			"coverage needs %d attesters, and %d principals may attest", n, able)
	default:
		r.a.Attesters = n
	}
}

func (r *reader) revocations(node yamltext.Node) {
	if !node.IsGiven() {
		return
	}
	f, ok := r.Mapping(node, "revocations", 2, "authority", "revoked")
	if !ok {
		return
	}
	r.mark("revocations.", f)
	r.a.Revocation = r.source(f.Get("authority"), "revocations.authority")
	ids := map[string]int{}
	for _, row := range r.List(f.Get("revoked"), "revoked") {
		r.revocation(row, ids)
	}
}

func (r *reader) revocation(row yamltext.Node, ids map[string]int) {
	f, ok := r.Mapping(row, "a revocation", 3, "id", "principal", "reason", "key", "capabilities")
	if !ok {
		return
	}
	v := Revoked{
		Line: r.Line(row), ID: r.ID(f.Get("id"), "id of a revocation"), Principal: r.principalID(f.Get("principal"), "principal of a revocation"),
		Reason: r.Text(f.Get("reason"), "reason"), Key: r.Text(f.Get("key"), "key of a revocation"), Capabilities: r.capabilities(f.Get("capabilities")),
	}
	if first, taken := ids[v.ID]; taken && v.ID != "" {
		r.Refuse(f.Get("id"), "AUTHORITY.REVOCATION", "choose another id", "revocation %q stands on line %d already", v.ID, first)
	}
	ids[v.ID] = v.Line
	key, taken := f.Get("key"), f.Get("capabilities")
	switch {
	case key.IsGiven() && taken.IsGiven():
		r.Refuse(key, "AUTHORITY.REVOCATION", "make two rows of it", "a revocation takes away a key or capabilities, not both")
	case v.Key != "" && !fingerprintForm.MatchString(v.Key):
		r.Refuse(key, "AUTHORITY.REVOCATION", "write the fingerprint that ssh-keygen -lf prints", "%.60q is no fingerprint of a key", v.Key)
	case taken.IsGiven() && taken.Kind() == yamltext.KindList && len(taken.Content()) == 0:
		r.Refuse(taken, "AUTHORITY.REVOCATION", "name what is taken away, or remove the key capabilities to revoke the principal", "capabilities of a revocation is empty")
	}
	r.checkRevoked(f, v)
	r.a.Revoked = append(r.a.Revoked, v)
}

// checkRevoked refuses a row that takes away nothing: that names a principal that is none, or the key of another one.
func (r *reader) checkRevoked(f *yamltext.Fields, v Revoked) {
	if v.Principal == "" {
		return
	}
	var ids []string
	for _, p := range r.a.Principals {
		ids = append(ids, p.ID)
		for _, line := range p.Keys {
			if print, err := fingerprint(line); err == nil && print == v.Key && p.ID != v.Principal {
				r.Refuse(f.Get("key"), "AUTHORITY.REVOCATION", "write principal: "+yamltext.Scalar(p.ID), "the key %s is that of principal %q", v.Key, p.ID)
			}
		}
	}
	if !slices.Contains(ids, v.Principal) {
		next := "write the id of an entry of principals"
		if near := yamltext.Nearest(v.Principal, ids); near != "" {
			next = "write principal: " + yamltext.Scalar(near)
		}
		r.Refuse(f.Get("principal"), "AUTHORITY.PRINCIPAL_UNKNOWN", next, "no principal has the id %q%s", v.Principal, yamltext.DidYouMean(v.Principal, ids))
	}
}
