package hooks

import "testing"

// The right values are derived from RULES I1 and I2.
func TestDecide(t *testing.T) {
	t.Parallel()
	var (
		mine           = Question{Mine: true}
		mineBlocked    = Question{Mine: true, Blocked: true}
		awaiting       = Question{}
		waivable       = Question{Waivable: true}
		waivedBlocked  = Question{Waivable: true, Blocked: true}
		awaitedBlocked = Question{Blocked: true}
	)
	for _, c := range []struct {
		name          string
		where         Where
		setting       Setting
		questions     []Question
		onlyDecisions bool
		want          Verdict
	}{
		{"nothing open, commit", Commit, Mine, nil, false, Pass},
		{"nothing open, push", Push, All, nil, false, Pass},
		{"nothing open, protected", Protected, Mine, nil, false, Pass},
		{"mine", Commit, Mine, []Question{mine}, false, Refuse},
		{"mine by default", Push, "", []Question{mine}, false, Refuse},
		{"mine among others", Push, Mine, []Question{awaiting, mineBlocked, mine}, false, Refuse},
		{"mine, all", Commit, All, []Question{mine}, false, Refuse},
		{"mine, warn", Commit, Warn, []Question{mine}, false, Say},
		{"mine, warn, push", Push, Warn, []Question{mine}, false, Say},
		{"only another's", Commit, Mine, []Question{awaiting}, false, Say},
		{"only another's, all", Push, All, []Question{awaiting}, false, Say},
		{"waivable only", Commit, Mine, []Question{waivable}, false, Say},
		{"waivable only, all", Commit, All, []Question{waivable}, false, Refuse},
		{"blocked already", Commit, Mine, []Question{mineBlocked}, false, Say},
		{"blocked already, all", Push, All, []Question{mineBlocked, waivedBlocked, awaitedBlocked}, false, Say},
		{"only decisions change", Commit, Mine, []Question{mine}, true, Say},
		{"only decisions change, all", Commit, All, []Question{mine, waivable}, true, Say},
		{"a push is no commit", Push, Mine, []Question{mine}, true, Refuse},
		{"protected, mine", Protected, Mine, []Question{mine}, false, Refuse},
		{"protected, another's", Protected, Mine, []Question{awaiting}, false, Refuse},
		{"protected, blocked", Protected, All, []Question{mineBlocked}, false, Refuse},
		{"protected, warn", Protected, Warn, []Question{awaiting}, false, Refuse},
		{"protected, only decisions", Protected, Warn, []Question{mine}, true, Refuse},
	} {
		if got := Decide(c.where, c.setting, c.questions, c.onlyDecisions); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
