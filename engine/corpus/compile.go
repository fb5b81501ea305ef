package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

// Structure returns the structural digest of normalized text (RULES A8; doc/normalization.md).
func Structure(normal string) (string, error) {
	return identity.Hash("coding-standards:unit-structure:v1", "structure", normal)
}

func compileModule(name string, data []byte) (*compiled, error) {
	done := &compiled{data: data}
	if !front.IsModule(data) {
		return done, nil
	}
	if err := content.CheckPath(name); err != nil {
		done.findings = []reading.Finding{{
			Code: "MODULE.PATH", Severity: reading.SeverityError, File: name, Line: 1,
			Message: "the file name cannot be recorded: " + err.Error(), Next: "rename the file",
		}}
		return done, nil
	}
	module, findings := authored.ParseModule(name, data)
	done.findings = findings
	if module == nil || HasErrors(findings) {
		// What could be read still takes part in the checks across modules, so that all findings come at once.
		if module == nil || slices.ContainsFunc(findings, hidesIDs) {
			done.mayDeclare = front.MayDeclare(data)
		}
		if module != nil && module.ID != "" {
			done.module = &Module{Module: module, units: map[string]*Unit{}}
			for i := range module.Units {
				done.module.units[module.Units[i].ID] = &Unit{Unit: &module.Units[i], Module: done.module}
			}
		}
		return done, nil
	}
	m := &Module{Module: module, units: map[string]*Unit{}}
	var err error
	if m.Outside, err = Structure(module.Outside.Normal); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range module.Units {
		unit := &Unit{Unit: &module.Units[i], Module: m, Representation: identity.Bytes(module.Units[i].Text.Raw)}
		if unit.Structure, err = Structure(unit.Text.Normal); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.units[unit.ID] = unit
	}
	if m.Node, err = m.node(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	done.module = m
	return done, nil
}

// hidesIDs reports a finding for which an id that stands in the module may not have been read.
func hidesIDs(f reading.Finding) bool {
	return strings.HasPrefix(f.Code, "YAML.") || f.Code == "MODULE.ID"
}

// add takes a module into the corpus; a repeated id is a finding and the first in path order stays.
func (c *Corpus) add(m *Module) {
	c.Modules = append(c.Modules, m)
	if first := c.modules[m.ID]; first != nil {
		c.find("MODULE.ID_REPEATED", m.File, m.Line, fmt.Sprintf("module id %q is taken by %s:%d", m.ID, first.File, first.Line), "give one of the two another id")
		return
	}
	c.modules[m.ID] = m
}
