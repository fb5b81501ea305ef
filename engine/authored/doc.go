// Package authored reads what people write: the manifest, the front matter and headings of modules, decision files and
// identifiers (RULES A, E1), and writes decision files.
//
// It promises that every fault of a text is found in one pass, as a finding with file, line, a code that never changes
// its meaning and what to do next; that nothing is guessed, repaired or skipped; and that hostile text costs bounded time
// and memory. It reads one text at a time: whether an id names something, a glob matches something or two files agree is
// for package corpus to say, and how YAML is read and written for package yamltext.
package authored
