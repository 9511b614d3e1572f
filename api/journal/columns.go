package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
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

// scanRow reads the values of a row of selectRows as they are stored.
func scanRow(rows scanner) ([]any, error) {
	width := len(columnNames()) + 2 // with n and the checksum
	found, to := make([]any, width), make([]any, width)
	for i := range found {
		to[i] = &found[i]
	}
	return found, rows.Scan(to...)
}

// isSound reports whether the values of a row match its checksum, which a value of another type than was written does not either.
func isSound(found []any) bool {
	last := len(found) - 1
	sum, is := found[last].([]byte)
	return is && string(sum) == string(checksum(found[1:last]...))
}

// values returns what is stored of an entry: the columns of its row and their checksum.
func values(e ledger.Entry) (all []any) {
	for _, c := range columns(e) {
		all = append(all, c.value)
	}
	return append(all, checksum(all...))
}

// columnNames returns the names of a row's columns, without n and the checksum.
var columnNames = sync.OnceValue(func() (names []string) {
	for _, c := range columns(ledger.Entry{}) {
		names = append(names, c.name)
	}
	return names
})

// The statements that read and write whole rows. They are put together when they are needed: at the start of the program
// they would be a tenth of what --version takes.
func selectRows() string {
	return "SELECT n, " + strings.Join(columnNames(), ", ") + ", checksum FROM entries "
}

var saveEntry = sync.OnceValue(func() string {
	set := ""
	for _, name := range columnNames() {
		set += name + " = excluded." + name + ", "
	}
	return "INSERT INTO entries (" + strings.Join(columnNames(), ", ") + ", checksum) VALUES (?" + strings.Repeat(", ?", len(columnNames())) +
		") ON CONFLICT (id) DO UPDATE SET " + set + "checksum = excluded.checksum"
})

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

// columns are every column of an entry but n and checksum, in the order of the table: what it is searched by.
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
	}
}
