package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

// people looks at who answers here, and what they agreed to.
func (e *examination) people() {
	session, err := e.w.Session(e.ctx)
	if err != nil {
		e.fail("who.identity", problem, err)
		return
	}
	if session.Mail == "" {
		e.say("who.identity", warning, "git knows no author, and an answer needs one (IDENTITY.MISSING)",
			"git config user.email YOU@EXAMPLE.ORG", "git config user.name NAME")
	} else {
		e.say("who.identity", ok, "commits and answers are by "+session.Mail)
	}
	if e.ruling != nil {
		e.fail("who.authority", problem, e.ruling)
	}
	if e.policy != nil {
		e.authority(session)
	}
	e.consent()
}

// authority looks at what the accepted side lets this person answer.
func (e *examination) authority(session judge.Session) {
	if e.policy.IsOpen() {
		e.say("who.authority", ok, "anybody may answer: there is no "+corpus.AuthorityPath)
		return
	}
	id, listed := session.Principal(e.policy)
	if !listed {
		e.say("who.authority", note,
			fmt.Sprintf("%s lists neither your address %q nor your signing key: all questions wait for others", corpus.AuthorityPath, session.Mail),
			"git config user.email YOUR@ADDRESS")
		return
	}
	by := "user.signingkey"
	if e.policy.Mapped(session.Mail) == id {
		by = session.Mail
	}
	var may, able []string
	signs := false
	for _, capability := range capabilities.All() {
		if e.policy.May(id, capability) != nil {
			continue
		}
		may = append(may, capability)
		signs = signs || e.policy.NeedsSignature(capability)
		if e.policy.Able(id, capability) {
			able = append(able, capability)
		}
	}
	switch {
	case len(may) == 0:
		e.say("who.authority", note, fmt.Sprintf("you are %s, by %s, who may answer nothing: all questions wait for others", id, by))
		return
	case len(able) < len(may):
		e.say("who.authority", warning, fmt.Sprintf("you are %s, by %s, and have no key in %s that is not revoked, which %s needs",
			id, by, corpus.AuthorityPath, strings.Join(may, ", ")))
		return
	}
	e.say("who.authority", ok, fmt.Sprintf("you are %s, by %s, and may %s", id, by, strings.Join(may, ", ")))
	if signs {
		e.signing(id)
	} else {
		e.say("who.signing", ok, "no answer of yours needs a signature")
	}
}

// signing looks at whether git has a key to sign answers with that counts. Nothing is signed.
func (e *examination) signing(id string) {
	settings, err := e.w.Repo.Signing(e.ctx)
	if err != nil {
		e.fail("who.signing", problem, err)
		return
	}
	if settings.Format != "" && settings.Format != "ssh" {
		e.say("who.signing", warning, fmt.Sprintf("your answers must be signed with SSH, and gpg.format is %s", settings.Format),
			"git config gpg.format ssh")
		return
	}
	program := settings.Program
	if program == "" {
		program = "ssh-keygen"
	}
	if !e.finds(program) {
		next := "command -v ssh-keygen"
		if settings.Program != "" {
			next = "git config gpg.ssh.program ssh-keygen"
		}
		e.say("who.signing", warning, program+", which signs your answers, is not there", next)
		return
	}
	if settings.Key == "" && settings.KeyCommand != "" {
		e.say("who.signing", ok, "gpg.ssh.defaultKeyCommand says which key signs your answers; it is not run here")
		return
	}
	key := capture.Signer{Settings: settings, Dir: e.w.Repo.TopLevel}.PublicKey()
	who, known := e.policy.Identify("", nil, key)
	switch {
	case settings.Key == "":
		e.say("who.signing", warning, "your answers must be signed, and user.signingkey is not set",
			"git config user.signingkey ~/.ssh/id_ed25519.pub")
	case key == "":
		e.say("who.signing", warning, fmt.Sprintf("your answers must be signed, and user.signingkey = %s leads to no public key", settings.Key),
			"git config user.signingkey ~/.ssh/id_ed25519.pub")
	case !known || who != id:
		e.say("who.signing", warning,
			fmt.Sprintf("user.signingkey is no key of %s in %s: what it signs does not count", id, corpus.AuthorityPath),
			"git config user.signingkey ~/.ssh/id_ed25519.pub")
	default:
		e.say("who.signing", ok, "answers are signed with a key of "+id)
	}
}

// finds reports a program that is there, on PATH or by its path.
func (e *examination) finds(program string) bool {
	folders := filepath.SplitList(e.variable("PATH"))
	if strings.Contains(program, "/") {
		folders = []string{""}
	}
	return slices.ContainsFunc(folders, func(folder string) bool {
		info, err := os.Stat(filepath.Join(folder, program))
		return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	})
}

// consent looks at the commands that somebody here is asked to agree to.
func (e *examination) consent() {
	agreed, err := e.w.Repo.OwnSettings(e.ctx, capture.Consent)
	var all []string
	if err == nil {
		all, err = e.w.Repo.Settings(e.ctx, capture.Consent)
	}
	if err != nil {
		e.fail("who.consent", problem, err)
		return
	}
	found, known := false, map[string]bool{}
	say := func(level, message string, next ...string) {
		e.say("who.consent", level, message, next...)
		found = true
	}
	for _, digest := range all {
		if !slices.Contains(agreed, digest) {
			say(note, "a consent that is not set in this repository's own configuration does not count: "+digest,
				"git config --show-origin --get-all "+capture.Consent)
		}
	}
	if e.accepted == nil || e.accepted.Manifest == nil {
		return
	}
	for _, provider := range e.accepted.Manifest.Providers {
		definition := records.ProviderDefinition(provider)
		known[definition] = true
		if !slices.Contains(agreed, definition) {
			words := make([]string, len(provider.Command))
			for i, word := range provider.Command {
				words[i] = fault.ShellWord(word)
			}
			say(note, fmt.Sprintf("provider %s would run %s; nobody agreed to it here, and it is not run", provider.ID, strings.Join(words, " ")),
				"git config --local --add "+capture.Consent+" "+definition)
		}
	}
	for _, digest := range agreed {
		if !known[digest] {
			say(note, "a command was agreed to that the accepted side does not have any more: "+digest,
				"git config --local --fixed-value --unset-all "+capture.Consent+" "+fault.ShellWord(digest))
		}
	}
	if !found {
		e.say("who.consent", ok, "no command of a provider waits to be agreed to")
	}
}
