// Package wire is the public shapes of requests and results as Go types: what `--format json` prints, and what the four
// operations take and return. They are generated from schemas/standards.v11.schema.json, which alone says what they are.
//
// Every key of a result is always present; a pointer is null where there is nothing. A key of a request that may be absent
// is one that holds nothing. A decoder takes a tree that package schemas has validated and checks no rule of the schema
// again: it panics on any other. Beside the types there is no behaviour but the conversion to JSON text.
package wire

//go:generate go run ../../schemas/generate ../..
