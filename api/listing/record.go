package listing

import (
	"database/sql"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
)

// A kind is a currency and a status as they were received, with the currency that is known by it, zero for none, and whether the
// amount is known exactly. A list has few.
type kind struct {
	currency api.Text
	status   api.Status
	in       money.Currency
	known    bool
}

// A record is a row as it is stored: of the amount its minor units, and as text what these do not say.
type record struct {
	id    string
	minor sql.NullInt64
	raw   sql.NullString
	kind
}

// recordOf is a row as it is stored, and the number of its kind.
func (r *Rows) recordOf(tx *sql.Tx, row *api.Transaction) (one record, at int, err error) {
	of, raw := kind{row.Currency, row.Status, row.Amount.Currency, row.Known}, row.Raw.Line(0)
	if !row.Known {
		of.in, _ = money.ParseCurrency(row.Currency.Line(0))
	}
	one = record{id: identity(row), kind: of}
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
		if _, err := tx.Exec("INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?, ?)",
			at, of.currency.Line(0), of.status.Text.Line(0), of.in.Code(), int(of.status.State), of.in.Exponent(), of.known); err != nil {
			return one, at, err
		}
		r.kindAt[of], r.kinds = at, append(r.kinds, of)
	}
	return one, at, nil
}

// looksLikeCard reports whether a text has what may be a card number.
func looksLikeCard(s string) bool { return card.Redact(s) != s }

// low is the ID in lower case, where that differs.
func (r record) low() sql.NullString {
	id, _, _ := strings.Cut(r.id, "\t")
	low := strings.ToLower(id)
	return sql.NullString{String: low, Valid: low != r.id}
}

// row is a record as it was read but without its Object.
func (r record) row() api.Transaction {
	id, hash, odd := strings.Cut(r.id, "\t")
	row := api.Transaction{ID: api.Clean(id), Raw: api.Clean(r.raw.String), Currency: r.currency, Status: r.status}
	if odd {
		row.IDHash, _ = strconv.ParseUint(hash, 36, 64)
	}
	if r.minor.Valid && !r.raw.Valid {
		row.Raw = api.Clean(strconv.FormatInt(r.minor.Int64, 10))
	}
	if r.known {
		row.Amount, row.Known = money.Amount{Minor: r.minor.Int64, Currency: r.in}, true
	}
	return row
}

// A value is what is kept of a row besides its ID. It has the documented word of a status and the code of a known currency, so that
// a different spelling of either does not count as a change.
type value struct {
	status, currency string
	minor            sql.NullInt64  // of an amount that is known
	raw              sql.NullString // the text of any other
}

func (r record) value() value {
	v := value{status: r.status.State.String(), currency: r.in.Code(), minor: r.minor}
	if r.status.State == api.Unrecognised {
		v.status = r.status.Text.Stored()
	}
	if !r.known {
		v.currency, v.minor = r.currency.Stored(), sql.NullInt64{}
		v.raw = sql.NullString{String: r.row().Raw.Stored(), Valid: true}
	}
	return v
}

// row is the row with an ID and a value that was kept.
func (v value) row(id string) api.Transaction {
	status := api.Status{State: api.ParseStatus(v.status).State, Text: api.Clean(v.status)}
	r := record{id: id, minor: v.minor, raw: v.raw, kind: kind{currency: api.Clean(v.currency), status: status, known: v.minor.Valid}}
	if r.known {
		r.in, _ = money.ParseCurrency(v.currency)
	}
	return r.row()
}
