package listing

import (
	"cmp"
	"context"
	"database/sql"
	"iter"
	"slices"

	"paydesk/api"
	"paydesk/api/query"
	"paydesk/api/statefile"
)

// A Search says which rows are listed, and in which order. The zero Search lists all, in the order of the list.
type Search struct {
	Query query.Query // in [Language]
	Order Order
	From  int // the first place that is looked at
	To    int // the place before which that ends; 0 for the end of the list
	Limit int // how many rows are enough; 0 for no limit
	First int // the position of the first row; 0 where rows have none
	// Mismatches are those that rows are listed with. Rows of these payments are added up apart.
	Mismatches Mismatches
}

// An Order is the SQL that orders the rows that were found. Equal rows stay in the order of the list, as all do in "".
type Order string

// The orders. What is not known comes last.
const (
	ByHighest  Order = "known DESC, iif(known, code, ''), iif(known, minor, 0) DESC, " // by currency, in each of them by amount
	ByLowest   Order = "known DESC, iif(known, code, ''), iif(known, minor, 0), "
	ByStatus   Order = "iif(state = 0, 99, state), iif(state = 0, status, ''), " // as a payment goes through them
	ByCurrency Order = "code = '', iif(code = '', currency, code), "
)

// besides returns the scan, or the ledger, whose rows are looked for although they are not in the list; "" for none. Several
// may have the same row, which is found once.
func (s Search) besides() (whose string) {
	for _, t := range s.Query.Terms {
		switch {
		case t.Not:
		case t.Field == FieldGone:
			return t.Values[0].Text
		case t.Field == FieldLedger && slices.Contains(t.Values, query.Value{Text: Absent, How: query.Known}):
			whose = ofLedger
		}
	}
	return whose
}

// asked is the scan since which rows are listed with what is known of them; "" for none.
func (s Search) asked() string {
	if all := Asked(s.Query); len(all) > 0 {
		return all[0]
	}
	return ""
}

// where is the condition of a search.
func (s Search) where() (string, []any, error) {
	meets, args, err := columns().Where(s.Query)
	places, between := "n >= ? AND n < ?", []any{s.From, cmp.Or(s.To, beside)}
	if whose := s.besides(); whose != "" {
		places, between = "n >= ? AND (n < ? OR n IN (SELECT n FROM beside WHERE asked = ?))", append(between, whose)
	}
	return places + " AND " + meets, append(between, args...), err
}

// Find are the places of the rows that a search finds. A row whose amount is not known meets no term about amounts, negated
// or not.
func (r *Rows) Find(ctx context.Context, s Search) (found []int32, err error) {
	db, err := r.reader()
	if err != nil || db == nil {
		return nil, err
	}
	meets, args, err := s.where()
	if err != nil {
		return nil, err
	}
	from := r.from()
	if s.Order != "" {
		from += " JOIN kinds AS k USING (kind)"
	}
	err = statefile.ForEach(ctx, db, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		found = append(found, int32(n))
		return err
	}, "SELECT n FROM "+from+" WHERE "+meets+" ORDER BY "+string(s.Order)+"n LIMIT ?", append(args, cmp.Or(s.Limit, -1))...) // SQLite reads -1 as no limit
	return found, err
}

// batch limits how many rows are in memory while all are read.
const batch = 500

// Each returns the rows that a search finds: it finds their places first, so that they are ordered once. Nothing is held up between
// two rows. An error ends them.
func (r *Rows) Each(ctx context.Context, s Search) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		places, err := r.Find(ctx, s)
		for some := range slices.Chunk(places, batch) {
			var rows []Listed
			if rows, err = r.At(ctx, s, some...); err != nil {
				break
			}
			for i, l := range rows {
				forgotten := l.Place != int(some[i]) // it was not in the list
				if !forgotten && !yield(l, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Listed{}, err)
		}
	}
}

// With are the rows that have some ids, in the order of the list.
func (r *Rows) With(ctx context.Context, ids ...string) (map[string][]api.Transaction, error) {
	found := map[string][]api.Transaction{}
	for some := range slices.Chunk(ids, batch) {
		db, err := r.reader()
		if err != nil || db == nil {
			return found, err
		}
		if _, err := db.ExecContext(context.WithoutCancel(ctx), indexed); err != nil { // half an index stays: the file has no journal
			return found, err
		}
		args, asked := make([]any, len(some)), map[string]bool{}
		for i, id := range some {
			args[i], asked[id] = hashOf(id), true
		}
		err = r.each(ctx, db, "", func(_ int, one record, _ Known) error {
			if asked[one.id] {
				found[one.id] = append(found[one.id], one.row())
			}
			return nil
		}, "WHERE hash IN ("+statefile.Marks(len(args))+") AND n < ? ORDER BY n", append(args, beside)...)
		if err != nil {
			return found, err
		}
	}
	return found, nil
}
