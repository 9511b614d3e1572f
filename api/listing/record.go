package listing

import (
	"database/sql"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
)

// A kind is a currency and a status as they were received, with what is known of them. A list has few.
type kind struct {
	currency, status string
	code             string // "" for an unknown currency
	state            api.State
}

// A record is a row as it is stored: of the amount its minor units, and as text what these do not say.
type record struct {
	id    string
	minor sql.NullInt64
	raw   sql.NullString
	known bool // the amount is, exactly
	kind
}

// recordOf is a row as it is stored, and the number of its kind.
func (r *Rows) recordOf(tx *sql.Tx, row *api.Transaction) (one record, at int, err error) {
	c, raw := row.Amount.Currency, row.Raw.Line(0)
	if !row.Known {
		c, _ = money.ParseCurrency(row.Currency.Line(0))
	}
	of := kind{row.Currency.Line(0), row.Status.Text.Line(0), c.Code(), row.Status.State}
	one = record{id: identity(row), known: row.Known, kind: of}
	if row.Known {
		one.minor = sql.NullInt64{Int64: row.Amount.Minor, Valid: true}
	} else if minor, err := strconv.ParseInt(raw, 10, 64); err == nil {
		one.minor = sql.NullInt64{Int64: minor, Valid: true}
	}
	if !one.minor.Valid && raw != "" || one.minor.Valid && raw != strconv.FormatInt(one.minor.Int64, 10) {
		one.raw = sql.NullString{String: raw, Valid: true}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at, is := r.kindAt[of]
	if !is {
		at = len(r.kinds)
		if _, err := tx.Exec("INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?)", at, of.currency, of.status, of.code, int(of.state), c.Exponent()); err != nil {
			return one, at, err
		}
		r.kindAt[of], r.kinds = at, append(r.kinds, of)
	}
	return one, at, nil
}

// looksLikeCard reports whether a text has what may be a card number.
func looksLikeCard(s string) bool { return card.Redact(s) != s }

// low is the ID in lower case, where that is another.
func (r record) low() sql.NullString {
	id, _, _ := strings.Cut(r.id, "\t")
	low := strings.ToLower(id)
	return sql.NullString{String: low, Valid: low != r.id}
}

// row is a record as it was read but without its Object.
func (r record) row() api.Transaction {
	id, hash, odd := strings.Cut(r.id, "\t")
	row := api.Transaction{
		ID: api.Clean(id), Raw: api.Clean(r.raw.String), Currency: api.Clean(r.currency),
		Status: api.Status{State: r.state, Text: api.Clean(r.status)},
	}
	if odd {
		row.IDHash, _ = strconv.ParseUint(hash, 36, 64)
	}
	if r.minor.Valid && !r.raw.Valid {
		row.Raw = api.Clean(strconv.FormatInt(r.minor.Int64, 10))
	}
	if r.known {
		c, _ := money.ParseCurrency(r.code)
		row.Amount, row.Known = money.Amount{Minor: r.minor.Int64, Currency: c}, true
	}
	return row
}
