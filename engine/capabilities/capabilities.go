// Package capabilities is the five things that somebody may be allowed to do (RULES F1). Who may is trust, and what an answer needs, question.
package capabilities

// The capabilities of RULES F1.
const (
	Analyze        = "standards.analyze"
	ReviewConsumer = "standards.review.consumer"
	ReviewImpact   = "standards.review.impact"
	ReviewAudit    = "standards.review.audit"
	Waive          = "standards.waive"
)

// All lists them.
func All() []string { return []string{Analyze, ReviewConsumer, ReviewImpact, ReviewAudit, Waive} }

// NeedsSignature reports whether an answer that needs a capability is signed where the authority asks for signatures (RULES F3). Facts are not.
func NeedsSignature(capability string) bool { return capability != Analyze }
