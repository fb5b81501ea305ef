package question

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/identity"
)

type vector struct{ Name, Domain, Kind, Value, Canonical, ID string }

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// record reads a vector's value: encoding/json for the values of these vectors, which hold no integer beyond float64.
func record(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return normal(value)
}

func normal(value any) any {
	switch v := value.(type) {
	case float64:
		return int64(v)
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = normal(v[key])
		}
	}
	return value
}

// The ids were computed by scripts/identity_vectors.py.
func TestQuestionVectorsAreAdmittedAndHashToTheirIDs(t *testing.T) {
	doc, err := os.ReadFile("../../../doc/questions.md")
	if err != nil {
		t.Fatal(err)
	}
	questions := 0
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			value := record(t, v.Value)
			id, err := identity.Hash(v.Domain, v.Kind, value)
			if err != nil || id != v.ID {
				t.Fatalf("id %s, %v; want %s", id, err, v.ID)
			}
			if !strings.Contains(string(doc), v.ID) {
				t.Errorf("doc/questions.md does not give %s", v.ID)
			}
			if v.Kind != Codec.Kind {
				return
			}
			questions++
			sealed, err := Codec.Seal(value)
			if err != nil || sealed.ID != v.ID {
				t.Fatalf("sealed as %s, %v", sealed.ID, err)
			}
		})
	}
	if questions < len(preimages) {
		t.Errorf("%d vectors for %d preimages", questions, len(preimages))
	}
}

// RULES D3: a record is closed, so that one question has one id.
func TestQuestionRecordsAreClosed(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Kind != Codec.Kind {
			continue
		}
		whole := record(t, v.Value).(identity.Record)
		for key := range whole {
			less := record(t, v.Value).(identity.Record)
			delete(less, key)
			if _, err := Codec.Seal(less); err == nil {
				t.Errorf("%s without %s is admitted", v.Name, key)
			}
			for name, wrong := range map[string]any{"a boolean": true, "an empty text": ""} {
				if key == "old" || key == "new" {
					continue // any value may have been declared
				}
				other := record(t, v.Value).(identity.Record)
				other[key] = wrong
				if _, err := Codec.Seal(other); err == nil {
					t.Errorf("%s with %s for %s is admitted", v.Name, name, key)
				}
			}
		}
		more := record(t, v.Value).(identity.Record)
		more["note"] = "x"
		if _, err := Codec.Seal(more); err == nil {
			t.Errorf("%s with one field more is admitted", v.Name)
		}
	}
}

func TestProgramAlwaysIsItsVector(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Name == "program-always" && v.ID == ProgramAlways {
			return
		}
	}
	t.Errorf("ProgramAlways is %s, which is no vector", ProgramAlways)
}
