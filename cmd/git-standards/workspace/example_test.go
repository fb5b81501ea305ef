package workspace_test

import (
	"context"
	"fmt"
	"log"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/wire"
)

// Judge the worktree at hand and answer what is open, from Go.
func Example() {
	ctx := context.Background()
	standards := engine.New(workspace.Opener(workspace.Options{Dir: "."}))
	result, err := standards.Prepare(ctx, wire.PrepareRequest{})
	if err != nil {
		log.Fatal(err) // the context ended
	}
	switch r := result.(type) {
	case wire.Pending:
		for _, q := range r.Questions {
			fmt.Println(q.Abbrev, q.Kind, q.Reason, q.Results)
		}
		answer := wire.Answer{Question: r.Questions[0].Question, Result: wire.Optional("blocked"), Rationale: "Bo looks at it on Monday"}
		answered, err := standards.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{answer}})
		if err != nil {
			log.Fatal(err)
		}
		if pending, ok := answered.(wire.Pending); ok {
			fmt.Println(pending.Written, len(pending.Questions), "open")
		}
	case wire.Complete:
		fmt.Println("nothing is open:", r.Analysis.ID)
	case wire.Adoption:
		fmt.Println("no standard is in force yet")
	case wire.Rejected:
		fmt.Println(r.Code, r.Message, r.Next)
	}
}
