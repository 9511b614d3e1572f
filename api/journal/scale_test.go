package journal_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
)

// here is where the attempts of a large journal were sent.
var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}

// A sent statement is one that a journal sent to its server.
type sent struct {
	query string
	args  []any
}

// A recording is a database that keeps what was sent to it.
type recording struct {
	journal.Database
	keeps        bool
	timed        *latencies // of what is written; nil for none
	writes, done atomic.Int64
	mu           sync.Mutex
	all          []sent
}

func (r *recording) add(query string, args []any) {
	if !r.keeps {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, sent{query, args})
}

// take returns what was sent since it was last called.
func (r *recording) take() []sent {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

func (r *recording) Write(ctx context.Context, on []string, f func(context.Context, journal.Tx, journal.At) error) error {
	began := time.Now()
	err := r.Database.Write(ctx, on, func(ctx context.Context, tx journal.Tx, at journal.At) error {
		r.writes.Add(1)
		return f(ctx, recordingTx{recordingQuerier{tx, r}, tx}, at)
	})
	if err == nil {
		r.done.Add(1)
	}
	if r.timed != nil {
		r.timed.add(began)
	}
	return err
}

func (r *recording) Read(ctx context.Context, f func(context.Context, journal.Querier, journal.At) error) error {
	return r.Database.Read(ctx, func(ctx context.Context, q journal.Querier, at journal.At) error {
		return f(ctx, recordingQuerier{q, r}, at)
	})
}

type recordingQuerier struct {
	of journal.Querier
	to *recording
}

func (q recordingQuerier) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	q.to.add(query, args)
	return q.of.QueryContext(ctx, query, args...)
}

func (q recordingQuerier) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	q.to.add(query, args)
	return q.of.QueryRowContext(ctx, query, args...)
}

type recordingTx struct {
	recordingQuerier
	tx journal.Tx
}

func (t recordingTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(ctx, query, args...)
}

// A plan is a node of a plan of PostgreSQL.
type plan struct {
	Node     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Plans    []plan
}

// nodes are a plan and all below it.
func (p plan) nodes() []plan {
	all := []plan{p}
	for _, below := range p.Plans {
		all = append(all, below.nodes()...)
	}
	return all
}

func (p plan) String() string {
	var all []string
	for _, n := range p.nodes() {
		if n.Relation != "" || n.Index != "" {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %.0f rows -%.0f", n.Node, n.Relation, n.Index, n.Rows*n.Loops, n.Removed*n.Loops)))
		}
	}
	return strings.Join(all, "; ")
}

// An explained statement is how a server answered it, in milliseconds.
type explained struct {
	Plan    plan
	Took    float64 `json:"Execution Time"`
	Planned float64 `json:"Planning Time"`
}

// explain runs a statement at the server and returns its plan.
func explain(t *testing.T, c *pgx.Conn, s sent) (e explained) {
	t.Helper()
	var text string
	if err := c.QueryRow(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+s.query, s.args...).Scan(&text); err != nil {
		t.Fatalf("%v: %s", err, s.query)
	}
	var all []explained
	noError(t, json.Unmarshal([]byte(text), &all))
	return all[0]
}

// shared copies a large journal of so many attempts into a server. PAYDESK_SCALE_URL names one that has it already.
func shared(t *testing.T, attempts int) (c postgres.Config, o journal.Options) {
	t.Helper()
	dir := os.Getenv("PAYDESK_LARGE")
	o = journal.Options{Dir: t.TempDir(), Operator: ledger.Operator{User: "ada", Host: "till"}}
	if url := os.Getenv("PAYDESK_SCALE_URL"); url != "" {
		o.KeyFile = filepath.Join(dir, "paydesk", "journal.key")
		return postgres.Config{URL: url}, o
	}
	if dir == "" {
		dir = t.TempDir()
		noError(t, journal.Fill(filepath.Join(dir, "paydesk"), attempts, time.Now()))
	}
	server := pgtest.Start(t, "max_connections = 200")
	c, o.KeyFile = postgres.Config{URL: server.URL("postgres", "postgres")}, filepath.Join(dir, "paydesk", "journal.key")
	noError(t, postgres.Init(t.Context(), c))
	began := time.Now()
	done, err := postgres.Copy(t.Context(), c, filepath.Join(dir, "paydesk", "journal.db"))
	noError(t, err)
	t.Logf("%d attempts and %d facts copied and compared in %v", done.Attempts, done.Facts, time.Since(began).Round(time.Second))
	return c, o
}

func open(t testing.TB, c postgres.Config, o journal.Options) (*journal.Journal, *recording) {
	t.Helper()
	db, err := postgres.Open(c)
	noError(t, err)
	r := &recording{Database: db}
	j := journal.NewShared(r, o)
	t.Cleanup(func() { j.Close() })
	return j, r
}

// Nothing that the screens and a payment ask for reads a table from its beginning to its end. With PAYDESK_SCALE, which
// is how long the fifty consoles record, there are a million attempts, and the figures are logged.
func TestATeamsJournalOfAnySize(t *testing.T) {
	needsFile(t)
	if os.Getenv("PAYDESK_SCALE") == "" {
		pgtest.Whole(t)
	}
	t.Parallel()
	rows, lasts := 20_000, time.Duration(0)
	if long := os.Getenv("PAYDESK_SCALE"); long != "" {
		var err error
		lasts, err = time.ParseDuration(long)
		noError(t, err)
		rows = 1_000_000
	}
	c, o := shared(t, rows)
	explainAll(t, c, o, rows)
	if lasts > 0 {
		t.Run("fifty consoles", func(t *testing.T) { fiftyConsoles(t, c, o, lasts) })
		t.Run("purge", func(t *testing.T) { purgeBesideOthers(t, c, o) })
	}
}

// mostSteps are the statements of a question that are explained: those of a search of everything are alike.
const mostSteps = 50

// explainAll runs everything, and then its last statements once more for their plans.
func explainAll(t *testing.T, c postgres.Config, o journal.Options, rows int) {
	at, err := pgx.Connect(t.Context(), c.URL)
	noError(t, err)
	defer at.Close(context.Background())
	_, err = at.Exec(t.Context(), "SET search_path = paydesk, public; SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_custom_plan")
	noError(t, err)
	j, said := open(t, c, o)
	said.keeps = true
	noError(t, said.Read(t.Context(), func(context.Context, journal.Querier, journal.At) error { return nil })) // connects
	began := time.Now()
	noError(t, j.Check(t.Context()))
	_, err = j.Unfinished(t.Context(), here)
	noError(t, err)
	t.Logf("start, once connected: %v", time.Since(began).Round(100*time.Microsecond))
	all := teamQueries(t, rows)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var took []time.Duration
		for len(took) < 5 && (len(took) == 0 || took[0] < time.Second) { // a search of everything is not repeated
			said.take()
			began := time.Now()
			noError(t, all[name](j))
			took = append(took, time.Since(began))
		}
		var server, longest float64
		steps := said.take()
		for _, s := range steps[:min(len(steps), mostSteps)] {
			if strings.HasPrefix(s.query, "INSERT") {
				continue
			}
			e := explain(t, at, s)
			server, longest = server+e.Took, max(longest, e.Took)
			for _, n := range e.Plan.nodes() {
				if n.Node == "Seq Scan" && n.Relation != "facts" && n.Relation != "pins" {
					t.Errorf("%s reads all of %s: %s", name, n.Relation, s.query)
				}
			}
			if os.Getenv("PAYDESK_PLANS") != "" {
				t.Logf("   %.2f ms (planned in %.2f): %s\n      %s", e.Took, e.Planned, strings.Join(strings.Fields(s.query), " "), e.Plan)
			}
		}
		t.Logf("%-40s %4d statements, %7.2f ms at the server, the longest %7.2f, %v here", name, len(steps), server, longest, slices.Min(took).Round(10*time.Microsecond))
	}
}

// teamQueries are what the screens ask for, and a payment.
func teamQueries(t *testing.T, rows int) map[string]func(*journal.Journal) error {
	find := func(text string, from int) func(*journal.Journal) error {
		return func(j *journal.Journal) error {
			f := journal.Filter{Service: here}
			if text != "" {
				f.Query = asks(text)
			}
			p, err := j.Find(t.Context(), f, journal.Search{}, from, 200)
			for err == nil && p.Searching {
				p, err = j.Find(t.Context(), f, p.Search, from, 200)
			}
			return err
		}
	}
	links := func(text string) func(*journal.Journal) error {
		return func(j *journal.Journal) error {
			p, err := j.FindLinks(t.Context(), here, journal.LinkFilter{Query: containing(text)}, journal.Search{}, 0, 100)
			for err == nil && p.Searching {
				p, err = j.FindLinks(t.Context(), here, journal.LinkFilter{Query: containing(text)}, p.Search, 0, 100)
			}
			return err
		}
	}
	some := strconv.Itoa(rows/2 + 3)
	number := int64(1e9)
	all := map[string]func(*journal.Journal) error{
		"home: unfinished": func(j *journal.Journal) error { _, err := j.Unfinished(t.Context(), here); return err },
		"home: recent":     func(j *journal.Journal) error { _, err := j.Recent(t.Context(), here, 20); return err },
		"home: pins":       func(j *journal.Journal) error { _, err := j.Pins(t.Context(), here); return err },
		"home: made today": func(j *journal.Journal) error {
			_, err := j.Made(t.Context(), here, time.Now().Add(-24*time.Hour), time.Now())
			return err
		},
		"home: card-like":   func(j *journal.Journal) error { _, err := j.CardLike(t.Context(), here); return err },
		"home: differing":   func(j *journal.Journal) error { _, err := j.Differing(t.Context(), here); return err },
		"activity: choices": func(j *journal.Journal) error { _, err := j.Choices(t.Context()); return err },
		"activity: first":   find("", 0),
		"activity: page 50": find("", 5000),
		"payment": func(j *journal.Journal) error {
			_, err := j.Payment(t.Context(), here, api.Reference("REF"+some))
			return err
		},
		"payment: timeline": func(j *journal.Journal) error {
			_, _, err := j.Record(t.Context(), here, api.Reference("REF"+some))
			return err
		},
		"payments: known": func(j *journal.Journal) error {
			_, err := j.Standing(t.Context(), here, []api.Reference{"REF3", api.Reference("REF" + some), "REFNONE"})
			return err
		},
		"links: first": links(""),
		"links: open": func(j *journal.Journal) error {
			_, err := j.OpenLinks(t.Context(), here, journal.LinkFilter{})
			return err
		},
		"links: search": links("links " + strconv.Itoa(rows/200*100)),
		"links: absent": links("nowhere"),
		"orphans, and an ID": func(j *journal.Journal) error {
			_, err := j.Attempt(t.Context(), "0000000000")
			if errors.Is(err, ledger.ErrNotFound) {
				err = nil
			}
			return err
		},
		"look-alike, begin": func(j *journal.Journal) error {
			number++
			a := initiation(t, number)
			a.Destination = here
			a, err := j.Begin(t.Context(), a, ledger.Payer{Email: "a@b.example", Card: "4242424242424242"}, nil)
			if err == nil {
				err = j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.NotSent})
			}
			return err
		},
		"look-alike, alike": func(j *journal.Journal) error {
			a := initiation(t, 150)
			a.Destination = here
			_, err := j.Begin(t.Context(), a, ledger.Payer{Email: "a@b.example", Card: "4242424242424242"}, nil)
			if isDuplicate(err) {
				err = nil
			}
			return err
		},
	}
	for _, text := range []string{
		"ref" + some, "nowhere", "card", "status:pending", "status:successful", "outcome:refused", "unresolved", "-status:successful", "amount:>3", "amount:5.99 ngn",
		"amount:>7000", "operator:ada", "day:7d", "day:400d amount:>7000", "card:4242", "reference:ref" + some, "alias:alias-99*", "name:*9900*",
		"email:nobody@example.org", "-name:links* channel:transfer", "failed gbp", "ca",
	} {
		all["search: "+text] = find(text, 0)
	}
	return all
}
