package listing

import (
	"context"
	"database/sql"
	"hash/maphash"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// Rows are the rows that were read, in the order of the list: a table of a database of their own, which is in memory while it
// is small, and otherwise in a file that has no name and ends with the program. The table is made with the first row, and ends
// once nobody has the rows. Rows are only added. They are safe for concurrent use: one statement runs after the other, and none for long.
type Rows struct {
	seed  maphash.Seed
	adder sync.Mutex // held while rows are added
	pass  func(*Rows, []api.Row)
	seen  map[uint64]uint64 // the hash of the row with the hash of an ID, where there is no table; otherwise nil

	mu     sync.Mutex
	db     *sql.DB // nil before the first row
	n      int
	unique int
	odd    bool  // rows are in memory alone
	err    error // why no more rows can be kept
	gaps   []gap // in order
	kinds  []kind
	kindAt map[kind]int
}

// A kind is a currency and a status as they were received, with what is known of them. A list has few.
type kind struct {
	currency, status string
	code             string // "" for an unknown currency
	state            api.State
}

// A gap is before a place: rows came there that were not added, since they were there.
type gap struct {
	place int
	rows  int // in this gap and those before it
}

// A record is a row as it is stored: of the amount its minor units, and as text what these do not say.
type record struct {
	id    string
	minor sql.NullInt64
	raw   sql.NullString
	kind  int
	known bool // the amount is, exactly
}

// tables are a list, and in memory alone its words and those of its rows that have what looks like a card number, which is in
// no file. n is
// the place in the list, from 0, and low the ID in lower case where that is another. hash is that of the ID: an index
// of the IDs themselves would be as large as the list.
const tables = `CREATE TABLE list (n INTEGER PRIMARY KEY, hash INTEGER NOT NULL, id TEXT NOT NULL, low TEXT, minor INTEGER, raw TEXT,
		kind INTEGER NOT NULL, known INTEGER NOT NULL);
	CREATE INDEX list_hash ON list (hash);
	CREATE TEMP TABLE odd AS SELECT * FROM list;
	CREATE INDEX temp.odd_n ON odd (n);
	CREATE INDEX temp.odd_hash ON odd (hash);
	CREATE TEMP VIEW rows AS SELECT * FROM list UNION ALL SELECT * FROM odd;
	CREATE TEMP TABLE kinds (kind INTEGER PRIMARY KEY, currency TEXT NOT NULL, status TEXT NOT NULL, code TEXT NOT NULL, state INTEGER NOT NULL,
		exponent INTEGER NOT NULL);
	CREATE TEMP TABLE known (asked TEXT NOT NULL, id TEXT NOT NULL, how TEXT NOT NULL, was TEXT NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (asked, id)) WITHOUT ROWID`

// Of is the rows of pages that were read elsewhere: one that comes twice is there twice.
func Of(rows ...api.Row) *Rows {
	r := newRows()
	r.Append(rows...)
	return r
}

// Append adds such rows behind those that there are. An error is that of who reads them.
func (r *Rows) Append(rows ...api.Row) {
	for page := range slices.Chunk(rows, batch) {
		_, _ = r.add(page, true)
	}
}

func newRows() *Rows {
	return &Rows{seed: maphash.MakeSeed(), kindAt: map[kind]int{}}
}

// Len is how many rows there are.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// Unique is how many different ids there are.
func (r *Rows) Unique() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unique
}

// skip notes that a row came before a place and was not added.
func (r *Rows) skip(place int) {
	last := gap{place: -1}
	if len(r.gaps) > 0 {
		last = r.gaps[len(r.gaps)-1]
	}
	if last.place != place {
		r.gaps = append(r.gaps, gap{place, last.rows})
	}
	r.gaps[len(r.gaps)-1].rows++
}

// received is how many rows came before that of a place, with those that were not added.
func (r *Rows) received(place int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i, _ := slices.BinarySearchFunc(r.gaps, place+1, func(g gap, p int) int { return g.place - p }); i > 0 {
		return place + r.gaps[i-1].rows
	}
	return place
}

// identity is what tells rows apart: the ID, and after a tab, which no text has that was cleaned, what its text does not say.
func identity(row *api.Row) string {
	if row.IDHash == 0 {
		return row.ID.Line(0)
	}
	return row.ID.Line(0) + "\t" + strconv.FormatUint(row.IDHash, 36)
}

// begin makes the table.
func (r *Rows) begin() (err error) {
	if r.db != nil || r.err != nil {
		return r.err
	}
	db := statefile.Nameless()
	if _, err := db.Exec(tables); err != nil {
		db.Close()
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.db = db
	runtime.AddCleanup(r, func(db *sql.DB) { db.Close() }, db)
	return nil
}

// added is what became of rows that were added.
type added struct {
	fresh    int // with an id that was not there, or without any
	repeated int // not added, since the same row was there
	differ   int // added, though another row has their id
	nameless int // added without an id
}

func (a *added) count(b added) {
	a.fresh += b.fresh
	a.repeated += b.repeated
	a.differ += b.differ
	a.nameless += b.nameless
}

// add adds the rows of a page. A row that is there already is not added again, unless all are; one that differs from the row
// with its id is, since which of them is right is not known. Its error is that of the disk: then none is added.
func (r *Rows) add(rows []api.Row, all bool) (a added, err error) {
	if len(rows) == 0 {
		return a, nil
	}
	r.adder.Lock()
	defer r.adder.Unlock()
	kept := rows
	if r.seen != nil {
		kept, a = r.see(rows)
	} else if err = r.begin(); err == nil {
		kept, a, err = r.addPage(rows, all)
	}
	if err == nil && r.pass != nil {
		r.pass(r, kept)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = err
	}
	return a, err
}

// see counts rows without keeping them: a repeated one is known by the hash of all of it.
func (r *Rows) see(rows []api.Row) (kept []api.Row, a added) {
	n, unique := r.n, r.unique
	var skipped []int
	var h maphash.Hash
	h.SetSeed(r.seed)
	for i, row := range rows {
		h.Reset()
		h.WriteString(identity(&row))
		id := h.Sum64()
		for _, text := range [...]api.Text{row.Raw, row.Currency, row.Status.Text} { // the rest of a row follows from them
			h.WriteByte(0)
			h.WriteString(text.Line(0))
		}
		whole := h.Sum64()
		before, is := r.seen[id]
		_, another := r.seen[whole]
		switch {
		case row.ID.Empty():
			a.nameless++
			a.fresh++
		case is && before == whole || another:
			a.repeated++
			skipped = append(skipped, n)
			continue
		case is:
			a.differ++
			r.seen[whole] = 0
		default:
			a.fresh++
			unique++
			r.seen[id] = whole
		}
		kept = append(kept, rows[i])
		n++
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n, r.unique = n, unique
	for _, place := range skipped {
		r.skip(place)
	}
	return kept, a
}

// end forgets what was seen: no more rows come.
func (r *Rows) end() {
	if r.seen != nil {
		r.seen = map[uint64]uint64{}
	}
}

func (r *Rows) addPage(rows []api.Row, all bool) (kept []api.Row, a added, err error) {
	tx, err := r.db.Begin()
	if err != nil {
		return nil, a, err
	}
	defer tx.Rollback()
	there, err := r.withIDs(tx, rows)
	if err != nil {
		return nil, a, err
	}
	n, news, skipped := r.n, map[string]int{}, []int(nil)
	ctx, odd := context.Background(), false
	to := statefile.Inserter{Tx: tx, Table: "list", Columns: columnsOfRow}
	for i := range rows {
		one, err := r.recordOf(tx, &rows[i])
		if err != nil {
			return nil, a, err
		}
		before := there[one.id]
		switch {
		case one.id == "":
			a.nameless++
			a.fresh++
		case !all && slices.Contains(before, one):
			a.repeated++
			skipped = append(skipped, n)
			continue
		case len(before) > 0:
			a.differ++
		default:
			a.fresh++
			news[one.id]++
		}
		there[one.id] = append(before, one)
		if looksLikeCard(one.id) || looksLikeCard(one.raw.String) {
			odd = true
			err = r.insertOdd(ctx, tx, n, one)
		} else {
			err = to.Add(ctx, args(n, r.hash(one.id), one)...)
		}
		if err != nil {
			return nil, a, err
		}
		kept = append(kept, rows[i])
		n++
	}
	if err = to.Flush(ctx); err == nil {
		err = tx.Commit()
	}
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.n, r.unique, r.odd = n, r.unique+len(news), r.odd || odd
		for _, place := range skipped {
			r.skip(place)
		}
	}
	return kept, a, err
}

func (r *Rows) hash(id string) int64 { return int64(uint32(maphash.String(r.seed, id))) }

// mostCompared is how many rows those of a page are compared with, so that a list in which all rows have one id does not
// take for ever.
const mostCompared = 10_000

// withIDs are the rows that have the ids of some rows.
func (r *Rows) withIDs(q statefile.Querier, rows []api.Row) (map[string][]record, error) {
	there := map[string][]record{}
	hashes := make([]any, 0, len(rows))
	for i := range rows {
		if id := identity(&rows[i]); id != "" {
			hashes = append(hashes, r.hash(id))
		}
	}
	err := r.each(context.Background(), q, func(_ int, one record) error {
		there[one.id] = append(there[one.id], one)
		return nil
	}, "WHERE hash IN ("+statefile.Marks(len(hashes))+") ORDER BY n DESC LIMIT "+strconv.Itoa(mostCompared), hashes...)
	return there, err
}

// recordOf is a row as it is stored.
func (r *Rows) recordOf(tx *sql.Tx, row *api.Row) (one record, err error) {
	c, raw := currencyOf(row), row.Raw.Line(0)
	one = record{id: identity(row), known: row.Known}
	if row.Known {
		one.minor = sql.NullInt64{Int64: row.Amount.Minor, Valid: true}
	} else if minor, err := strconv.ParseInt(raw, 10, 64); err == nil {
		one.minor = sql.NullInt64{Int64: minor, Valid: true}
	}
	if !one.minor.Valid && raw != "" || one.minor.Valid && raw != strconv.FormatInt(one.minor.Int64, 10) {
		one.raw = sql.NullString{String: raw, Valid: true}
	}
	of := kind{row.Currency.Line(0), row.Status.Text.Line(0), c.Code(), row.Status.State}
	r.mu.Lock()
	defer r.mu.Unlock()
	at, is := r.kindAt[of]
	if !is {
		at = len(r.kinds)
		if _, err := tx.Exec("INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?)", at, of.currency, of.status, of.code, int(of.state), c.Exponent()); err != nil {
			return one, err
		}
		r.kindAt[of], r.kinds = at, append(r.kinds, of)
	}
	one.kind = at
	return one, nil
}

// currencyOf is the currency of a row, also where its amount is unknown.
func currencyOf(row *api.Row) money.Currency {
	if row.Known {
		return row.Amount.Currency
	}
	c, _ := money.ParseCurrency(row.Currency.Line(0))
	return c
}

const columnsOfRow = 8

// looksLikeCard reports whether a text has what may be a card number. Most are too short, or a UUID.
func looksLikeCard(s string) bool { return len(s) >= 13 && !card.IsUUID(s) && card.Redact(s) != s }

// insertOdd adds a row that is in memory alone.
func (r *Rows) insertOdd(ctx context.Context, tx *sql.Tx, n int, one record) error {
	to := statefile.Inserter{Tx: tx, Table: "odd", Columns: columnsOfRow}
	if err := to.Add(ctx, args(n, r.hash(one.id), one)...); err != nil {
		return err
	}
	return to.Flush(ctx)
}

// args are the values of a row, in the order of the columns.
func args(n int, hash int64, one record) []any {
	id, _, _ := strings.Cut(one.id, "\t")
	low := sql.NullString{String: strings.ToLower(id)}
	low.Valid = low.String != one.id
	return []any{n, hash, one.id, low, one.minor, one.raw, one.kind, one.known}
}

// each calls f with the place and the record of each row that rest selects.
func (r *Rows) each(ctx context.Context, q statefile.Querier, f func(n int, one record) error, rest string, args ...any) error {
	return statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var n int
		var one record
		if err := rows.Scan(&n, &one.id, &one.minor, &one.raw, &one.kind, &one.known); err != nil {
			return err
		}
		return f(n, one)
	}, "SELECT n, id, minor, raw, kind, known FROM "+r.from()+" "+rest, args...)
}

// from is where all rows are: in the list, unless some are in memory alone.
func (r *Rows) from() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.odd {
		return "rows"
	}
	return "list AS rows"
}

// row is a record as it was read but without its Object.
func (r *Rows) row(one record) api.Row {
	r.mu.Lock()
	of := r.kinds[one.kind]
	r.mu.Unlock()
	id, hash, odd := strings.Cut(one.id, "\t")
	row := api.Row{
		ID: api.Clean(id), Raw: api.Clean(one.raw.String), Currency: api.Clean(of.currency),
		Status: api.Status{State: of.state, Text: api.Clean(of.status)},
	}
	if odd {
		row.IDHash, _ = strconv.ParseUint(hash, 36, 64)
	}
	if one.minor.Valid && !one.raw.Valid {
		row.Raw = api.Clean(strconv.FormatInt(one.minor.Int64, 10))
	}
	if one.known {
		c, _ := money.ParseCurrency(of.code)
		row.Amount, row.Known = money.Amount{Minor: one.minor.Int64, Currency: c}, true
	}
	return row
}

// reader is the database to read from; nil where there are no rows.
func (r *Rows) reader() (*sql.DB, error) {
	if r == nil {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.db, r.err
}

// At are the rows with some places, in the order in which these are asked for.
func (r *Rows) At(ctx context.Context, places ...int32) ([]api.Row, error) {
	all := make([]api.Row, 0, len(places))
	for some := range slices.Chunk(places, batch) {
		db, err := r.reader()
		if err != nil || db == nil {
			return nil, err
		}
		at, args := make(map[int]api.Row, len(some)), make([]any, len(some))
		for i, n := range some {
			args[i] = n
		}
		err = r.each(ctx, db, func(n int, one record) error {
			at[n] = r.row(one)
			return nil
		}, "WHERE n IN ("+statefile.Marks(len(some))+")", args...)
		if err != nil {
			return nil, err
		}
		for _, n := range some {
			all = append(all, at[int(n)])
		}
	}
	return all, nil
}
