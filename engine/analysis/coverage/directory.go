package coverage

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

const directoryKind = "horizon-directory"

// DirectoryCodec owns horizon-directory: the members of a horizon below one directory, and the directories in it that have some. It
// stands beside a state, which never hangs on it (RULES D2), so that what is left can be looked at later.
var DirectoryCodec = authority.Codec{
	Kind:            directoryKind,
	Domain:          "coding-standards:horizon-directory:v1",
	PayloadContract: "horizon-directory.v1",
	Examine:         examineDirectory,
}

// Directory is the root of members, which are given by path: an edit makes a chain of new objects, not a copy.
func Directory(members []decisionfile.Member) (authority.Node, error) {
	files, folders := identity.List{}, identity.List{}
	var parts []authority.Node
	for len(members) > 0 {
		name, _, isFolder := strings.Cut(members[0].Path, "/")
		if !isFolder {
			files = append(files, identity.Record{"name": name, "blob": members[0].Blob})
			members = members[1:]
			continue
		}
		var below []decisionfile.Member
		for len(members) > 0 && strings.HasPrefix(members[0].Path, name+"/") {
			below = append(below, decisionfile.Member{Path: members[0].Path[len(name)+1:], Blob: members[0].Blob})
			members = members[1:]
		}
		part, err := Directory(below)
		if err != nil {
			return authority.Node{}, err
		}
		folders = append(folders, identity.Record{"name": name, "id": part.ID})
		parts = append(parts, part)
	}
	return DirectoryCodec.Node(identity.Record{"files": files, "folders": folders}, parts...)
}

func examineDirectory(payload any) (any, []authority.Reference, error) {
	fields, ok := payload.(identity.Record)
	files, isFiles := fields["files"].(identity.List)
	folders, isFolders := fields["folders"].(identity.List)
	if !ok || !isFiles || !isFolders || len(fields) != 2 {
		return nil, nil, fmt.Errorf("not an object with lists of files and of folders")
	}
	last := ""
	for _, item := range files {
		file, _ := item.(identity.Record)
		blob, _ := file["blob"].(string)
		if !decisionfile.IsBlob(blob) || len(file) != 2 {
			return nil, nil, fmt.Errorf("a file has no name and Git object id")
		}
		var err error
		if last, err = nextName(file["name"], last); err != nil {
			return nil, nil, err
		}
	}
	last = ""
	var refs []authority.Reference
	for _, item := range folders {
		folder, _ := item.(identity.Record)
		id, _ := folder["id"].(string)
		if kind, _, ok := identity.Split(id); !ok || kind != directoryKind || len(folder) != 2 {
			return nil, nil, fmt.Errorf("a folder has no name and id of its members")
		}
		var err error
		if last, err = nextName(folder["name"], last); err != nil {
			return nil, nil, err
		}
		refs = append(refs, authority.Reference{Kind: directoryKind, ID: id})
	}
	return payload, refs, nil
}

// nextName checks a name of a sorted list.
func nextName(value any, last string) (string, error) {
	name, _ := value.(string)
	if err := content.CheckPath(name); err != nil || strings.Contains(name, "/") || name <= last {
		return "", fmt.Errorf("%q is no name of a file, repeated or out of order", name)
	}
	return name, nil
}
