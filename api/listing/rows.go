package listing

import (
	"context"
	"database/sql"
	"hash/fnv"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"paydesk/api"
	"paydesk/api/statefile"
)

// Rows are the rows that were read, in the order of the list: a table of a database of their own, which is in memory while it
// is small, and otherwise in a file that has no name and ends with the program. The table is made with the first row, and ends
// once nothing refers to the rows. Rows are only added. They are safe for concurrent use: statements run one at a time, and none
// for long.
type Rows struct {
	adder sync.Mutex // held while rows are added
	seen  seen       // hashes of IDs
	parts *parts     // the rows as they are kept; nil where nothing keeps them

	mu     sync.Mutex
	db     *sql.DB // nil before the first row
	n      int
	unique int
	odd    bool  // rows are in memory alone
	err    error // why no more rows can be kept
	skips  []int // for each row that was not added, since the list had it already, the place before which it came
	kinds  []kind
	kindAt map[kind]int
	// objects holds the raw objects that rows were read with, by place: of [mostObjects] rows at most.
	objects map[int]api.Text
}

// mostObjects is the number of rows in 50 full pages.
const mostObjects = 50 * api.MaxPerPage

// tables are a list, and in memory alone its words, those of its rows that have what looks like a card number, which is in
// no file, and the rows beside it, with the scan that had them, or the ledger. n is the place in the list, from 0, and low the ID in
// lower case where that differs. hash is that of the ID, and has an index once IDs are looked up: an index of the IDs themselves
// would be as large as the list.
const tables = `CREATE TABLE list (n INTEGER PRIMARY KEY, hash INTEGER NOT NULL, id TEXT NOT NULL, low TEXT, minor INTEGER, raw TEXT,
		kind INTEGER NOT NULL);
	CREATE TABLE parts (part INTEGER NOT NULL, lines TEXT NOT NULL);
	CREATE INDEX parts_part ON parts (part);
	CREATE TEMP TABLE odd AS SELECT * FROM list;
	CREATE INDEX temp.odd_n ON odd (n);
	CREATE INDEX temp.odd_hash ON odd (hash);
	CREATE TEMP VIEW rows AS SELECT * FROM list UNION ALL SELECT * FROM odd;
	CREATE TEMP TABLE beside (n INTEGER PRIMARY KEY, asked TEXT NOT NULL);
	CREATE TEMP TABLE kinds (kind INTEGER PRIMARY KEY, currency TEXT NOT NULL, status TEXT NOT NULL, code TEXT NOT NULL, state INTEGER NOT NULL,
		exponent INTEGER NOT NULL, known INTEGER NOT NULL);
	CREATE TEMP TABLE known (asked TEXT NOT NULL, id TEXT NOT NULL, how TEXT NOT NULL, was TEXT NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (asked, id)) WITHOUT ROWID`

// Of is the rows of pages that were read elsewhere: one that comes twice is there twice. An error is reported to whoever reads
// them.
func Of(rows ...api.Transaction) *Rows {
	r := newRows()
	_, _ = r.add(rows, true)
	return r
}

func newRows() *Rows {
	return &Rows{kindAt: map[kind]int{}, objects: map[int]api.Text{}}
}

// Len returns the number of rows.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// Unique returns the number of different ids.
func (r *Rows) Unique() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unique
}

// object returns the raw object of the row at a place; empty where it is not kept.
func (r *Rows) object(place int) api.Text {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.objects[place]
}

// received counts the rows that came before the row at a place, those that were not added included.
func (r *Rows) received(place int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	skipped, _ := slices.BinarySearch(r.skips, place+1)
	return place + skipped
}

// identity returns what tells rows apart: the ID, and after a tab, which no cleaned text has, what its text does not say.
func identity(row *api.Transaction) string {
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

// added counts what became of rows that were to be added.
type added struct {
	repeated int // not added, since the same row was there
	differ   int // added, though another row has their id
	nameless int // added without an id
}

// add adds the rows of a page. A row that is there already is not added again, unless all are; one that differs from the row
// with its id is, since which of them is right is not known. Its error is one of the disk: then none is added.
func (r *Rows) add(rows []api.Transaction, all bool) (a added, err error) {
	if len(rows) == 0 {
		return a, nil
	}
	r.adder.Lock()
	defer r.adder.Unlock()
	if err = r.begin(); err == nil {
		a, err = r.addPage(rows, all)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = err
	}
	return a, err
}

func (r *Rows) addPage(rows []api.Transaction, all bool) (a added, err error) {
	tx, err := r.db.Begin()
	if err != nil {
		return a, err
	}
	defer tx.Rollback()
	there, err := r.withIDs(tx, rows)
	if err != nil {
		return a, err
	}
	n, unique, skips, objects := r.n, r.unique, r.skips, map[int]api.Text{}
	ctx, odd := context.Background(), false
	usual := statefile.Inserter{Tx: tx, Table: "list (n, hash, id, minor, kind)", Columns: 5}
	for i := range rows {
		one, at, err := r.recordOf(tx, &rows[i])
		if err != nil {
			return a, err
		}
		before := there[one.id]
		switch {
		case one.id == "":
			a.nameless++
		case !all && slices.Contains(before, one):
			a.repeated++
			skips = append(skips, n)
			continue
		case len(before) > 0:
			a.differ++
		default:
			unique++
		}
		if there != nil {
			there[one.id] = append(before, one)
		}
		card := looksLikeCard(one.id)
		switch {
		case card || looksLikeCard(one.raw.String):
			odd = true
			err = r.insert(ctx, tx, "odd", n, one, at)
		case !one.minor.Valid || one.raw.Valid || one.low().Valid:
			err = r.insert(ctx, tx, "list", n, one, at)
		default:
			err = usual.Add(ctx, n, hashOf(one.id), one.id, one.minor.Int64, at)
		}
		if err == nil && r.parts != nil {
			err = r.parts.add(ctx, tx, one, card)
		}
		if err != nil {
			return a, err
		}
		if !rows[i].Object.Empty() {
			objects[n] = rows[i].Object
		}
		n++
	}
	if err = usual.Flush(ctx); err == nil {
		err = tx.Commit()
	}
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.n, r.unique, r.skips, r.odd = n, unique, skips, r.odd || odd
		if len(r.objects)+len(objects) <= mostObjects {
			maps.Copy(r.objects, objects)
		}
	}
	return a, err
}

// indexed makes rows be found by the hashes of their IDs.
const indexed = "CREATE INDEX IF NOT EXISTS list_hash ON list (hash)"

// hashOf is a hash of an ID: 32 bits of [wideHash].
func hashOf(id string) int64 { return int64(uint32(wideHash(id))) }

// wideHash is FNV-1a, whose upper bits say which part of the list an ID is in, in every file.
func wideHash(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

// seen knows which hashes came before, by 44 bits of each: a list in which all IDs differ, as they should, takes no index, and no row
// of it is looked up. Those with the same upper bits are together, in four bytes each.
type seen [1 << 12][]uint32

// add adds a hash, and reports whether it came before.
func (s *seen) add(hash uint64) (known bool) {
	alike := &s[hash>>52]
	if slices.Contains(*alike, uint32(hash)) {
		return true
	}
	*alike = append(*alike, uint32(hash))
	return false
}

// mostCompared limits how many earlier rows the rows of a page are compared with: a list in which all rows have one id
// would take for ever.
const mostCompared = 1_000

// withIDs returns the rows that have the ids of some rows; nil where none of these came before.
func (r *Rows) withIDs(tx *sql.Tx, rows []api.Transaction) (map[string][]record, error) {
	var hashes []any
	for i := range rows {
		if id := identity(&rows[i]); id != "" && r.seen.add(wideHash(id)) {
			hashes = append(hashes, hashOf(id))
		}
	}
	if len(hashes) == 0 {
		return nil, nil
	}
	if _, err := tx.Exec(indexed); err != nil {
		return nil, err
	}
	there := map[string][]record{}
	err := r.each(context.Background(), tx, "", func(_ int, one record, _ Known) error {
		there[one.id] = append(there[one.id], one)
		return nil
	}, "WHERE hash IN ("+statefile.Marks(len(hashes))+") ORDER BY n DESC LIMIT "+strconv.Itoa(mostCompared), hashes...)
	return there, err
}

// insert adds a row to a table.
func (r *Rows) insert(ctx context.Context, tx *sql.Tx, table string, n int, one record, kind int) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO "+table+" VALUES (?, ?, ?, ?, ?, ?, ?)", n, hashOf(one.id), one.id, one.low(), one.minor, one.raw, kind)
	return err
}

// each calls f with the place and the record of each row that rest selects, and with what is known of it since a scan that is
// asked about; nothing where that is "".
func (r *Rows) each(ctx context.Context, q statefile.Querier, asked string, f func(n int, one record, k Known) error, rest string, args ...any) error {
	columns, from := "n, id, minor, raw, kind", r.from()
	var n, kind int64 // of any other type package sql would make a text first
	var one record
	var how, was sql.NullString
	var k Known
	into := []any{&n, &one.id, &one.minor, &one.raw, &kind}
	if asked != "" {
		columns += ", how, was, seen"
		from += " LEFT JOIN (SELECT id AS of, how, was, seen FROM known WHERE asked = ?) ON of = id"
		into, args = append(into, &how, &was, statefile.Milli(&k.Seen)), append([]any{asked}, args...)
	}
	return statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		k.How, k.Was = how.String, was.String
		r.mu.Lock()
		one.kind = r.kinds[kind]
		r.mu.Unlock()
		return f(int(n), one, k)
	}, "SELECT "+columns+" FROM "+from+" "+rest, args...)
}

// from returns the SQL of where all rows are: in the list, unless some are in memory alone.
func (r *Rows) from() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.odd {
		return "rows"
	}
	return "list AS rows"
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

// At are the rows with some places, in the order in which these are asked for, as a search lists them.
func (r *Rows) At(ctx context.Context, s Search, places ...int32) ([]Listed, error) {
	all, at := make([]Listed, len(places)), make(map[int]int, len(places))
	for i, n := range places {
		at[int(n)] = i
	}
	for some := range slices.Chunk(places, batch) {
		db, err := r.reader()
		if err != nil || db == nil {
			return nil, err
		}
		first, last := some[0], some[len(some)-1]
		which, args := "n BETWEEN ? AND ?", []any{first, last}
		if int(last-first) != len(some)-1 || !slices.IsSorted(some) {
			which, args = "n IN ("+statefile.Marks(len(some))+")", nil
			for _, n := range some {
				args = append(args, n)
			}
		}
		err = r.each(ctx, db, s.asked(), func(n int, one record, k Known) error {
			i, asked := at[n]
			if !asked {
				return nil
			}
			l := &all[i]
			l.Transaction, l.Place, l.Since = one.row(), n, k
			if l.Object = r.object(n); s.First > 0 && InList(n) {
				l.Position = s.First + r.received(n)
			}
			s.Mismatches.Mark(l)
			return nil
		}, "WHERE "+which, args...)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
