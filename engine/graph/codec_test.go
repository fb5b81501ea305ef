package graph_test

import (
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// An expression is any record here: what it says, its program's digest says as well.
func TestCodecsTakeClosedRecordsAlone(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := authoritytest.Vectors(t, text, graph.Codecs()...)
	for name, c := range map[string]struct {
		codec authority.Codec
		open  []string
	}{
		"an impact of one fact and two programs": {graph.PolicyImpactCodec, []string{".programs.*.expression.operator", ".programs.*.expression"}},
		"an impact of nothing":                   {graph.PolicyImpactCodec, nil},
		"a graph":                                {graph.GraphCodec, nil},
		"a routing":                              {graph.RoutingCodec, []string{".routing.rules.*.expression"}},
		"no routing":                             {graph.RoutingCodec, nil},
		"a horizon":                              {graph.HorizonCodec, nil},
		"no horizon":                             {graph.HorizonCodec, nil},
	} {
		authoritytest.Refuses(t, c.codec, vectors[name].Payload, c.open...)
	}
	relations := func(row identity.Record) any {
		payload := identity.Record{}
		for key, value := range vectors["a graph"].Payload.(identity.Record) {
			payload[key] = value
		}
		payload["relations"] = identity.List{row}
		return payload
	}
	right := identity.Record{"relation": "prompt-projection", "class": "prompt", "groups": identity.List{"semantic"}, "count": int64(1)}
	if _, _, err := graph.GraphCodec.Examine(relations(right)); err != nil {
		t.Error(err)
	}
	for key, wrong := range map[string]any{"relation": "no-projection", "class": "template", "count": int64(0)} {
		row := identity.Record{}
		for k, value := range right {
			row[k] = value
		}
		row[key] = wrong
		if _, _, err := graph.GraphCodec.Examine(relations(row)); err == nil {
			t.Errorf("taken with %s %v", key, wrong)
		}
	}
}
