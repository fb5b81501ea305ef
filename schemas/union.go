package schemas

import (
	"fmt"
	"slices"
	"strings"
)

// union compiles a oneOf; its branches are looked at when every definition is compiled.
func (c *compiler) union(o *object, at string) *Type {
	t := &Type{Kind: Union}
	list, _ := o.of["oneOf"].([]any)
	if len(list) == 0 {
		c.refuse("VALUE", at+"/oneOf", "oneOf must be a list of references")
	}
	for i, item := range list {
		place := fmt.Sprintf("%s/oneOf/%d", at, i)
		branch, ok := item.(*object)
		if ok && len(branch.keys) == 1 && branch.of["$ref"] != nil {
			t.Branches = append(t.Branches, Branch{Def: c.reference(branch.of["$ref"], place+"/$ref")})
			continue
		}
		c.refuse("UNTAGGED_UNION", place, "a branch of oneOf must be a $ref to an object with a tag, and nothing else")
	}
	return t
}

// unions finds the tag of each union: a property that every branch requires and whose listed texts no two branches share.
func (c *compiler) unions(contract *Contract) {
	c.tag(contract.Document.Type, "#/oneOf")
	for _, def := range contract.Defs {
		if def.Type.Kind == Union {
			c.tag(def.Type, "#/$defs/"+def.Name+"/oneOf")
		}
	}
}

func (c *compiler) tag(t *Type, at string) {
	var overlapping []string
	for _, candidate := range t.Branches[0].Def.Type.Fields {
		branches, disjoint := tagged(t.Branches, candidate.Name)
		switch {
		case disjoint:
			t.Tag, t.Branches = candidate.Name, branches
			return
		case branches != nil:
			overlapping = append(overlapping, candidate.Name)
		}
	}
	if overlapping != nil {
		c.refuse("OVERLAPPING_TAGS", at, "two branches share a value of %s", strings.Join(overlapping, ", "))
		return
	}
	c.refuse("UNTAGGED_UNION", at, "no property with listed values is required by every branch")
}

// tagged gives each branch the values that a property has in it; nil where one has no such property.
func tagged(branches []Branch, name string) (list []Branch, disjoint bool) {
	var seen []string
	disjoint = true
	for _, branch := range branches {
		i := slices.IndexFunc(branch.Def.Type.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return nil, false
		}
		field := branch.Def.Type.Fields[i]
		values := field.Type.Resolve().Texts
		if !field.Required || field.Type.Nullable || values == nil {
			return nil, false
		}
		for _, value := range values {
			disjoint = disjoint && !slices.Contains(seen, value)
		}
		seen = append(seen, values...)
		list = append(list, Branch{branch.Def, values})
	}
	return list, disjoint
}

// recursion refuses what has no finite value, or whose native type would hold itself: recursion must pass an array that
// may be empty, a property that may be absent or null, or a union with another branch.
func (c *compiler) recursion(contract *Contract) {
	finite := map[*Def]bool{}
	for changed := true; changed; {
		changed = false
		for _, def := range contract.Defs {
			if !finite[def] && ends(def.Type, finite) {
				finite[def], changed = true, true
			}
		}
	}
	for _, def := range contract.Defs {
		if !finite[def] {
			c.refuse("RECURSION", "#/$defs/"+def.Name, "every value of it would hold another one without an end")
		}
	}
}

func ends(t *Type, finite map[*Def]bool) bool {
	if t.Nullable {
		return true
	}
	switch t.Kind {
	case Ref:
		return finite[t.Def]
	case Array:
		return t.MinItems == 0 || ends(t.Item, finite)
	case Union:
		return slices.ContainsFunc(t.Branches, func(b Branch) bool { return finite[b.Def] })
	case Object:
		return !slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Required && !ends(f.Type, finite) })
	}
	return true
}
