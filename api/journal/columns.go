package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A column is a column's name and a pointer to its value. The file holds only texts and
// integers: times are nanoseconds since 1970, 0 for none; booleans are 0 and 1.
type column struct {
	name string
	at   any
}

// A derived column follows from the others. It is stored to be searched by, and not read.
type derived func() any

// A documentedStatus is the column of a status's documented word, "" before there was one.
type documentedStatus struct {
	status *api.Status
	seen   *time.Time // when it was returned
}

// stored returns the value of a column as it is stored: a string or an int64.
func stored(at any) any {
	switch at := at.(type) {
	case *string:
		return *at
	case *int64:
		return *at
	case *int:
		return int64(*at)
	case *bool:
		return boolInt(*at)
	case *time.Time:
		return unixNano(*at)
	case *money.Currency:
		return at.Code()
	case *api.Text:
		return at.Stored()
	case *[]api.LinkDifference:
		var all []api.Text
		for _, d := range *at {
			all = append(all, d.Part, d.Asked, d.Answered)
		}
		return joinTexts(all)
	case *ledger.Entry:
		text, err := at.Record()
		if err != nil {
			panic(err) // nothing in it cannot be JSON
		}
		return string(text)
	case documentedStatus:
		if at.seen.IsZero() {
			return ""
		}
		return at.status.State.String()
	case derived:
		return at()
	}
	panic(fmt.Sprintf("a column of type %T", at))
}

// load sets a column to a stored value. A value that is no longer valid is loaded as none; an entry that cannot be read is an error.
func load(at, value any) (err error) {
	text, _ := value.(string)
	n, _ := value.(int64)
	switch at := at.(type) {
	case *string:
		*at = text
	case *int64:
		*at = n
	case *int:
		*at = int(n)
	case *bool:
		*at = n != 0
	case *time.Time:
		*at = fromNano(n)
	case *money.Currency:
		*at, _ = money.ParseCurrency(text)
	case *api.Text:
		*at = loadText(text)
	case documentedStatus:
		at.status.State = api.StateOf(text)
	case *ledger.Entry:
		*at, err = ledger.Recorded([]byte(text))
	}
	return err
}

// checksum covers the stored values of a row. SQLite's own check covers the structure of the
// file only: it would not notice a flipped bit in an amount.
func checksum(values ...any) []byte {
	h := sha256.New()
	number := func(n int64) { h.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }
	for _, v := range values {
		switch v := v.(type) {
		case string:
			number(int64(len(v)))
			io.WriteString(h, v)
		case int64:
			number(v)
		}
	}
	return h.Sum(nil)[:8]
}

// scan reads a row into r and verifies its checksum, which a value of another type than was
// written does not match either.
func scan(rows scanner, r *row) error {
	cols := r.columns()
	found, to := make([]any, len(cols)+1), make([]any, len(cols)+1)
	for i := range found {
		to[i] = &found[i]
	}
	if err := rows.Scan(to...); err != nil {
		return err
	}
	if sum, ok := found[len(cols)].([]byte); !ok || string(sum) != string(checksum(found[1:len(cols)]...)) {
		return unreadable(r, found)
	}
	for i, c := range cols {
		if load(c.at, found[i]) != nil {
			return unreadable(r, found)
		}
	}
	return nil
}

// values returns what is stored of r, without n, and the checksum.
func values(r *row) []any {
	var all []any
	for _, c := range r.columns()[1:] {
		all = append(all, stored(c.at))
	}
	return append(all, checksum(all...))
}

// columnNames returns the columns for a SELECT from a table a, from n to checksum. The body of an attempt is in a table of
// its own, so that what is searched is read without it.
func columnNames(r *row) string {
	var names strings.Builder
	for _, c := range r.columns() {
		if r.isBody(c) {
			names.WriteString("(SELECT b.body FROM bodies AS b WHERE b.n = a.n), ")
			continue
		}
		names.WriteString("a." + c.name + ", ")
	}
	return names.String() + "a.checksum"
}

// isBody reports whether a column is in the table of bodies.
func (r *row) isBody(c column) bool { return c.name == "body" && !r.known }

// inTable are the columns of the table itself but n, and what is stored in them; body is what is not among them.
func (r *row) inTable() (names []string, all []any, body any) {
	sums := values(r)
	for i, c := range r.columns()[1:] {
		if r.isBody(c) {
			body = sums[i]
			continue
		}
		names, all = append(names, c.name), append(all, sums[i])
	}
	return append(names, "checksum"), append(all, sums[len(sums)-1]), body
}

func insertSQL(table string, r *row) string {
	names, _, _ := r.inTable()
	return "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(names)-1) + ")"
}

func updateSQL(table string, r *row) string {
	names, _, _ := r.inTable()
	return "UPDATE " + table + " SET " + strings.Join(names, " = ?, ") + " = ? WHERE n = ?"
}

// sanitize makes a text fit to be stored.
func sanitize(s string) string { return ledger.Stored(s) }

// joinTexts stores texts one below the other: a cleaned line has no line break.
func joinTexts(all []api.Text) string {
	lines := make([]string, len(all))
	for i, t := range all {
		lines[i] = t.Stored()
	}
	return strings.Join(lines, "\n")
}

// loadText reads what [api.Text.Stored] returned.
func loadText(stored string) (t api.Text) {
	_ = t.UnmarshalText([]byte(stored)) // it has no errors
	return t
}

func unixNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNano(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// amount has no currency when code is not one.
func amount(minor int64, code string) money.Amount {
	c, _ := money.ParseCurrency(code)
	return money.Amount{Minor: minor, Currency: c}
}
