package hooks

import (
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// stub is a hook file of ours. Version is what its marker says, 0 where that is no number. Binary is the recorded path;
// known tells that the text is exactly what this version writes with that path.
type stub struct {
	version int
	binary  string
	known   bool
}

// marker opens the second line of every hook that any version writes; after it stand the version and the hook's name.
const marker = "# git-standards hook v"

// version is that of the text below. A change of the text needs a new one.
const version = 1

// The text of a hook is head, the quoted path of the binary, tail; NAME stands for the hook's name.
//
// An original gets the exact arguments and standard input, and its exit code ends the hook. One that calls a copy of this
// hook, as some tools do with what they found, would come round for ever: GIT_STANDARDS_CHAIN tells such a copy that the
// originals are running already, so that it only judges. What is found on PATH must be absolute: the current directory is
// the repository, which may hold a program of that name. The variables are prefixed because one that the user exports
// would otherwise reach the originals changed.
const (
	head = `#!/bin/sh
# git-standards hook v1 NAME
# Written by "git standards hooks install"; "git standards hooks uninstall" puts back what was here before.
# That is kept beside as NAME.git-standards-original and runs first, when it is executable.
gs_name=NAME
gs_recorded=`
	tail = `

case $0 in */*) gs_dir=${0%/*} ;; *) gs_dir=. ;; esac
gs_here=
gs_input=
gs_feed() {
	if [ -n "$gs_input" ]; then printf %s "${gs_input%.}" 2>/dev/null | "$@"; else "$@"; fi
}
for gs_original in "$gs_dir/$gs_name.git-standards-original" "$gs_dir/$gs_name.git-standards-original-"[2-9]; do
	[ -f "$gs_original" ] && [ -x "$gs_original" ] || continue
	if [ -z "$gs_here" ]; then
		gs_here=$(CDPATH= cd -- "$gs_dir" && pwd -P)/$gs_name
		[ "$GIT_STANDARDS_CHAIN" != "$gs_here" ] || break
		case $gs_name in pre-push | *-receive) gs_input=$(cat && echo .) ;; esac
	fi
	(GIT_STANDARDS_CHAIN=$gs_here && export GIT_STANDARDS_CHAIN && gs_feed "$gs_original" "$@") || exit
done
gs_bin=$gs_recorded
[ -f "$gs_bin" ] && [ -x "$gs_bin" ] || gs_bin=$(command -v git-standards)
case $gs_bin in
/*) ;;
*)
	printf 'git-standards: %s refused: neither %s nor a git-standards on PATH can be run; install %s\n' "$gs_name" "$gs_recorded" \
		'git-standards, then type: git standards hooks install' >&2
	exit 3
	;;
esac
[ -z "$gs_input" ] || {
	gs_feed "$gs_bin" hook "$gs_name" "$@"
	exit
}
exec "$gs_bin" hook "$gs_name" "$@"
`
)

// render makes the text of a hook.
func render(name, binary string) string {
	return strings.ReplaceAll(head, "NAME", name) + fault.PosixWord(binary) + tail
}

// parse recognises a hook of ours, or returns nil.
func parse(name, text string) *stub {
	_, second, _ := strings.Cut(text, "\n")
	label, isOurs := strings.CutPrefix(second, marker)
	if !isOurs {
		return nil
	}
	digits, _, _ := strings.Cut(label, " ")
	number, _ := strconv.Atoi(digits)
	word, isHead := strings.CutPrefix(text, strings.ReplaceAll(head, "NAME", name))
	word, isTail := strings.CutSuffix(word, tail)
	if !isHead || !isTail || len(word) < 2 {
		return &stub{version: number}
	}
	binary := strings.ReplaceAll(word[1:len(word)-1], `'\''`, "'")
	return &stub{version: number, binary: binary, known: render(name, binary) == text}
}
