package mirror

import (
	"context"
	"database/sql"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// A key is an id as it is stored: 16 bytes for a UUID in lower case, else text. SQLite sorts texts before
// bytes.
type key struct {
	text string
	uuid [16]byte
}

// storable is the key of an id, and whether it can be stored: one that is empty, too long or looks like a
// card number cannot.
func storable(id string) (key, bool) {
	if uuid, is := card.ParseUUID(id); is {
		return key{uuid: uuid}, true
	}
	return key{text: id}, id != "" && len(id) <= maxText && card.Redact(id) == id
}

// String is the id.
func (k key) String() string {
	if k.text != "" {
		return k.text
	}
	return card.FormatUUID(k.uuid)
}

// value is the key as an argument of a statement.
func (k key) value() any {
	if k.text != "" {
		return k.text
	}
	return k.uuid[:]
}

// Scan implements [sql.Scanner].
func (k *key) Scan(from any) error {
	switch v := from.(type) {
	case string:
		*k = key{text: v}
		return nil
	case []byte:
		*k = key{}
		if copy(k.uuid[:], v) == len(k.uuid) && len(v) == len(k.uuid) {
			return nil
		}
	}
	return statefile.ErrDamaged
}

// A record is what is stored of a row beside its id.
type record struct {
	minor            sql.NullInt64  // of a known amount
	raw              sql.NullString // of any other
	currency, status sql.NullInt64  // words; not valid where the row is not in the list
}

func (r *record) columns() []any { return []any{&r.minor, &r.raw, &r.currency, &r.status} }
func (r record) values() []any   { return []any{r.minor, r.raw, r.currency, r.status} }

// there reports whether the row is in the list.
func (r record) there() bool { return r.status.Valid }

const maxText = 200 // bytes

// statusWord is the word that is kept of a status: the documented one, so that another spelling of it is no
// change.
func statusWord(s api.Status) string {
	if s.State != api.Unrecognised {
		return s.State.String()
	}
	return s.Text.Stored()
}

// currencyWord is the word that is kept of a currency: its code, where it is known.
func currencyWord(row api.Row) string {
	if row.Known {
		return row.Amount.Currency.Code()
	}
	return row.Currency.Stored()
}

// words are the numbers of the currencies and statuses in a file.
type words struct {
	of       map[string]int64
	texts    map[int64]string
	statuses map[api.Status]sql.NullInt64 // that were looked for already
}

func readWords(ctx context.Context, q statefile.Querier) (*words, error) {
	w := &words{map[string]int64{}, map[int64]string{}, map[api.Status]sql.NullInt64{}}
	err := statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var n int64
		var word string
		err := rows.Scan(&n, &word)
		w.of[word], w.texts[n] = n, word
		return err
	}, "SELECT n, word FROM words")
	return w, err
}

// number is the number of a word, which is added where it is new.
func (w *words) number(ctx context.Context, tx *sql.Tx, word string) (sql.NullInt64, error) {
	n, is := w.of[word]
	if !is {
		done, err := tx.ExecContext(ctx, "INSERT INTO words (word) VALUES (?)", word)
		if err != nil {
			return sql.NullInt64{}, err
		}
		if n, err = done.LastInsertId(); err != nil {
			return sql.NullInt64{}, err
		}
		w.of[word], w.texts[n] = n, word
	}
	return sql.NullInt64{Int64: n, Valid: true}, nil
}

// record is a row as it is stored.
func (w *words) record(ctx context.Context, tx *sql.Tx, row api.Row) (r record, err error) {
	if row.Known {
		r.minor = sql.NullInt64{Int64: row.Amount.Minor, Valid: true}
	} else {
		r.raw = sql.NullString{String: row.Raw.Stored(), Valid: true}
	}
	if r.currency, err = w.number(ctx, tx, currencyWord(row)); err != nil {
		return r, err
	}
	is := false
	if r.status, is = w.statuses[row.Status]; !is {
		r.status, err = w.number(ctx, tx, statusWord(row.Status))
		w.statuses[row.Status] = r.status
	}
	return r, err
}

// row is a record as a row. A record of a row that is not in the list is none.
func (w *words) row(k key, r record) (api.Row, error) {
	row := api.Row{ID: api.Clean(k.String())}
	if !r.there() {
		return row, nil
	}
	currency, is := w.texts[r.currency.Int64]
	status, are := w.texts[r.status.Int64]
	if !is || !are {
		return row, statefile.ErrDamaged
	}
	row.Currency, row.Status = api.Clean(currency), api.ParseStatus(status)
	if !r.minor.Valid {
		row.Raw = api.Clean(r.raw.String)
		return row, nil
	}
	c, err := money.ParseCurrency(currency)
	if err != nil {
		return row, statefile.ErrDamaged
	}
	row.Amount, row.Known = money.Amount{Minor: r.minor.Int64, Currency: c}, true
	return row, nil
}
