// Package yamltext reads and writes YAML, and knows nothing of what the texts are for.
//
// It promises that a text is read strictly: one document of UTF-8 in bounded time and memory, closed mappings without a
// repeated key, values of the kind that the core schema of YAML 1.2 gives them, no alias, no anchor, no merge key and no tag
// resolved; that whatever is refused is reported with its line, a code that never changes its meaning and what to write
// instead; and that what it writes any reader reads as the value given. Which keys and values a text may have is for its
// callers to say.
package yamltext
