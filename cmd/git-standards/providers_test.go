package main_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/observe"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
)

// readAnswer is what a command printed, read as the command reads it.
func readAnswer(task *observe.Task, printed string) (*observe.Claim, error) {
	tree, err := schemas.Read("providerAnswer", []byte(printed))
	if err != nil {
		return nil, err
	}
	return task.Read(wire.DecodeProviderAnswer(tree), []byte(printed))
}

// What a provider prints is one answer or none: nothing is guessed from what may have been meant.
func TestProviderAnswers(t *testing.T) {
	t.Parallel()
	of := func(kind string, nullable bool, values ...string) facts.Contract {
		return facts.Contract{ID: "x", Revision: 1, Type: kind, Nullable: nullable, Values: values, Context: facts.ContextChange, Capability: facts.Capability}
	}
	boolean, set, text := of(facts.TypeBoolean, false), of(facts.TypeEnumSet, true, "api", "ui"), of(facts.TypeString, false)
	for _, row := range []struct {
		contract facts.Contract
		printed  string
		want     string // as it is shown, or a code
	}{
		{boolean, `{"result":"claim","value":true}`, "true"},
		{boolean, " \r\n{ \"value\" : false,\r\n\t\"result\":\"claim\" }\r\n", "false"},
		{boolean, `{"result":"claim","value":"true"}`, "PROVIDER.VALUE"},
		{boolean, `{"result":"claim","value":1}`, "PROVIDER.VALUE"},
		{boolean, `{"result":"claim","value":null}`, "PROVIDER.VALUE"},
		{boolean, `{"result":"claim","value":{}}`, "PROVIDER.VALUE"},
		{set, `{"result":"claim","value":["ui","api","ui"]}`, `["api","ui"]`},
		{set, `{"result":"claim","value":[]}`, `[]`},
		{set, `{"result":"claim","value":null}`, "absent"},
		{set, `{"result":"claim","value":["db"]}`, "PROVIDER.VALUE"},
		{set, `{"result":"claim","value":[["ui"]]}`, "PROVIDER.VALUE"},
		{text, `{"result":"claim","value":"a\u0000\ud83d\ude00"}`, "a\x00\U0001f600"},
		{text, `{"result":"claim","value":""}`, "PROVIDER.VALUE"},
		{text, `{"result":"no-observation"}`, "nothing"},
		{text, `{"result":"no-observation","reason":"no log"}`, "nothing"},
		{text, `{"result":"unavailable","reason":"no shellcheck"}`, "PROVIDER.UNAVAILABLE"},
		{text, ``, "JSON.SYNTAX"},
		{text, `true`, "JSON.SHAPE"},
		{text, `[{"result":"no-observation"}]`, "JSON.SHAPE"},
		{text, `{"result":"claim"}`, "JSON.SHAPE"},
		{text, `{"result":"claim","value":"x","confidence":1}`, "JSON.SHAPE"},
		{text, `{"result":"no-observation","value":"x"}`, "JSON.SHAPE"},
		{text, `{"result":"no-observation","reason":null}`, "JSON.SHAPE"},
		{text, `{"result":"no-observation","reason":""}`, "JSON.SHAPE"},
		{text, `{"result":"unavailable"}`, "JSON.SHAPE"},
		{text, `{"result":"Claim","value":"x"}`, "JSON.SHAPE"},
		{text, `{"Result":"claim","value":"x"}`, "JSON.SHAPE"},
		{text, `{"result":"claim","value":"x"}{"result":"claim","value":"x"}`, "JSON.SYNTAX"},
		{text, "{\"result\":\"claim\",\"value\":\"x\"}\nnull", "JSON.SYNTAX"},
		{text, `{"result":"claim","value":"x","value":"y"}`, "JSON.DUPLICATE_KEY"},
		{text, `{"result":"claim","value":1.0}`, "JSON.NUMBER"},
		{text, `{"result":"claim","value":1e400}`, "JSON.NUMBER"},
		{text, `{"result":"claim","value":NaN}`, "JSON.SYNTAX"},
		{text, "\xef\xbb\xbf{\"result\":\"claim\",\"value\":\"x\"}", "JSON.SYNTAX"},
		{text, "{\"result\":\"claim\",\"value\":\"\xff\"}", "JSON.ENCODING"},
		{text, `{"result":"claim","value":"\ud800"}`, "JSON.ENCODING"},
		{text, `{"result":"claim","value":"x"`, "JSON.SYNTAX"},
		{text, `{"result":"claim","value":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "JSON.DEPTH"},
		{text, "ok\n{\"result\":\"claim\",\"value\":\"x\"}", "JSON.SYNTAX"},
	} {
		task := &observe.Task{Question: &question.Question{Contract: &row.contract}, Provider: authored.Provider{ID: "ci.ui"}, Fact: authored.Fact{ID: "x"}}
		claim, err := readAnswer(task, row.printed)
		got := ""
		if f := fault.As(err); f != nil {
			got = f.Code
		} else if err == nil {
			got = task.Shown(claim)
			if string(claim.Printed) != row.printed {
				t.Errorf("%s: printed %q", row.printed, claim.Printed)
			}
		}
		if got != row.want {
			t.Errorf("%.100s: %s, not %s (%v)", row.printed, got, row.want, err)
		}
	}
}

func FuzzProviderAnswer(f *testing.F) {
	f.Add([]byte(`{"result":"claim","value":["ui","api"]}`))
	f.Add([]byte(`{"result":"no-observation","reason":"x"}`))
	f.Add([]byte(`{"result":"unavailable","reason":"x"}`))
	f.Add([]byte("\xef\xbb\xbf{}"))
	c := facts.Contract{ID: "x", Revision: 1, Type: facts.TypeEnumSet, Nullable: true, Values: []string{"api", "ui"}, Context: facts.ContextChange, Capability: facts.Capability}
	task := &observe.Task{Question: &question.Question{Contract: &c}, Provider: authored.Provider{ID: "ci.ui"}, Fact: authored.Fact{ID: c.ID}}
	f.Fuzz(func(t *testing.T, printed []byte) {
		claim, err := readAnswer(task, string(printed))
		if err != nil {
			if fault.As(err) == nil {
				t.Fatal(err)
			}
			return
		}
		// What is claimed is a value of the contract, in its one form.
		if again, err := c.Check(claim.Value); claim.Observed && (err != nil || !cmp.Equal(again, claim.Value)) {
			t.Fatalf("%v: %v", claim.Value, err)
		}
	})
}
