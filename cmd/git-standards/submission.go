package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/schemas"
)

// maxSubmission bounds a submission in bytes, and maxProblems what is said about one.
const (
	maxSubmission = 4 << 20
	maxProblems   = 20
)

// readSubmission reads answers from a file, or from standard input where from is "-". What is wrong with them is told at
// once, as findings with a line each.
func (s *session) readSubmission(from string) ([]wire.Answer, error) {
	text, err := s.submissionText(from)
	if err != nil {
		return nil, err
	}
	return parseSubmission(from, text)
}

func parseSubmission(from string, text []byte) ([]wire.Answer, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // Windows tools begin a file with it, and no JSON does
	var tree any
	var problems []schemas.Problem
	var err error
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		tree, problems, err = schemas.Examine("submission", text)
	} else {
		read, findings := reading.Tree(from, text)
		if len(findings) > 0 {
			return nil, refusedYAML(findings)
		}
		tree, problems, err = schemas.ExamineTree("submission", read.Value, read)
	}
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, refusedSubmission(from, problems)
	}
	return wire.DecodeSubmission(tree).Answers, nil
}

func (s *session) submissionText(from string) ([]byte, error) {
	in := s.in
	if from != "-" {
		path, err := gitext.FromDir(s.Dir, from)
		if err != nil {
			return nil, err
		}
		f, err := openFile(s.ctx, path)
		if err != nil {
			return nil, unreadableSubmission(from, err)
		}
		defer f.Close()
		in = &interruptible{s.ctx, f}
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSubmission+1))
	if err != nil {
		return nil, unreadableSubmission(from, err)
	}
	if len(text) > maxSubmission {
		return nil, fault.New(fault.Invalid, "SUBMISSION.TOO_LARGE", from, "the submission has more than %d bytes", maxSubmission)
	}
	return text, nil
}

// openFile is os.Open, which waits for a writer where the file is a named pipe, until the context ends.
func openFile(ctx context.Context, path string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.Open(path)
		done <- result{file, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case d := <-done:
		return d.file, d.err
	}
}

// andMore is the last of the findings that are said, where there are too many to say each.
const andMore = "and %d more"

// foundIn is how many findings a list stands for.
func foundIn(findings []wire.Finding) int {
	n, more := len(findings), 0
	if n > 0 {
		if _, err := fmt.Sscanf(findings[n-1].Message, andMore, &more); err == nil {
			n += more - 1
		}
	}
	return n
}

// refusedSubmission names each problem by its line and pointer, with the word that was most likely meant.
func refusedSubmission(from string, problems []schemas.Problem) error {
	var findings []reading.Finding
	for i, p := range problems {
		message := p.Message
		if p.Pointer != "" {
			message = p.Pointer + ": " + message
		}
		if near := yamltext.Nearest(p.Word, p.Options); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		if i == maxProblems {
			message = fmt.Sprintf(andMore, len(problems)-i)
		}
		findings = append(findings, reading.Finding{Code: p.Code, Severity: reading.SeverityError, File: from, Line: p.Line, Message: message})
		if i == maxProblems {
			break
		}
	}
	return &corpus.FindingsError{Findings: findings}
}

// refusedYAML is the findings of YAML as those of JSON are said: one line each, and not too many.
func refusedYAML(findings []reading.Finding) error {
	more := len(findings) - maxProblems
	findings = findings[:min(len(findings), maxProblems+1)]
	for i := range findings {
		f := &findings[i]
		if i == maxProblems {
			f.Message = fmt.Sprintf(andMore, more)
		} else if f.Next != "" {
			f.Message += "; " + f.Next
		}
		f.Next = ""
	}
	return &corpus.FindingsError{Findings: findings}
}

// unreadableSubmission shows what stands where the submission was looked for; of standard input there is nothing to show.
func unreadableSubmission(from string, err error) error {
	next := "git standards resolve -h"
	if from != "-" {
		next = "ls -la -- " + fault.ShellWord(filepath.Dir(from))
	}
	return fault.New(fault.Invalid, "SUBMISSION.UNREADABLE", from, "the submission cannot be read").Because(err).Hint(next)
}
