package journal

// An eventTable is where the events of one kind of row are.
type eventTable struct {
	name, owner            string // owner is the column with the n of the row that an event is of
	selects, adds, updates string
}

// The tables of events.
var (
	attemptEvents = newEventTable("events", "attempt")
	lookupEvents  = newEventTable("lookup_events", "lookup")
)

func newEventTable(name, owner string) *eventTable {
	e := &eventTable{name: name, owner: owner}
	r := &eventRow{table: e}
	e.selects, e.adds, e.updates = "SELECT "+columnNames(r)+" FROM "+name+" ", insertSQL(name, r), updateSQL(name, r)
	return e
}

// An eventOwner is a row that has events.
type eventOwner interface {
	events() (in *eventTable, of int64)
}

func (r *row) events() (*eventTable, int64) { return attemptEvents, r.n }

// An eventRow is an event as it is stored.
type eventRow struct {
	table    *eventTable
	n, owner int64
	Event
}

// columns are n and every other column but checksum, in the order of the table.
func (e *eventRow) columns() []column {
	return []column{
		{"n", &e.n}, {e.table.owner, &e.owner}, {"at", &e.At}, {"until", &e.Until}, {"times", &e.Times},
		{"what", &e.What}, {"detail", &e.Detail},
		{"user", &e.By.User}, {"host", &e.By.Host}, {"ssh", &e.By.SSH}, {"source", &e.Source},
	}
}

// eventsOf reads events of a row; rest is what follows the condition in the query.
func (t *readTx) eventsOf(r eventOwner, rest string, args ...any) ([]*eventRow, error) {
	in, of := r.events()
	return collect(t, scanned(func() *eventRow { return &eventRow{table: in} }), in.selects+"WHERE "+in.owner+" = ? "+rest, append([]any{of}, args...)...)
}

// addEvent adds an event to the history of a row, or extends the last one of its kind where it is an answer that says
// the same.
func (t *writeTx) addEvent(r eventOwner, e Event) error {
	in, of := r.events()
	if !e.Until.IsZero() {
		events, err := t.eventsOf(r, "AND what = ? ORDER BY n DESC LIMIT 1", e.What)
		if err != nil {
			return err
		}
		if len(events) > 0 && e.Repeats(events[0].Event) {
			last := events[0]
			last.Extend(e)
			return t.exec(in.updates, append(values(last), last.n)...)
		}
	}
	if e.By == (Operator{}) {
		e.By = t.j.opts.Operator
	}
	e.Detail = sanitize(e.Detail)
	return t.exec(in.adds, values(&eventRow{table: in, owner: of, Event: e})...)
}
