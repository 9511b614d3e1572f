package journal

import (
	"strconv"
	"strings"

	"paydesk/api/pattern"
)

// A dialect is the database that SQL is for. The journal's SQL is that of SQLite, kept to what PostgreSQL understands
// but for what is here, and for the search, which has a way of its own in each (search.go, serversearch.go).
type dialect uint8

const (
	ofSQLite dialect = iota
	ofPostgres
)

// What differs: SQLite is told which index to use, since it knows little of what is in them. Its NOCASE is of ASCII, as
// lower is of texts whose collation is "C", which all columns have. A name that PostgreSQL reserves is quoted.
var (
	indexChoice = pattern.Lazy(`\b(?:NOT INDEXED|INDEXED BY \w+)\b`)
	nocase      = pattern.Lazy(`\b(\w+) = \? COLLATE NOCASE`)
	position    = pattern.Lazy(`\binstr\(`)
	character   = pattern.Lazy(`\bchar\(`)
	reserved    = pattern.Lazy(`\buser\b`)
)

// sql returns a query in the dialect.
func (d dialect) sql(query string) string {
	if d == ofSQLite {
		return query
	}
	query = indexChoice().ReplaceAllLiteralString(query, "")
	query = nocase().ReplaceAllString(query, `lower($1) = lower(? COLLATE "C")`)
	query = position().ReplaceAllLiteralString(query, "strpos(")
	query = character().ReplaceAllLiteralString(query, "chr(")
	query = reserved().ReplaceAllLiteralString(query, `"user"`)
	return numbered(query)
}

// numbered gives the placeholders their numbers.
func numbered(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, more := strings.Cut(query, "?")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}
