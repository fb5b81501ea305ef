package main

import (
	"strings"

	"github.com/git-standards/git-standards/engine/wire"
)

// shortDigits is how many hex digits a handle in a drawing has: enough for inspect.
const shortDigits = 12

// printClosure draws what an object rests on as a tree. What stands in it more than once is drawn below its first place alone.
func (c *console) printClosure(closure *wire.Closure) error {
	under := make(map[string][]string, len(closure.Objects))
	for _, object := range closure.Objects {
		under[object.ID] = object.Dependencies
	}
	drawn := map[string]bool{}
	var draw func(id, indent string)
	draw = func(id, indent string) {
		kind, digits, _ := strings.Cut(id, ":sha256:")
		again := drawn[id]
		drawn[id] = true
		line := indent + kind + ":" + digits[:shortDigits]
		if again {
			c.say("%s %s", line, c.faint("(above)"))
			return
		}
		c.say("%s", line)
		for _, below := range under[id] {
			draw(below, indent+"  ")
		}
	}
	draw(closure.Handle.ID, "")
	c.say("%s, each proven; %s", c.bold(count(len(closure.Objects), "object", "objects")), closure.Derived)
	return nil
}
