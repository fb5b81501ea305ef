package main

import (
	"github.com/git-standards/git-standards/engine/wire"
)

// notBound is what is said of a verdict that hangs on more than a state holds.
const notBound = "whether the attesters listed the whole horizon hangs on files that no state covers"

// printProjection says for people what a state says by itself: the verdict, what is open, what answers it, and by which grants.
func (c *console) printProjection(p *wire.Projection) {
	switch p.Verdict {
	case "complete":
		c.say("%s", c.green("complete: nothing is open"))
	case "pending":
		c.say("%s", c.red("pending"))
	default:
		c.say("%s: %s", c.bold(p.Verdict), notBound)
	}
	c.say("%s", c.faint(count(p.Asked, "question is asked", "questions are asked")+", issuer "+p.Issuer+", coverage "+p.Coverage))
	for _, q := range p.Questions {
		why := ""
		if q.Reason != nil {
			why = ", " + *q.Reason
		}
		c.say("  %s  %s  %s", c.bold(q.State), subjectOf(q.About, q.Kind), c.faint(q.Kind+why))
	}
	c.section(len(p.Decisions), "answer", "answers")
	for _, d := range p.Decisions {
		counts, proven := "", ""
		if !d.Counted {
			counts = ", dormant"
		}
		if d.Trust == "signed" && !d.Proven {
			proven = ", not proven here"
		}
		c.say("  %s  %s  %s", cut(d.Result), subjectOf(d.About, d.Kind), c.faint(clean(d.Principal)+", "+d.Trust+proven+counts))
	}
	c.section(len(p.Facts), "fact", "facts")
	for _, f := range p.Facts {
		said := f.State
		if f.Value != nil {
			said = cut(*f.Value)
		}
		c.say("  %s  %s", f.Fact, said)
	}
	c.section(len(p.Grants), "grant", "grants")
	for _, g := range p.Grants {
		c.say("  %s  %s  %s", clean(g.Principal), g.Capability, c.faint(g.Grant))
	}
	for _, certificate := range p.Certificates {
		said := "not in this store"
		if certificate.Stored {
			said = "the horizon was whole when this was recorded"
		}
		c.say("%s  %s", certificate.Certificate, c.faint(said))
	}
	c.say("%s", c.faint(p.Analysis.ID))
}

func (c *console) section(n int, one, many string) {
	if n > 0 {
		c.say("%s", c.bold(count(n, one, many)))
	}
}
