package main

import (
	"os"
	"path/filepath"

	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/schemas"
	"github.com/git-standards/git-standards/store"
)

// schemasFolder is where editors find the schemas of what people write, below the store's folder.
const schemasFolder = "schemas"

// keepSchemas puts the schemas of what people write where the comment of a scaffolded file points, in each worktree its
// own. They are a help while typing and nothing depends on them: where they cannot be written, nothing is said.
func (s *session) keepSchemas() {
	top := s.Repo.TopLevel
	if top == "" {
		return
	}
	if _, err := os.Lstat(filepath.Join(top, filepath.FromSlash(corpus.ManifestPath))); err != nil {
		return // nobody writes standards here
	}
	files := map[string][]byte{}
	for _, name := range schemas.AuthoredNames() {
		files[name+".schema.json"], _ = schemas.Authored(name)
	}
	_ = store.Keep(top, schemasFolder, files)
}

// schemaComment is the line by which yaml-language-server, and what is built on it, knows a file's schema, given the way
// from the file's folder to the top.
func schemaComment(up, name string) string {
	return "# yaml-language-server: $schema=" + up + "/" + store.FolderName + "/" + schemasFolder + "/" + name + ".schema.json"
}
