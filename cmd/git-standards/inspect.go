package main

import (
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show a stored object: a state, a question, a corpus, a module, a snapshot, a file, or all that it rests on",
		ArgsUsage: "HANDLE|ABBREV",
		Description: "Needs the store file alone; with --store FILE, no repository either.\n" +
			"Exit codes: 0 shown, 2 ambiguous or damaged, 3 not in the store or no store.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "raw", DisableDefaultText: true, Usage: "print the stored envelope byte for byte"},
			&cli.BoolFlag{Name: "closure", DisableDefaultText: true, Usage: "draw everything that the object rests on, each object proven"},
			&cli.BoolFlag{Name: "projection", DisableDefaultText: true, Usage: "judge a state again from the store alone: what is open, what answers it"},
			formatFlag, storeFlag,
		},
		Action: inspect,
	}
}

func inspect(cc *cli.Context) error {
	c, err := begin(cc)
	if err != nil {
		return err
	}
	if cc.NArg() != 1 {
		return usage("inspect needs one handle or abbreviation")
	}
	if cc.Bool("raw") && cc.Bool("closure") {
		return usage("--raw shows one object, --closure all that it rests on: give one of the two")
	}
	if cc.Bool("projection") && (cc.Bool("raw") || cc.Bool("closure")) {
		return usage("--projection judges a state, --raw and --closure show what is stored: give one of them")
	}
	path, err := storePath(cc)
	if err != nil {
		return err
	}
	codecs := judge.Codecs()
	st, err := store.Open(cc.Context, path, codecs, store.ReadOnly)
	if err != nil {
		return err
	}
	defer st.Close()
	if cc.Bool("closure") {
		closure, err := judge.Closure(cc.Context, st, codecs, cc.Args().First())
		switch {
		case err != nil:
			return elsewhere(cc, err)
		case c.json:
			return c.printJSON(closure)
		}
		return c.printClosure(closure)
	}
	if cc.Bool("projection") {
		projection, err := judge.Project(cc.Context, st, codecs, cc.Args().First())
		switch {
		case err != nil:
			return elsewhere(cc, err)
		case c.json:
			return c.printJSON(projection)
		}
		c.printProjection(projection)
		return nil
	}
	inspection, raw, err := judge.Inspect(cc.Context, st, codecs, cc.Args().First())
	switch {
	case err != nil:
		return elsewhere(cc, err)
	case cc.Bool("raw"):
		_, err = c.out.Write(raw)
		return err
	case c.json:
		return c.printJSON(inspection)
	}
	return c.printInspection(inspection)
}

// storePath is the store that --store names, for which no repository is needed, else that of the repository.
func storePath(cc *cli.Context) (string, error) {
	if path := cc.String("store"); path != "" {
		return gitext.FromDir(directory(cc), path)
	}
	s, err := open(cc)
	if err != nil {
		return "", err
	}
	defer s.Close()
	return s.StorePath(s.ctx)
}

// elsewhere is an error about one store, which says that the repository's own may have what is not in it.
func elsewhere(cc *cli.Context, err error) error {
	if f := fault.As(err); f != nil && f.Code == "HANDLE.UNKNOWN" && cc.String("store") != "" {
		f.Next = []string{"git standards inspect " + fault.ShellWord(cc.Args().First())}
	}
	return err
}
