package authored

// Scalar writes a string as one YAML scalar on one line, quoted wherever a reader might take it for something else.
func Scalar(s string) string {
	var w writer
	w.scalar(s)
	return w.out.String()
}
