package shape

import _ "embed"

// members is written by the test of this package with -update, from the comments of this package.
//
//go:embed testdata/members.golden
var members string

// Members describes every object and its members, in the words of this package's comments.
func Members() string { return members }
