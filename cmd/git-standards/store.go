package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

func storeCommand() *cli.Command {
	const exits = "Exit codes: 0 done, 2 damaged, or something is where a copy should go, 3 no store, none of this program, or it cannot be read."
	return &cli.Command{
		Name:        "store",
		Usage:       "check, copy or count what is stored",
		Description: "The store is a record: a verdict never depends on it, and what Git still has is stored again by judging it again.\n" + exits,
		Subcommands: []*cli.Command{
			{
				Name: "check", Usage: "look for damage of the file; with --deep prove every object and what it depends on", Description: exits,
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "deep", DisableDefaultText: true, Usage: "hash every object again, and look for all that it depends on"},
					formatFlag, storeFlag,
				},
				Action: onStore(0, "", (*console).storeCheck),
			},
			{
				Name: "backup", Usage: "write all that is stored to a new FILE, proven; equal contents give equal bytes", ArgsUsage: "FILE",
				Description: "FILE must be absent, and is there only once it is whole. It is a store: inspect --store FILE reads it.\n" + exits,
				Flags:       []cli.Flag{formatFlag, storeFlag},
				Action: onStore(1, "backup needs the FILE to write", func(c *console, cc *cli.Context, s *store.Store, path string) error {
					to, err := gitext.FromDir(directory(cc), cc.Args().First())
					if err != nil {
						return err
					}
					return c.storeCopy(cc, s, path, to)
				}),
			},
			{
				Name: "restore", Usage: "prove the backup FILE and make the new STORE of it", ArgsUsage: "FILE STORE",
				Description: "STORE must be absent: a store that is there is never written over. Move a damaged one aside first.\n" + exits,
				Flags:       []cli.Flag{formatFlag},
				Action:      restore,
			},
			{
				Name: "stat", Usage: "count what is stored, by kind", Description: exits,
				Flags:  []cli.Flag{formatFlag, storeFlag},
				Action: onStore(0, "", (*console).storeStat),
			},
		},
		Action: func(*cli.Context) error { return usage("store needs check, backup, restore or stat") },
	}
}

// onStore is the action of a command that reads the store, and takes a number of arguments.
func onStore(arguments int, needs string, run func(*console, *cli.Context, *store.Store, string) error) cli.ActionFunc {
	return func(cc *cli.Context) error {
		c, err := begin(cc)
		if err != nil {
			return err
		}
		switch {
		case cc.NArg() > arguments:
			return usage("store %s takes no such argument as %q", cc.Command.Name, cc.Args().Get(arguments))
		case cc.NArg() < arguments || arguments > 0 && cc.Args().First() == "":
			return usage("%s", needs)
		}
		path, err := storePath(cc)
		if err != nil {
			return err
		}
		s, err := store.Open(cc.Context, path, judge.Codecs(), store.ReadOnly)
		if err != nil {
			return err
		}
		defer s.Close()
		return run(c, cc, s, path)
	}
}

func (c *console) storeCheck(cc *cli.Context, s *store.Store, path string) error {
	progress := c.progress("objects")
	report, err := s.Check(cc.Context, cc.Bool("deep"), progress.show)
	progress.done()
	if err != nil {
		return err
	}
	result := wire.StoreCheck{
		SchemaVersion: wire.SchemaVersion, Result: "store-check", Path: path, Deep: cc.Bool("deep"), Objects: report.Objects, Damaged: []wire.Damage{},
	}
	for _, f := range report.Damaged {
		result.Damaged = append(result.Damaged, wire.Damage{Code: f.Code, Target: f.Target, Message: f.Reason()})
	}
	if c.json {
		err = c.printJSON(result)
	} else {
		c.printCheck(result)
	}
	if err != nil || len(report.Damaged) == 0 {
		return err
	}
	c.warn("%s in %s", count(len(report.Damaged), "damage", "damages"), shown(path))
	c.hint(c.err, "mv -- "+fault.ShellWord(path)+" "+fault.ShellWord(path+".aside"))
	c.hint(c.err, "git standards store restore BACKUP "+fault.ShellWord(path))
	return exit(exitInvalid)
}

func (c *console) printCheck(r wire.StoreCheck) {
	for i, d := range r.Damaged {
		if i == maxDamages {
			c.say("… and %d more; --format json lists them", len(r.Damaged)-i)
			break
		}
		c.say("%s: %s (%s)", shown(d.Target), clean(d.Message), d.Code)
	}
	switch {
	case len(r.Damaged) > 0:
	case r.Deep:
		c.say("%s: %s, each proven, and all that they depend on is there", c.green("whole"), count(r.Objects, "object", "objects"))
	default:
		c.say("%s as a file: %s; --deep proves each of them", c.green("whole"), count(r.Objects, "object", "objects"))
	}
}

// maxDamages is how many damages are printed.
const maxDamages = 20

func restore(cc *cli.Context) error {
	c, err := begin(cc)
	if err != nil {
		return err
	}
	if cc.NArg() != 2 || cc.Args().Get(0) == "" || cc.Args().Get(1) == "" {
		return usage("restore needs the backup FILE and the STORE to make of it")
	}
	from, err := gitext.FromDir(directory(cc), cc.Args().Get(0))
	if err != nil {
		return err
	}
	to, err := gitext.FromDir(directory(cc), cc.Args().Get(1))
	if err != nil {
		return err
	}
	s, err := store.Open(cc.Context, from, judge.Codecs(), store.ReadOnly)
	if f := fault.As(err); f != nil && f.Code == "STORE.MISSING" {
		f.Message, f.Next = "there is no such backup", []string{"ls -l " + fault.ShellWord(from)}
	}
	if err != nil {
		return err
	}
	defer s.Close()
	return c.storeCopy(cc, s, from, to)
}

func (c *console) storeCopy(cc *cli.Context, s *store.Store, from, to string) error {
	copied, err := s.Copy(cc.Context, to)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(wire.StoreCopy{
			SchemaVersion: wire.SchemaVersion, Result: "store-copy", From: from, To: to,
			Objects: copied.Objects, Bytes: int(copied.Bytes), Sha256: copied.SHA256,
		})
	}
	c.say("%s: %s, each proven, in %s", shown(to), count(copied.Objects, "object", "objects"), sizeOf(copied.Bytes))
	c.say("%s", copied.SHA256)
	return nil
}

func (c *console) storeStat(cc *cli.Context, s *store.Store, path string) error {
	stat, err := s.Stat(cc.Context)
	if err != nil {
		return err
	}
	result := wire.StoreStat{
		SchemaVersion: wire.SchemaVersion, Result: "store-stat", Path: path, Bytes: int(stat.Bytes), Kinds: []wire.StoredKind{},
		Store: int(stat.Version), Envelope: wire.EnvelopeVersion, SQLite: store.SQLiteVersion(),
	}
	for _, k := range stat.Kinds {
		result.Objects += int(k.Objects)
		result.Kinds = append(result.Kinds, wire.StoredKind{Kind: k.Kind, Objects: int(k.Objects), Bytes: int(k.Bytes)})
	}
	if c.json {
		return c.printJSON(result)
	}
	c.say("%s: %s in %s", shown(path), count(result.Objects, "object", "objects"), sizeOf(stat.Bytes))
	for _, k := range stat.Kinds {
		c.say("  %-28s %9d  %9s", clean(k.Kind), k.Objects, sizeOf(k.Bytes))
	}
	c.say("store %d, envelope %d, SQLite %s", result.Store, result.Envelope, result.SQLite)
	return nil
}

// sizeOf is a number of bytes for people: a KB is 1,000 bytes.
func sizeOf(bytes int64) string {
	size, unit := float64(bytes), "B"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if size < 1000 {
			break
		}
		size, unit = size/1000, next
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}
