package journal

import (
	"context"
	"slices"
	"strings"

	"paydesk/api"
)

// Unfinished is what has to be looked after at a place: first the attempts of which
// nobody knows, then the payments under way, newest first each (R46).
func (j *Journal) Unfinished(ctx context.Context, p Destination) (all []Attempt, err error) {
	at := []any{sanitize(p.Profile), sanitize(p.Environment), sanitize(p.Host)}
	err = j.read(ctx, func(t *readTx) error {
		all = nil
		open, err := t.attempts(`WHERE n IN (
				SELECT n FROM attempts WHERE outcome = 'unresolved' AND verdict = '' AND profile = ? AND environment = ? AND service = ?
				UNION SELECT n FROM attempts WHERE outcome = 'sent' AND profile = ? AND environment = ? AND service = ?
			) ORDER BY at DESC, n DESC`, append(slices.Clone(at), at...)...)
		if err != nil {
			return err
		}
		for _, a := range t.toAttempts(open) {
			if a.Unknown() {
				all = append(all, a)
			}
		}
		under, err := t.attempts("WHERE kind = 'initiate' AND reference <> '' AND final = 0 AND profile = ? AND environment = ? AND service = ? ORDER BY at DESC, n DESC", at...)
		if err != nil {
			return err
		}
		all = append(all, t.toAttempts(under)...)
		return nil
	})
	return all, err
}

// Attempts is the rows from..from+n of those a filter chooses, newest first, and how
// many it chooses in all.
func (j *Journal) Attempts(ctx context.Context, f Filter, from, n int) (all []Attempt, count int, err error) {
	where, args := f.where()
	err = j.read(ctx, func(t *readTx) error {
		rows, err := t.q.QueryContext(t.ctx, "SELECT count(*) FROM attempts "+where, args...)
		if err != nil {
			return err
		}
		if err := scanInt(rows, &count); err != nil {
			return err
		}
		page, err := t.attempts("WHERE n IN (SELECT n FROM attempts "+where+" ORDER BY at DESC, n DESC LIMIT ? OFFSET ?) ORDER BY at DESC, n DESC",
			append(slices.Clone(args), max(n, 0), max(from, 0))...)
		all = t.toAttempts(page)
		return err
	})
	return all, count, err
}

// where is the filter as SQL, or nothing. The indexes of columns leave out what is empty,
// and are used only where the question says so too.
func (f Filter) where() (string, []any) {
	var terms []string
	var args []any
	add := func(set bool, term string, values ...any) {
		if set {
			terms = append(terms, term)
			args = append(args, values...)
		}
	}
	text := strings.ToLower(strings.TrimSpace(f.Text))
	add(text != "", "instr(words, ?) > 0", text)
	if column := stateColumn(f.State); f.State != "" {
		add(true, column+" = ? AND "+column+" <> ''", f.State)
	}
	add(f.Currency != "", "currency = ? AND currency <> ''", f.Currency)
	add(!f.From.IsZero(), "at >= ?", unixNano(f.From))
	add(!f.To.IsZero(), "at < ?", unixNano(f.To))
	add(f.User != "", "user = ? AND user <> ''", sanitize(f.User))
	add(f.Profile != "", "profile = ? AND profile <> ''", sanitize(f.Profile))
	add(f.Kind != "", "kind = ?", string(f.Kind))
	if terms == nil {
		return "", nil
	}
	return "WHERE " + strings.Join(terms, " AND "), args
}

// stateColumn is where a word of [Filter.State] stands. One column has an index to go by;
// three of which any will do have none.
func stateColumn(word string) string {
	switch word {
	case string(Sent), string(Accepted), string(Refused), string(NotSent), string(Unresolved):
		return "outcome"
	case string(Found), string(NotFound), string(GaveUp):
		return "verdict"
	}
	return "status"
}

// Attempt is the attempt of a whole id, or [ErrNone].
func (j *Journal) Attempt(ctx context.Context, id ID) (a Attempt, err error) {
	err = j.read(ctx, func(t *readTx) error {
		r, err := t.byID(id)
		if err != nil {
			return err
		}
		a = t.toAttempts([]*row{r})[0]
		return nil
	})
	return a, err
}

// Payment is the initiation of a reference, or [ErrNone].
func (j *Journal) Payment(ctx context.Context, p Destination, ref api.Reference) (a Attempt, err error) {
	err = j.read(ctx, func(t *readTx) error {
		all, err := t.byReference(p, string(ref))
		if err != nil {
			return err
		}
		for _, r := range all {
			if r.kind == string(Initiate) {
				a = t.toAttempts([]*row{r})[0]
				return nil
			}
		}
		return ErrNone
	})
	return a, err
}

// Timeline is what happened to an attempt, oldest first; to a payment with the finalizes
// of its reference, or [ErrNone].
func (j *Journal) Timeline(ctx context.Context, id ID) (all []Event, err error) {
	err = j.read(ctx, func(t *readTx) error {
		all = nil
		r, err := t.byID(id)
		if err != nil {
			return err
		}
		of := []*row{r}
		if r.kind == string(Initiate) {
			same, err := t.byReference(r.destination(), r.reference)
			if err != nil {
				return err
			}
			for _, f := range same {
				if f.kind == string(Finalize) {
					of = append(of, f)
				}
			}
		}
		for _, a := range of {
			events, err := t.events("WHERE attempt = ? ORDER BY n", a.n)
			if err != nil {
				return err
			}
			for _, e := range events {
				if a != r {
					e.what = string(Finalize) + " " + e.what
				}
				all = append(all, e.event())
			}
		}
		slices.SortStableFunc(all, func(a, b Event) int { return a.At.Compare(b.At) })
		return nil
	})
	return all, err
}

// Choices is the values that occur, for filters to offer.
func (j *Journal) Choices(ctx context.Context) (c Choices, err error) {
	err = j.read(ctx, func(t *readTx) error {
		var all [6][]string
		for i, name := range []string{"outcome", "verdict", "status", "currency", "user", "profile"} {
			if all[i], err = t.distinct(name); err != nil {
				return err
			}
		}
		c = Choices{States: slices.Concat(all[0], all[1], all[2]), Currencies: all[3], Users: all[4], Profiles: all[5]}
		slices.Sort(c.States)
		return nil
	})
	return c, err
}

// distinct is the values of a column, sorted. It steps from value to value through the
// column's index; DISTINCT would go through all rows.
func (t *readTx) distinct(name string) ([]string, error) {
	rows, err := t.q.QueryContext(t.ctx, strings.ReplaceAll(`
		WITH RECURSIVE step (v) AS (
			SELECT (SELECT min(COL) FROM attempts WHERE COL <> '')
			UNION ALL
			SELECT (SELECT min(COL) FROM attempts WHERE COL <> '' AND COL > v) FROM step WHERE v IS NOT NULL
		) SELECT v FROM step WHERE v IS NOT NULL`, "COL", name))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}
