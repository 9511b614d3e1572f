package journal

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"hash"
	"strings"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
)

// A column is a column's name and a pointer to its value, a *string or an *int64.
type column struct {
	name string
	at   any
}

// A row is an attempt as it is stored: only texts and integers. Times are nanoseconds since
// 1970, 0 for none; booleans are 0 and 1.
type row struct {
	n int64

	id, kind        string
	at              int64
	user, host, ssh string
	machine         string // of the process that sent it
	pid, started    int64
	profile         string
	environment     string
	service         string // host of the service
	minor           int64
	currency        string
	channel         string
	link, card      string
	ownReference    string
	reference       string
	email, phone    string // keyed hashes
	outcome         string
	answered        int64
	why             string
	verdict         string
	decidedUser     string
	decidedHost     string
	decidedSSH      string
	decidedAt       int64
	status          string // the documented word
	statusText      string // the raw word
	seenAt          int64
	final           int64
	bank            string
	bankAsked       int64
	customerDone    int64
	finalized       int64
	finalizeLost    int64
	account         int64 // 1 when there is one
	accountNote     string
	accountBank     string
	accountNumber   string
	accountName     string
	accountMode     string
	accountExpires  string
	made            int64 // 1 when a link was created
	madeID          string
	madeName        string
	madeDescription string
	madePage        string
	madePageText    string
	madeMinor       int64
	madeCurrency    string
	madeHasAmount   int64
	madeType        string
	madeAmountType  int64
	madeStatus      string
	madeCreated     string
	madeEnvironment string
	words           string // search text, in lower case
}

// columns returns every column but n and sum, in the order of the table.
func (r *row) columns() []column {
	return []column{
		{"id", &r.id}, {"kind", &r.kind}, {"at", &r.at},
		{"user", &r.user}, {"host", &r.host}, {"ssh", &r.ssh},
		{"machine", &r.machine}, {"pid", &r.pid}, {"started", &r.started},
		{"profile", &r.profile}, {"environment", &r.environment}, {"service", &r.service},
		{"minor", &r.minor}, {"currency", &r.currency}, {"channel", &r.channel},
		{"link", &r.link}, {"card", &r.card}, {"own_reference", &r.ownReference}, {"reference", &r.reference},
		{"email", &r.email}, {"phone", &r.phone},
		{"outcome", &r.outcome}, {"answered", &r.answered}, {"why", &r.why},
		{"verdict", &r.verdict}, {"decided_user", &r.decidedUser}, {"decided_host", &r.decidedHost},
		{"decided_ssh", &r.decidedSSH}, {"decided_at", &r.decidedAt},
		{"status", &r.status}, {"status_text", &r.statusText}, {"seen_at", &r.seenAt}, {"final", &r.final},
		{"bank", &r.bank}, {"bank_asked", &r.bankAsked}, {"customer_done", &r.customerDone},
		{"finalized", &r.finalized}, {"finalize_lost", &r.finalizeLost},
		{"account", &r.account}, {"account_note", &r.accountNote}, {"account_bank", &r.accountBank},
		{"account_number", &r.accountNumber}, {"account_name", &r.accountName},
		{"account_mode", &r.accountMode}, {"account_expires", &r.accountExpires},
		{"made", &r.made}, {"made_id", &r.madeID}, {"made_name", &r.madeName},
		{"made_description", &r.madeDescription}, {"made_page", &r.madePage}, {"made_page_text", &r.madePageText},
		{"made_minor", &r.madeMinor}, {"made_currency", &r.madeCurrency}, {"made_has_amount", &r.madeHasAmount},
		{"made_type", &r.madeType}, {"made_amount_type", &r.madeAmountType}, {"made_status", &r.madeStatus},
		{"made_created", &r.madeCreated}, {"made_environment", &r.madeEnvironment},
		{"words", &r.words},
	}
}

// An eventRow is an event as it is stored.
type eventRow struct {
	n, attempt      int64 // attempt is the n of its attempt
	at, until       int64
	times           int64
	what, detail    string
	user, host, ssh string
	source          string
}

func (e *eventRow) columns() []column {
	return []column{
		{"attempt", &e.attempt}, {"at", &e.at}, {"until", &e.until}, {"times", &e.times},
		{"what", &e.what}, {"detail", &e.detail},
		{"user", &e.user}, {"host", &e.host}, {"ssh", &e.ssh}, {"source", &e.source},
	}
}

// checksum covers a row's values. SQLite's own check covers the structure of the file only: it
// would not notice a flipped bit in an amount.
func checksum(cols []column) string {
	h := sha256.New()
	for _, c := range cols {
		switch v := c.at.(type) {
		case *string:
			hashInt(h, int64(len(*v)))
			h.Write([]byte(*v))
		case *int64:
			hashInt(h, *v)
		}
	}
	return string(h.Sum(nil)[:8])
}

func hashInt(h hash.Hash, n int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}

// columnNames returns the columns for a SELECT, from n to sum.
func columnNames(cols []column) string {
	names := []string{"n"}
	for _, c := range cols {
		names = append(names, c.name)
	}
	return strings.Join(append(names, "sum"), ", ")
}

// scan reads a row and checks its checksum.
func scan(rows *sql.Rows, n *int64, cols []column) error {
	var sum []byte
	to := []any{n}
	for _, c := range cols {
		to = append(to, c.at)
	}
	if err := rows.Scan(append(to, &sum)...); err != nil {
		if rows.Err() != nil {
			return rows.Err()
		}
		return errDamaged // a value of another type than was written
	}
	if string(sum) != checksum(cols) {
		return errDamaged
	}
	return nil
}

// values returns the values of columns, and their checksum.
func values(cols []column) []any {
	all := make([]any, 0, len(cols)+1)
	for _, c := range cols {
		switch v := c.at.(type) {
		case *string:
			all = append(all, *v)
		case *int64:
			all = append(all, *v)
		}
	}
	return append(all, []byte(checksum(cols)))
}

const maxText = 200 // bytes

// sanitize makes a text fit to be stored: cleaned, without card numbers, 200 bytes at most.
func sanitize(s string) string {
	s = card.Redact(api.Clean(s).Line(0))
	if len(s) <= maxText {
		return s
	}
	const more = "…"
	end := maxText - len(more)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + more
}

func sanitizeText(t api.Text) string { return sanitize(t.Line(0)) }

// sanitizeAddress returns a URL complete or not at all, because a part of one leads elsewhere.
// A URL that seems to contain a card number is dropped.
func sanitizeAddress(a api.Address) string {
	if s := a.String(); card.Redact(s) == s {
		return s
	}
	return ""
}

// lastFour returns at most the last four digits in s.
func lastFour(s string) string {
	var digits []byte
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			digits = append(digits, s[i])
		}
	}
	return string(digits[max(0, len(digits)-4):])
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

func (r *row) amount() money.Amount { return amount(r.minor, r.currency) }

// amount has no currency when code is not one.
func amount(minor int64, code string) money.Amount {
	c, _ := money.ParseCurrency(code)
	return money.Amount{Minor: minor, Currency: c}
}
