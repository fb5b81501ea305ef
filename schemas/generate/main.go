// Command generate writes what is made from the schemas: the native types of engine/wire with their decoders, the definitions of the
// tools for agents, and the reference of all that people write. It promises that a schema outside the projection profile (doc/contract.md)
// changes no file, and that equal schemas give equal bytes. It is run by `go generate ./...`.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-standards/git-standards/schemas"
)

func main() {
	top := "."
	if len(os.Args) > 1 {
		top = os.Args[1]
	}
	if err := write(schemas.Text(), top); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// output is one generated file: its path from the top of the repository, and its text.
type output struct {
	path string
	text []byte
}

// write generates from a schema text into the repository whose top is given: everything or, after an error, nothing.
func write(text []byte, top string) error {
	files, err := generate(text)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(file.path)), file.text, 0o644); err != nil {
			return fmt.Errorf("writing what was generated: %w", err)
		}
	}
	return nil
}

func generate(text []byte) ([]output, error) {
	contract, err := schemas.Compile(text)
	if err != nil {
		return nil, err
	}
	if err := checkNames(contract); err != nil {
		return nil, err
	}
	var files []output
	for _, part := range []struct {
		path string
		make func(*schemas.Contract) ([]byte, error)
	}{
		{"engine/wire/types_gen.go", writeTypes},
		{"engine/wire/decode_gen.go", writeDecoders},
		{"schemas/agent-tools.json", writeTools},
		{"schemas/generate/decoders_gen_test.go", writeTable},
		{"doc/reference.md", writeReference},
	} {
		text, err := part.make(contract)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.path, err)
		}
		files = append(files, output{part.path, text})
	}
	return files, nil
}
