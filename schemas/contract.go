package schemas

// The versions of the public contract (DESIGN 3): of the interface as a whole, of what is asked, and of how results are
// projected to native types and tools.
const (
	Interface        = 11
	RequestContract  = 3
	ResultProjection = 3
)

// Contract is a schema text that lies within the projection profile (doc/contract.md), compiled: what native types and
// tools are generated from. Defs are in the order of the text; Document is the union of all that is printed.
type Contract struct {
	Defs     []*Def
	Document *Def
}

// Def is one named definition. Its Type is no Ref.
type Def struct {
	Name        string
	Description string
	Type        *Type
}

// Kind is what a type describes.
type Kind string

// The kinds of types. Canonical is any value of the identity encoding, FactValue a boolean, a string or a list of strings.
const (
	Object    Kind = "object"
	Union     Kind = "union"
	String    Kind = "string"
	Integer   Kind = "integer"
	Boolean   Kind = "boolean"
	Array     Kind = "array"
	Canonical Kind = "canonical"
	FactValue Kind = "factValue"
	Ref       Kind = "ref"
)

// Type is the type of a definition, property or item. Beside Kind, Nullable and Description only the fields of its kind
// are set.
type Type struct {
	Kind        Kind
	Nullable    bool
	Description string

	Def      *Def     // Ref
	Fields   []Field  // Object, in order
	Tag      string   // Union: the property that tells its branches apart
	Branches []Branch // Union, in order

	Item               *Type // Array
	MinItems, MaxItems int64
	Unique             bool

	Texts                []string // String: the only ones allowed; then no length and pattern
	MinLength, MaxLength int64
	Pattern              string

	Numbers          []int64 // Integer: the only ones allowed; then no bounds
	Minimum, Maximum int64
}

// Field is one property of an object. One that is not required is absent where there is nothing, and never null.
type Field struct {
	Name     string
	Type     *Type
	Required bool
}

// Branch is one alternative of a union: an object whose tag has one of Values.
type Branch struct {
	Def    *Def
	Values []string
}

// Resolve follows references: a definition's own type, with the nullability and description of the place that refers.
func (t *Type) Resolve() *Type {
	if t.Kind != Ref {
		return t
	}
	resolved := *t.Def.Type
	resolved.Nullable = t.Nullable
	if resolved.Description = t.Description; t.Description == "" {
		resolved.Description = t.Def.Description
	}
	return &resolved
}

// Find returns the definition with a name.
func (c *Contract) Find(name string) (*Def, bool) {
	for _, def := range c.Defs {
		if def.Name == name {
			return def, true
		}
	}
	return nil, false
}
