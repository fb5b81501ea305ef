// Package authored reads the manifest and modules: front matter, headings and what units, consumers, facts and routing say (RULES A); and
// edits single rows of them.
//
// It promises what package reading promises of every text, that an edit leaves every other byte, and that hostile text costs bounded time
// and memory. It reads one text at a time: whether an id names something, a glob matches something or two files agree is
// for package corpus to say, how YAML is read and written for package yamltext. Decisions and authority.yaml have readers of their own.
package authored
