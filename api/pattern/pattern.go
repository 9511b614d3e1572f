// Package pattern compiles regular expressions when they are first used, because most runs of the
// console need few of them and all of them together take milliseconds of its start.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles expr at its first call, which panics if expr is no expression.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
