package authored

import "github.com/git-standards/git-standards/engine/identity"

// Scalar writes a string as one YAML scalar on one line, quoted wherever a reader might take it for something else.
func Scalar(s string) string {
	var w writer
	w.scalar(s)
	return w.out.String()
}

// FlowList writes strings as one YAML list on one line, such as the heading of a unit.
func FlowList(list []string) string {
	var w writer
	w.flow(identity.Texts(list))
	return w.out.String()
}
