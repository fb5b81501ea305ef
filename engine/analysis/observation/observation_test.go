package observation_test

import (
	"maps"
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/observation"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/identity"
)

func TestCodecsTakeClosedRecordsAlone(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := authoritytest.Vectors(t, text, observation.Codecs()...)
	for name, codec := range map[string]authority.Codec{
		"a context of three units": observation.ContextCodec,
		"a requirement":            observation.RequirementCodec,
		"an observation":           observation.ObservationCodec,
		"an absence":               observation.ObservationCodec,
	} {
		authoritytest.Refuses(t, codec, vectors[name].Payload, ".value") // which value, the contract of the requirement says
	}
	change := func(vector string, changes identity.Record) any {
		payload := maps.Clone(vectors[vector].Payload.(identity.Record))
		maps.Copy(payload, changes)
		return payload
	}
	units := vectors["a context of three units"].Payload.(identity.Record)["units"].(identity.List)
	nowhere := identity.Record{"unit": "a", "accepted": nil, "proposed": nil}
	digest := vectors["an observation"].Payload.(identity.Record)["evidence"].(identity.List)[0]
	for name, wrong := range map[string]struct {
		codec   authority.Codec
		payload any
	}{
		"a unit twice":                {observation.ContextCodec, change("a context of three units", identity.Record{"units": identity.List{units[0], units[0]}})},
		"units out of order":          {observation.ContextCodec, change("a context of three units", identity.Record{"units": identity.List{units[1], units[0]}})},
		"a unit on neither side":      {observation.ContextCodec, change("a context of three units", identity.Record{"units": identity.List{nowhere}})},
		"another context":             {observation.ContextCodec, change("a context of three units", identity.Record{"context_kind": "task-route"})},
		"another fact":                {observation.RequirementCodec, change("a requirement", identity.Record{"fact": "ui.hidden"})},
		"another revision":            {observation.RequirementCodec, change("a requirement", identity.Record{"revision": int64(2)})},
		"another capability":          {observation.RequirementCodec, change("a requirement", identity.Record{"capability": "standards.waive"})},
		"a value that is absent":      {observation.ObservationCodec, change("an observation", identity.Record{"state": "known-absent"})},
		"no value that is known":      {observation.ObservationCodec, change("an absence", identity.Record{"state": "known"})},
		"a state that is none":        {observation.ObservationCodec, change("an observation", identity.Record{"state": "unknown"})},
		"evidence twice":              {observation.ObservationCodec, change("an observation", identity.Record{"evidence": identity.List{digest, digest}})},
		"a grant of another kind":     {observation.ObservationCodec, change("an observation", identity.Record{"grant": vectors["an observation"].ID})},
		"a requirement of other kind": {observation.ObservationCodec, change("an observation", identity.Record{"requirement": vectors["an observation"].ID})},
	} {
		if _, _, err := wrong.codec.Examine(wrong.payload); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
