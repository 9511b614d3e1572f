package journal

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

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
	instr       = pattern.Lazy(`\binstr\(`)
	character   = pattern.Lazy(`\bchar\(`)
	reserved    = pattern.Lazy(`\buser\b`)
)

// sql returns a query in the dialect.
func (d dialect) sql(query string) string {
	if d == ofSQLite {
		return query
	}
	if done, is := translated.Load(query); is {
		return done.(string)
	}
	done := translate(query)
	if translations.Add(1) <= mostTranslations {
		translated.Store(query, done)
	}
	return done
}

// What was translated is kept: a console asks the same again and again. A search is put together, and may be any.
var (
	translated   sync.Map // query to query
	translations atomic.Int64
)

const mostTranslations = 1000

func translate(query string) string {
	query = indexChoice().ReplaceAllLiteralString(query, "")
	query = nocase().ReplaceAllString(query, `lower($1) = lower(? COLLATE "C")`)
	query = instr().ReplaceAllLiteralString(query, "strpos(")
	query = character().ReplaceAllLiteralString(query, "chr(")
	query = reserved().ReplaceAllLiteralString(query, `"user"`)
	return numbered(query)
}

// among is the condition that a column has one of the numbers of rows, with its argument.
func (d dialect) among(column string, rows []hit) (condition, numbers string) {
	all := make([]string, len(rows))
	for i, h := range rows {
		all[i] = strconv.FormatInt(h.n, 10)
	}
	if d == ofSQLite {
		return column + " IN (SELECT value FROM json_each(?))", "[" + strings.Join(all, ",") + "]"
	}
	return column + " = ANY (CAST(? AS BIGINT[]))", "{" + strings.Join(all, ",") + "}"
}

// text is what of a row a word is searched in: see [row.searchText].
func (q quest) text(d dialect) string {
	switch {
	case d == ofSQLite:
		return "c.words"
	case q.every:
		return "split_part(a.words, chr(12), 1)"
	}
	return "split_part(a.words, chr(12), 2)"
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
