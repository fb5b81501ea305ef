package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Parse parses text as one YAML document without judging what stands in it, in particular aliases.
func Parse(text []byte) (Node, error) {
	root, _, err := decode(text)
	if err != nil {
		return Node{}, err
	}
	return Node{root}, nil
}

var errDocuments = errors.New("more than one YAML document")

// decode runs the library over text. Should hostile text make it panic, the panic is reported as what it is: a text
// that cannot be read.
func decode(text []byte) (root *yaml.Node, line int, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the YAML cannot be read: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, 1, errors.New("there is nothing in it")
	case err != nil:
		line, err := libraryError(err)
		return nil, line, err
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, second.Line, errDocuments
	case !errors.Is(err, io.EOF):
		line, err := libraryError(err)
		return nil, line, err
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, 1, errors.New("there is nothing in it")
	}
	return document.Content[0], 0, nil
}

var libraryLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// libraryError takes the line out of the library's message.
func libraryError(err error) (int, error) {
	message := err.Error()
	match := libraryLine.FindStringSubmatch(message)
	if match == nil {
		return 1, errors.New(message)
	}
	line, _ := strconv.Atoi(match[1])
	return max(line, 1), errors.New(message[len(match[0]):])
}

// ErrNoMapping is that the first document of a text is no mapping.
var ErrNoMapping = errors.New("it is no mapping")

// Keys returns the keys of the mapping that the first document of a text is, as a tool reads it that knows nothing of our
// rules; none where there is nothing. Beside an error stands the line of the text that it is about, and the error is
// ErrNoMapping or says what the library could not read.
func Keys(text []byte) (keys []string, line int, err error) {
	var document yaml.Node
	err = decodeFirst(text, &document)
	switch {
	case errors.Is(err, io.EOF):
		return nil, 0, nil
	case err != nil:
		line, err = libraryError(err)
		return nil, line, err
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		if root.Tag == "!!null" {
			return nil, 0, nil
		}
		return nil, max(root.Line, 1), ErrNoMapping
	}
	for i := 0; i < len(root.Content); i += 2 {
		keys = append(keys, root.Content[i].Value)
	}
	return keys, 0, nil
}

// decodeFirst is the library, whose panics over hostile text are errors.
func decodeFirst(text []byte, document *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: it cannot be read: %v", p)
		}
	}()
	if len(text) > MaxBytes {
		return fmt.Errorf("yaml: %d bytes; at most %d are read", len(text), MaxBytes)
	}
	return yaml.NewDecoder(bytes.NewReader(text)).Decode(document)
}
