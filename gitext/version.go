package gitext

// #include <git2/version.h>
import "C"

import (
	"context"
	"os"
)

// Libgit2Version is the version of libgit2 that this was built with.
func Libgit2Version() string { return C.LIBGIT2_VERSION }

// Version returns the version of git, outside any repository. Faults: GIT.MISSING and GIT.TOO_OLD.
func Version(ctx context.Context) (string, error) {
	git, err := findGit(os.Getenv("PATH"))
	if err != nil {
		return "", err
	}
	r := &Repo{git: git, env: childEnv(os.Environ())}
	err = r.checkVersion(ctx)
	return r.GitVersion, err
}
