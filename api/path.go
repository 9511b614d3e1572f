package api

import (
	"net/url"
	"strings"

	"paydesk/api/origin"
)

// A path is the path and query of an operation, with a placeholder for a reference.
type path struct{ segments, query string }

// parsePath parses a path such as /api/payment/transactions/{reference}.
func parsePath(s string) (path, error) {
	if err := origin.CheckPath(s); err != nil {
		return path{}, err
	}
	segments, query, _ := strings.Cut(s, "?")
	return path{segments, query}, nil
}

// expand puts a reference into the path, escaped as a segment or as a query value.
func (p path) expand(r Reference) string {
	s := strings.Replace(p.segments, origin.Placeholder, url.PathEscape(string(r)), 1)
	if p.query == "" {
		return s
	}
	return s + "?" + strings.Replace(p.query, origin.Placeholder, url.QueryEscape(string(r)), 1)
}
