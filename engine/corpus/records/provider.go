package records

import (
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/identity"
)

const definitionDomain = "coding-standards:provider-definition:v1"

// ProviderDefinition is the digest of what a provider does, "provider-definition:sha256:…": whoever agrees to one agrees to exactly
// this command (RULES F6).
func ProviderDefinition(p authored.Provider) string {
	id, err := identity.Hash(definitionDomain, "provider-definition", providerRecord(p))
	if err != nil {
		panic("internal error: a provider has no digest: " + err.Error()) // its texts were read from YAML, which is UTF-8
	}
	return id
}
