package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A column is a name and its value: a text or an int64. Times are nanoseconds since 1970, 0 for none; booleans
// are 0 and 1.
type column struct {
	name  string
	value any
}

// checksum covers the stored values of a row. SQLite's own check covers the structure of the
// file only: it would not notice a flipped bit in an amount.
func checksum(values ...any) []byte {
	stored := make([]byte, 0, 2048) // room for most rows
	for _, v := range values {
		switch v := v.(type) {
		case string:
			stored = append(binary.BigEndian.AppendUint64(stored, uint64(len(v))), v...)
		case int64:
			stored = binary.BigEndian.AppendUint64(stored, uint64(v))
		}
	}
	sum := sha256.Sum256(stored)
	return sum[:8]
}

// scan reads a row of selectEntries and verifies its checksum, which a value of another type than was written does not
// match either. All of the entry is in the last column before it.
func scan(rows scanner) (e ledger.Entry, err error) {
	_, e, err = scanNumbered(rows)
	return e, err
}

// scanNumbered is scan with the number of the row.
func scanNumbered(rows scanner) (n int64, e ledger.Entry, err error) {
	found, err := scanValues(rows)
	if err != nil {
		return 0, e, err
	}
	last := len(found) - 1
	if sum, ok := found[last].([]byte); !ok || string(sum) != string(checksum(found[1:last]...)) {
		return 0, e, unreadable(found)
	}
	body, _ := found[last-1].(string)
	if e, err = ledger.Recorded([]byte(body)); err != nil {
		err = unreadable(found)
	}
	n, _ = found[0].(int64)
	return n, e, err
}

// scanValues reads the values of a row of selectEntries as they are stored.
func scanValues(rows scanner) ([]any, error) {
	width := len(columnNames()) + 2 // with n and the checksum
	found, to := make([]any, width), make([]any, width)
	for i := range found {
		to[i] = &found[i]
	}
	return found, rows.Scan(to...)
}

// values returns what is stored of an entry: the columns of its own row with their checksum, and the body.
func values(e ledger.Entry) (own []any, body any) {
	var all []any
	for _, c := range columns(e) {
		all = append(all, c.value)
	}
	last := len(all) - 1
	return append(slices.Clone(all[:last]), checksum(all...)), all[last]
}

// columnNames returns the names of a row's columns, without n and the checksum.
var columnNames = sync.OnceValue(func() (names []string) {
	for _, c := range columns(ledger.Entry{}) {
		names = append(names, c.name)
	}
	return names
})

// The statements that read and write whole rows. They are put together when they are needed: at the start of the program
// they would be a tenth of what --version takes. The body of an entry is in a table of its own, so that what is searched is
// read without it.
var (
	selectEntries = sync.OnceValue(func() string {
		return "SELECT a.n, " + strings.Join(ownColumns(), ", ") + ", (SELECT b.body FROM bodies AS b WHERE b.n = a.n), a.checksum FROM "
	})
	saveEntry = sync.OnceValue(func() string {
		own := ownColumns()
		set := ""
		for _, name := range own {
			set += name + " = excluded." + name + ", "
		}
		return "INSERT INTO entries (" + strings.Join(own, ", ") + ", checksum) VALUES (?" + strings.Repeat(", ?", len(own)) +
			") ON CONFLICT (id) DO UPDATE SET " + set + "checksum = excluded.checksum"
	})
)

// ownColumns returns the columns of the table of entries itself: all but the body.
func ownColumns() []string { return columnNames()[:len(columnNames())-1] }

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

// columns are every column of an entry but n and checksum, in the order of the table. The last is all of the entry; the
// others are a part of it, to be searched by.
func columns(r ledger.Entry) []column {
	made := cmp.Or(r.CreatedLink, new(api.Link))
	charged, isKnown := due(r)
	link, status := "", ""
	if r.Kind == ledger.CreateLink {
		link = lines(linkWords(r.Attempt)...)
	}
	if !r.StatusAt.IsZero() {
		status = r.Status.State.String()
	}
	body, err := r.Record()
	if err != nil {
		panic(err) // nothing in it cannot be JSON
	}
	return []column{
		{"id", string(r.ID)}, {"kind", string(r.Kind)}, {"at", unixNano(r.At)}, {"operator", r.By.User},
		{"environment", r.Environment}, {"service", r.Host}, {"fingerprint", r.Fingerprint},
		{"currency", r.Amount.Currency.Code()}, {"minor", r.Amount.Minor}, {"asked", boolInt(!r.CustomerChooses())},
		{"channel", r.Channel}, {"card", r.Card}, {"link", string(r.Link)}, {"reference", string(r.Reference)},
		{"email", r.Payer.Email}, {"phone", r.Payer.Phone}, {"payer_card", r.Payer.Card},
		{"outcome", string(r.Outcome)}, {"verdict", string(r.Decision)},
		{"status", status}, {"status_text", strings.ToLower(r.Status.Text.Stored())}, {"final", boolInt(r.Status.State.Final())},
		{"mismatch", int64(r.Mismatch.What)}, {"mismatch_verdict", string(r.Mismatch.Decision)},
		{"answered", unixNano(r.AnsweredAt)}, {"pinned", unixNano(r.PinnedAt)},
		{"made", boolInt(r.CreatedLink != nil)}, {"made_name", made.Name.Stored()}, {"made_differs", boolInt(len(made.Differs) > 0)},
		{"due_currency", charged.Currency.Code()}, {"due_minor", charged.Minor}, {"due", boolInt(isKnown)},
		{"names", lines(r.Draft.Name, made.Name.Stored())}, {"link_words", link},
		{"words", lines(string(r.ID), string(r.Reference), r.Named, string(r.Link), made.Name.Stored(), r.Draft.Name, r.Channel, r.Card)},
		{"body", string(body)},
	}
}
