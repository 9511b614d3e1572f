package shape

import (
	_ "embed"
	"strings"
)

// members is written by the test of this package with -update, from the comments of this package.
//
//go:embed testdata/members.golden
var members string

// Members describes every object and its members, in the words of this package's comments.
func Members() string { return members }

// Objects names the objects that are printed.
func Objects() (names []string) {
	for line := range strings.Lines(members) {
		if name, printed := strings.CutPrefix(line, "paydesk."); printed {
			name, _, _ = strings.Cut(name, "/")
			names = append(names, name)
		}
	}
	return names
}

// Described describes what is called by a name, with or without paydesk. and a version: printed, or in others. It is ""
// where nothing is.
func Described(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "paydesk."), "/")
	var described []string
	parts := strings.Split(strings.TrimSpace(members), "\n\n")
	for i := 0; i+1 < len(parts); i += 2 {
		if strings.HasPrefix(parts[i], "paydesk."+name+"/") || strings.HasPrefix(parts[i], name+", in others") {
			described = append(described, parts[i], parts[i+1])
		}
	}
	return strings.Join(described, "\n\n")
}
