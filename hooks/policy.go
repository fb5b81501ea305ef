package hooks

// Where is what a hook guards.
type Where string

// The places. Protected stands for a push to a protected ref, whichever hook sees it (RULES I2).
const (
	Commit    Where = "commit"
	Push      Where = "push"
	Protected Where = "protected"
)

// Setting is gate.commit or gate.push of the accepted manifest (RULES I1); "" is the default, Mine.
type Setting string

// The settings.
const (
	Mine Setting = "mine"
	All  Setting = "all"
	Warn Setting = "warn"
)

// Question is what the policy looks at of one open question. Mine: this person may give its usual answers. Waivable: this
// person may close it, though only by a waiver. Blocked: it is answered `blocked`, which nobody can close by adding.
type Question struct{ Mine, Waivable, Blocked bool }

// Verdict is what a hook does with the open questions: Pass, there are none; Say, they are printed and the hook exits 0;
// Refuse, they are printed and it exits 1.
type Verdict string

// The verdicts.
const (
	Pass   Verdict = "pass"
	Say    Verdict = "say"
	Refuse Verdict = "refuse"
)

// Decide applies RULES I1 and I2 to the open questions. onlyDecisions says of a commit that it differs from its first parent
// only under standards/decisions/. Invalid text is refused before and is not decided here.
func Decide(where Where, setting Setting, questions []Question, onlyDecisions bool) Verdict {
	switch {
	case len(questions) == 0:
		return Pass
	case where == Protected:
		return Refuse
	case setting == Warn, where == Commit && onlyDecisions:
		return Say
	}
	for _, q := range questions {
		// Nobody is refused for a question that they cannot close at this moment, whatever the setting.
		closable := q.Mine || setting == All && q.Waivable
		if closable && !q.Blocked {
			return Refuse
		}
	}
	return Say
}
