package main

import (
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:   "version",
		Usage:  "print the version of this build, its contracts and its parts",
		Flags:  []cli.Flag{formatFlag},
		Action: showVersion,
	}
}

func showVersion(cc *cli.Context) error {
	c, err := begin(cc)
	if err == nil && cc.Args().Present() {
		err = usage("version takes no argument; %q is one", cc.Args().First())
	}
	if err != nil {
		return err
	}
	git, err := gitext.Version(cc.Context)
	if err != nil {
		return err
	}
	v := wire.Version{
		SchemaVersion: wire.SchemaVersion,
		Result:        "version",
		Version:       version,
		Interface:     wire.SchemaVersion,
		Handle:        wire.HandleVersion,
		Envelope:      wire.EnvelopeVersion,
		Identity:      wire.IdentityVersion,
		Git:           git,
		Libgit2:       gitext.Libgit2Version(),
		SQLite:        store.SQLiteVersion(),
	}
	if c.json {
		return c.printJSON(v)
	}
	c.say("git-standards %s", v.Version)
	c.say("interface %d, handle %d, envelope %d, identity %d", v.Interface, v.Handle, v.Envelope, v.Identity)
	c.say("git %s, libgit2 %s, SQLite %s", v.Git, v.Libgit2, v.SQLite)
	return nil
}
