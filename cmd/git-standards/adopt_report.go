package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
)

// report prints what was, or would be, written.
func (a *adopter) report(cc *cli.Context, files []*adoptedFile, manifest *rewrite, unmatched []string) error {
	wrote, addGlob := cc.Bool("write"), cc.Bool("add-glob") && manifest != nil
	result := wire.Adopted{SchemaVersion: wire.SchemaVersion, Result: "adopted", Written: wrote, Files: []wire.AdoptedFile{}}
	add := func(name string, module *string, units []string, r rewrite) error {
		diff, err := unified(name, name, r.old, r.now)
		result.Files = append(result.Files, wire.AdoptedFile{File: name, Module: module, Units: append([]string{}, units...), Diff: diff})
		return err
	}
	for _, f := range files {
		if err := add(f.name, &f.ID, f.Units, f.rewrite); err != nil {
			return err
		}
	}
	if addGlob {
		if err := add(manifest.name, nil, nil, *manifest); err != nil {
			return err
		}
	}
	slices.SortFunc(result.Files, func(x, y wire.AdoptedFile) int { return content.ComparePaths(x.File, y.File) })
	if a.json {
		if err := a.printJSON(result); err != nil {
			return err
		}
	}
	for _, f := range files {
		a.saySkipped(f)
		if wrote && !a.json {
			a.say("wrote %s: module %s, %s", shown(f.name), f.ID, count(len(f.Units), "unit", "units"))
		}
	}
	if wrote && addGlob && !a.json {
		a.say("wrote %s: modules matches them", manifest.name)
	}
	if !wrote && !a.json {
		for _, f := range result.Files {
			a.printDiff(a.out, f.Diff)
		}
	}
	if manifest != nil && !addGlob {
		// Without that the file would say that it binds, and would not.
		line, text := manifest.changed()
		a.warn("%s:%d: modules does not match %s; write:", manifest.name, line, shown(unmatched[0])+more(len(unmatched)-1))
		for _, line := range text {
			fmt.Fprintf(a.err, "  %s\n", clean(strings.TrimRight(line, "\r\n")))
		}
	}
	if a.json {
		return nil
	}
	a.next(cc, files, wrote, manifest != nil && !addGlob)
	return nil
}

// more says how many others there are.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func (a *adopter) saySkipped(f *adoptedFile) {
	for _, skipped := range f.Skipped {
		a.warn("%s:%d: heading %s gets no unit: %s", shown(f.name), skipped.Line, clean(skipped.Heading), skipped.Why)
	}
	if len(f.Units) == 0 {
		a.warn("%s: no heading below an H1 becomes a unit, so a change asks about the text as a whole and nothing can follow a part of it", shown(f.name))
	}
}

// next says what to type: the same command with --write, or how a unit gets its first consumer.
func (a *adopter) next(cc *cli.Context, files []*adoptedFile, wrote, unmatched bool) {
	if !wrote {
		words := []string{"git standards adopt --write"}
		if unmatched {
			words = append(words, "--add-glob")
		}
		for _, flag := range cc.Command.Flags {
			if name := flag.Names()[0]; cc.IsSet(name) && name != "write" && name != "format" {
				words = append(words, "--"+name)
				if _, isBool := flag.(*cli.BoolFlag); !isBool {
					words = append(words, fault.ShellWord(fmt.Sprint(cc.Value(name))))
				}
			}
		}
		if slices.ContainsFunc(cc.Args().Slice(), func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
			words = append(words, "--")
		}
		for _, arg := range cc.Args().Slice() {
			words = append(words, fault.ShellWord(arg))
		}
		a.hint(a.err, strings.Join(words, " "))
		return
	}
	for _, f := range files {
		if len(f.Units) > 0 {
			a.say("say who follows a unit, below the units of its file, for example:\n      consumers:\n        %s",
				clean(authored.ConsumerRow(authored.Consumer{Unit: f.Units[0], Path: "PATH", Relation: "implementation-projection"})))
			break
		}
	}
	a.hint(a.out, "git standards lint")
}
