package main

import (
	"fmt"
	"io"
	"os"
)

// What a CI service's own file must say to have what a verdict needs (RULES H4).
const (
	githubDepth = `  in the workflow:
    - uses: actions/checkout@v4
      with:
        fetch-depth: 0
`
	gitlabDepth = `  in .gitlab-ci.yml:
    variables:
      GIT_DEPTH: "0"
`
	// GitLab fetches the branch or merge request that runs, and no other.
	gitlabBranches = `    before_script:
      - git fetch origin "+refs/heads/*:refs/remotes/origin/*"
`
	noFilter = "  and nothing that leaves objects out, such as filter:\n"
)

// printCI says what the file of the CI service at hand must say where history, a branch or an object is not here. Of a service that is not
// known by a variable of its own, it shows both.
func printCI(w io.Writer, code string) {
	if code != "HISTORY.SHALLOW" && code != "REVISION.UNKNOWN" && code != "OBJECT.MISSING" {
		return
	}
	github, gitlab := os.Getenv("GITHUB_ACTIONS") != "", os.Getenv("GITLAB_CI") != ""
	if !github && !gitlab {
		if os.Getenv("CI") == "" {
			return
		}
		github, gitlab = true, true
	}
	if github {
		fmt.Fprint(w, githubDepth)
	}
	if gitlab {
		fmt.Fprint(w, gitlabDepth)
		if code == "REVISION.UNKNOWN" {
			fmt.Fprint(w, gitlabBranches)
		}
	}
	if code == "OBJECT.MISSING" {
		fmt.Fprint(w, noFilter)
	}
}
