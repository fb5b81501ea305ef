package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/observe"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
)

// consentTo keeps the consent to commands of the accepted side, each named by its digest or the beginning of one.
func (s *session) consentTo(accepted *corpus.Corpus, digests []string) error {
	if len(digests) == 0 {
		return nil
	}
	agreed, err := s.Repo.OwnSettings(s.ctx, capture.Consent)
	if err != nil {
		return err
	}
	for _, typed := range digests {
		provider, definition, err := defined(accepted, typed)
		if err != nil {
			return err
		}
		if slices.Contains(agreed, definition) {
			continue
		}
		if err := s.Repo.AddOwnSetting(s.ctx, capture.Consent, definition); err != nil {
			return err
		}
		agreed = append(agreed, definition)
		s.warn("agreed: provider %s may run %s in this repository", provider.ID, words(provider.Command))
	}
	return nil
}

// defined is the provider of the accepted side that a digest means.
func defined(accepted *corpus.Corpus, typed string) (authored.Provider, string, error) {
	const kind = "provider-definition:sha256:"
	hex := strings.TrimPrefix(typed, kind)
	var found []authored.Provider
	if accepted.Manifest != nil && len(hex) >= 7 {
		for _, p := range accepted.Manifest.Providers {
			if strings.HasPrefix(records.ProviderDefinition(p), kind+hex) {
				found = append(found, p)
			}
		}
	}
	if len(found) != 1 {
		return authored.Provider{}, "", fault.New(fault.Invalid, "PROVIDER.CONSENT", typed, "%s of the accepted side have this definition",
			count(len(found), "provider", "providers")).Hint("git standards observe")
	}
	return found[0], records.ProviderDefinition(found[0]), nil
}

// askConsent returns only when every command was agreed to in this repository: before, or now by a person at a terminal. Otherwise it
// says what would run. agree is the command to type before the digest of each.
func (s *session) askConsent(tasks []*observe.Task, agree string) error {
	agreed, err := s.Repo.OwnSettings(s.ctx, capture.Consent)
	if err != nil {
		return err
	}
	var missing []*observe.Task
	for _, task := range tasks {
		isListed := func(t *observe.Task) bool { return t.Definition == task.Definition }
		if !slices.Contains(agreed, task.Definition) && !slices.ContainsFunc(missing, isListed) {
			missing = append(missing, task)
		}
	}
	var next []string
	for _, task := range missing {
		fmt.Fprintf(s.err, "provider %s would run %s\n  for %s, over %s, for at most %d s\n  as %s\n", task.Provider.ID, words(task.Provider.Command),
			task.Fact.ID, count(len(task.Inputs), "file", "files"), task.Provider.TimeLimit, task.Definition)
		if areTerminals([]*os.File{os.Stdin, os.Stderr}) {
			yes, err := s.confirm("run it, now and later, in this repository? [y/N] ")
			if err != nil {
				return err
			}
			if yes {
				if err := s.Repo.AddOwnSetting(s.ctx, capture.Consent, task.Definition); err != nil {
					return err
				}
				continue
			}
		}
		next = append(next, agree+task.Definition)
	}
	if next == nil {
		return nil
	}
	return fault.New(fault.Unauthorized, "PROVIDER.CONSENT", "", "%s not agreed to in this repository; nothing was run",
		count(len(next), "command is", "commands are")).Hint(next...)
}

// confirm asks a person a question.
func (s *session) confirm(text string) (bool, error) {
	fmt.Fprint(s.err, text)
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if ended := s.ctx.Err(); ended != nil {
		return false, ended
	}
	if err != nil {
		fmt.Fprintln(s.err)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// words is a command as a person would type it.
func words(command []string) string {
	quoted := make([]string, len(command))
	for i, word := range command {
		quoted[i] = fault.ShellWord(word)
	}
	return clean(strings.Join(quoted, " "))
}

// isInside reports an absolute path in the worktree or in the Git directory.
func (s *session) isInside(name string) bool {
	for _, dir := range []string{s.Repo.TopLevel, s.Repo.GitDir, s.Repo.CommonDir} {
		if rel, err := filepath.Rel(dir, name); dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return true
		}
	}
	return false
}

// run runs the command of a task and reads what it says.
func (s *session) run(task *observe.Task) (*observe.Claim, error) {
	request, err := task.Request()
	if err != nil {
		return nil, err
	}
	printed, err := capture.Observe(s.ctx, capture.Observation{
		About: task.Fact.ID, Command: task.Provider.Command, Inputs: task.Inputs, Request: request, Limit: time.Duration(task.Provider.TimeLimit) * time.Second,
	})
	if err != nil {
		return nil, err
	}
	tree, err := schemas.Read("providerAnswer", printed)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "PROVIDER.GARBAGE", task.Fact.ID, "what provider %s printed is no answer", task.Provider.ID).
			Because(err).Hint("git standards schema providerAnswer")
	}
	return task.Read(wire.DecodeProviderAnswer(tree), printed)
}
