package operation

import (
	"fmt"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// NavigationCodec owns navigation-result: the answer to a query, and what it was computed from.
var NavigationCodec = authority.Codec{
	Kind:            "navigation-result",
	Domain:          "coding-standards:navigation-result:v1",
	PayloadContract: "navigation-result.v1",
	Examine:         examineNavigation,
}

// NewNavigation makes the result of a query. request is normalized and result says what it means, both as identity values.
func NewNavigation(request, result identity.Record, closure authority.Node) (authority.Node, error) {
	return NavigationCodec.Node(identity.Record{"request": request, "result": result, "closure": closure.ID}, closure)
}

func examineNavigation(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "request", "result", "closure")
	if err != nil {
		return nil, nil, err
	}
	for _, key := range []string{"request", "result"} {
		if _, ok := fields[key].(identity.Record); !ok {
			return nil, nil, fmt.Errorf("%s is not an object", key)
		}
	}
	closure, err := authority.ReferenceTo(fields["closure"], authority.ClosureCodec.Kind)
	return payload, []authority.Reference{closure}, err
}
