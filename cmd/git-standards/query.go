package main

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/query"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

const queryExits = "Exit codes: 0 shown, 2 unknown name or invalid text, 3 unavailable."

func queryCommand() *cli.Command {
	return &cli.Command{
		Name:        "query",
		Usage:       "look something up in the standards: what to read, what it says, what it is related to",
		Description: queryExits,
		Subcommands: []*cli.Command{
			{
				Name:      "route",
				Usage:     "list what to read, in order, before touching some paths, or for the change at hand",
				ArgsUsage: "[PATH…]",
				Description: "A folder stands for the files in it. Without a PATH, the paths that the change at hand touches.\n" +
					"What is not known of the task may select more; the plan names the facts that would settle it, for --fact.\n" +
					"  git standards query route src/err                        before working below src/err\n" +
					"  git standards query route --staged                       for what a commit would record\n" +
					"  git standards query route --fact ui.visible=true src     when that is known\n" + queryExits,
				Flags:  append(queryFlags(), acceptedFlag, factFlag()),
				Action: onRepository((*session).route),
			},
			{
				Name:      "read",
				Usage:     "show the text of a module or a unit, what it requires and who follows it",
				ArgsUsage: "ID",
				Description: "ID is that of a module or a unit, or an alias of a unit.\n" +
					"  git standards query read topic.api        the whole module\n" +
					"  git standards query read api.errors       one unit of it\n" + queryExits,
				Flags:        queryFlags(),
				Action:       onRepository((*session).read),
				BashComplete: completing(indexNames),
			},
			{
				Name:      "related",
				Usage:     "list what a module, a unit or a file is related to",
				ArgsUsage: "ID|PATH",
				Description: "Groups are " + strings.Join(graph.Groups(), ", ") + ".\n" +
					"  git standards query related api.errors                                who follows this unit\n" +
					"  git standards query related docs/errors.md                            which units this file follows\n" +
					"  git standards query related topic.api --transitive --direction incoming   what rests on it, and on that\n" + queryExits,
				Flags: append(queryFlags(),
					groupFlag(),
					&cli.StringFlag{Name: "direction", Value: "both", Usage: "look `incoming|outgoing|both`"},
					factFlag(),
					&cli.BoolFlag{Name: "transitive", DisableDefaultText: true, Usage: "follow what modules require and specialize further than one step"},
				),
				Action:       onRepository((*session).related),
				BashComplete: completing(indexNames),
			},
		},
		Action: func(*cli.Context) error { return usage("query needs route, read or related") },
	}
}

func queryFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "staged", DisableDefaultText: true, Usage: "read the index: what a commit would record"},
		&cli.StringFlag{Name: "proposed", Usage: "read the commit `REV`"},
		formatFlag, storeFlag,
	}
}

func factFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "fact", KeepSpace: true, Usage: "what is known, as `ID=VALUE`; may be given again"}
}

// factsOf are the facts that are given. An id holds no equals sign.
func factsOf(cc *cli.Context) ([]wire.KnownFact, error) {
	var list []wire.KnownFact
	for _, given := range cc.StringSlice("fact") {
		id, value, hasValue := strings.Cut(given, "=")
		if !hasValue || id == "" {
			return nil, usage("--fact takes ID=VALUE, not %q", given)
		}
		list = append(list, wire.KnownFact{Fact: id, Value: value})
	}
	return list, nil
}

func (s *session) route(cc *cli.Context) error {
	asked := wire.RouteQuery{Kind: "route"}
	var err error
	if asked.Facts, err = factsOf(cc); err != nil {
		return err
	}
	if revision := cc.String("accepted"); revision != "" {
		if cc.Args().Present() {
			return usage("--accepted says what the change at hand is compared with; it goes with no PATH")
		}
		asked.Accepted = &revision
	}
	if cc.Args().Present() {
		paths, err := s.paths(cc)
		if err != nil {
			return err
		}
		asked.Paths = paths
	}
	answered, err := s.query(cc, asked)
	if err != nil || s.json {
		return err
	}
	again := s.sides
	for _, typed := range cc.Args().Slice() {
		again += " " + fault.ShellWord(typed)
	}
	s.printRoute(answered.Answer.(wire.RouteAnswer), asked.Paths == nil, again)
	s.printNavigation(answered)
	return nil
}

// paths is the repository paths of what was typed. The top itself has none and stands for what is in it.
func (s *session) paths(cc *cli.Context) ([]string, error) {
	var paths []string
	for _, typed := range cc.Args().Slice() {
		top, err := s.isTop(typed)
		if err != nil {
			return nil, err
		}
		if !top {
			name, err := s.fromTop(typed)
			if err != nil {
				return nil, err
			}
			paths = append(paths, name)
			continue
		}
		side, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
		if err != nil {
			return nil, err
		}
		entries, err := side.Source.List(s.ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if first, _, _ := strings.Cut(e.Name, "/"); content.CheckPath(first) == nil {
				paths = append(paths, first)
			}
		}
	}
	slices.Sort(paths)
	return append([]string{}, slices.Compact(paths)...), nil // of no path as well: what is asked is not the change at hand
}

func (s *session) isTop(typed string) (bool, error) {
	if typed == "" {
		return false, usage("a path is empty")
	}
	if s.Repo.TopLevel == "" {
		return path.Clean(typed) == ".", nil
	}
	at, err := gitext.FromDir(s.Dir, typed)
	if err != nil {
		return false, err
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	return at == s.Repo.TopLevel, nil
}

// fromTop is the repository path of what was typed. Where there is no worktree to be in, paths count from the top.
func (s *session) fromTop(typed string) (string, error) {
	if s.Repo.TopLevel == "" {
		return path.Clean(typed), nil
	}
	return s.Repo.Relative(typed)
}

func (s *session) read(cc *cli.Context) error {
	if cc.NArg() != 1 || cc.Args().First() == "" {
		return usage("read needs the id of one module or unit")
	}
	answered, err := s.query(cc, wire.ReadQuery{Kind: "read", Target: cc.Args().First()})
	if err != nil || s.json {
		return err
	}
	s.printRead(answered.Answer.(wire.ReadAnswer))
	s.printNavigation(answered)
	return nil
}

func (s *session) related(cc *cli.Context) error {
	if cc.NArg() != 1 || cc.Args().First() == "" {
		return usage("related needs the id of one module or unit, or one path")
	}
	direction, transitive := cc.String("direction"), cc.Bool("transitive")
	if !slices.Contains([]string{"incoming", "outgoing", "both"}, direction) {
		return usage("--direction is incoming, outgoing or both, not %q", direction)
	}
	given, err := factsOf(cc)
	if err != nil {
		return err
	}
	asked := wire.RelatedQuery{Kind: "related", Direction: &direction, Transitive: &transitive, Facts: given}
	if asked.Groups, err = groupsOf(cc); err != nil {
		return err
	}
	typed := cc.Args().First()
	target, names, err := s.target(cc, typed)
	if err != nil {
		return err
	}
	asked.Target = target
	answered, err := s.query(cc, asked)
	if near := query.Unknown("related", typed, names); fault.Is(err, "TARGET.UNKNOWN") && target != typed && len(near.Next) > 0 {
		err = onSides(near, s.sides) // not a path, then, but a name that is mistyped
	}
	if err != nil || s.json {
		return err
	}
	s.printRelated(answered.Answer.(wire.RelatedAnswer), asked.Groups != nil || direction != "both")
	s.printNavigation(answered)
	return nil
}

// target is what was typed where that is a name, else the repository path that it is from here. At the top level both are the same
// word; elsewhere it takes the names of the standards to tell, which are returned then.
func (s *session) target(cc *cli.Context, typed string) (string, []string, error) {
	name, pathErr := s.fromTop(typed)
	if pathErr == nil && name == typed {
		return typed, nil, nil
	}
	side, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return "", nil, err
	}
	c, err := s.engine.Compile(s.ctx, side.Source)
	if err != nil {
		return "", nil, err
	}
	names := query.Names(c)
	if slices.Contains(names, typed) {
		return typed, names, nil
	}
	return name, names, pathErr
}

// query answers, prints the answer where JSON was asked for, and says that the standards have warnings.
func (s *session) query(cc *cli.Context, asked wire.Query) (*query.Answered, error) {
	which, err := proposedBy(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return nil, err
	}
	s.sides = sidesOf(cc)
	answered, err := query.Answer(s.ctx, s, s.engine, wire.QueryRequest{Query: asked, Proposed: which})
	if f := fault.As(err); f != nil && slices.Contains([]string{"TARGET.UNKNOWN", "FACT.UNKNOWN", "FACT.VALUE"}, f.Code) {
		err = onSides(f, s.sides)
	}
	if err != nil {
		return nil, err
	}
	if err := query.Keep(s.ctx, s, answered); err != nil {
		s.warnNotRecorded(err)
	}
	if s.json {
		return answered, s.printJSON(answered.Navigation)
	}
	s.warnOf(answered.Notices)
	return answered, nil
}

// onSides lets the commands to type next look at the same sides.
func onSides(f *fault.Error, sides string) error {
	for i := range f.Next {
		f.Next[i] += sides
	}
	return f
}
