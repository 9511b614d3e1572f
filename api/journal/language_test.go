package journal_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/query"
)

// today is the day of the tests that search for days.
func today() query.DayNumber { return query.DayOf(newClock().at) }

// containing looks for one text anywhere; for none, it finds everything.
func containing(text string) (q query.Query) {
	if text = strings.TrimSpace(text); text != "" {
		q.Terms = []query.Term{{Values: []query.Value{{Text: text}}}}
	}
	return q
}

// asks is a query as a person types it among the attempts.
func asks(text string) query.Query {
	q, problems := journal.AttemptLanguage(today).Parse(text)
	if len(problems) > 0 {
		panic(problems[0].Text)
	}
	return q
}

// A largeTeam is a large journal at a server, and who opens it.
type largeTeam struct {
	postgres.Config
	journal.Options
}

func newLargeTeam(t *testing.T, attempts int) largeTeam {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "paydesk")
	noError(t, journal.Fill(dir, attempts, time.Now()))
	server := pgtest.Start(t, "max_connections = 200")
	c := postgres.Config{URL: server.URL("postgres", "postgres")}
	noError(t, postgres.Init(t.Context(), c))
	must(postgres.Copy(t.Context(), c, filepath.Join(dir, "journal.db")))
	return largeTeam{c, journal.Options{Dir: t.TempDir(), KeyFile: keyFile(dir), Operator: ledger.Operator{User: "ada", Host: "till"}}}
}

func (l largeTeam) open() *journal.Journal {
	return journal.NewShared(must(postgres.Open(l.Config)), l.Options)
}

// Nothing that the screens and a payment ask for reads a table from its beginning to its end. PAYDESK_SCALE is how many
// attempts there are.
func TestATeamsJournalOfAnySize(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("PAYDESK_SCALE"))
	if err != nil {
		t.Skip("only with PAYDESK_SCALE")
	}
	t.Parallel()
	team := newLargeTeam(t, rows)
	psql, err := pgx.Connect(t.Context(), team.URL)
	noError(t, err)
	defer psql.Close(context.Background())
	must(psql.Exec(t.Context(), "ALTER DATABASE postgres SET enable_seqscan = off")) // where there is an index, it is used
	scans := func() (n int) {                                                        // once all consoles are gone, who say what they did when they leave
		for left := 1; left > 0; {
			noError(t, psql.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity, pg_sleep(0.01) WHERE application_name = 'paydesk'").Scan(&left))
		}
		noError(t, psql.QueryRow(t.Context(), "SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname IN ('entries', 'bodies')").Scan(&n))
		return n
	}
	all := teamQueries(t, rows)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, j := scans(), team.open()
		noError(t, j.Check(t.Context()))
		began := time.Now()
		noError(t, all[name](j))
		t.Logf("%-40s %v", name, time.Since(began).Round(10*time.Microsecond))
		noError(t, j.Close())
		if n := scans() - before; n > 0 {
			t.Errorf("%s reads a table from its beginning to its end %d times", name, n)
		}
	}
}

// teamQueries are what the screens ask for, and a payment.
func teamQueries(t testing.TB, rows int) map[string]func(*journal.Journal) error {
	ctx, some := t.Context(), strconv.Itoa(rows/2+3)
	ref := api.Reference("REF" + some)
	pay := func(minor int64) func(*journal.Journal) error {
		return func(j *journal.Journal) error {
			a, err := j.Begin(ctx, initiation(t, minor), ledger.Payer{Email: "a@b.example", Card: "4242 Visa 12/2034"}, nil)
			if err == nil {
				err = j.End(ctx, a.ID, ledger.Result{Outcome: ledger.NotSent})
			}
			if isDuplicate(err) {
				err = nil
			}
			return err
		}
	}
	all := map[string]func(*journal.Journal) error{
		"home: recent": func(j *journal.Journal) error { return second(j.Recent(ctx, shop, 20)) },
		"home: view":   func(j *journal.Journal) error { return second(j.View(ctx, shop, []api.Reference{ref})) },
		"home: made today": func(j *journal.Journal) error {
			return second(j.Made(ctx, shop, time.Now().Add(-24*time.Hour), time.Now()))
		},
		"home: card-like":   func(j *journal.Journal) error { return second(j.CardLike(ctx, shop)) },
		"home: differing":   func(j *journal.Journal) error { return second(j.Differing(ctx, shop)) },
		"activity: choices": func(j *journal.Journal) error { return second(j.Choices(ctx)) },
		"payment":           func(j *journal.Journal) error { return second(j.Payment(ctx, shop, ref)) },
		"payment: timeline": func(j *journal.Journal) error { _, _, err := j.Record(ctx, shop, ref); return err },
		"payments: known": func(j *journal.Journal) error {
			return second(j.Standing(ctx, shop, []api.Reference{"REF3", ref, "REFNONE"}))
		},
		"orphans, and an ID": func(j *journal.Journal) error {
			if _, err := j.Attempt(ctx, "0000000000"); !errors.Is(err, ledger.ErrNotFound) {
				return err
			}
			return nil
		},
		"look-alike, begin": pay(1e9),
		"look-alike, alike": pay(150),
	}
	for _, text := range []string{"", "links " + strconv.Itoa(rows/200*100), "nowhere"} {
		all["links: "+text] = func(j *journal.Journal) error {
			p, err := j.FindLinks(ctx, shop, containing(text), journal.Search{}, 0, 100)
			for err == nil && p.Searching {
				p, err = j.FindLinks(ctx, shop, containing(text), p.Search, 0, 100)
			}
			return err
		}
	}
	for _, text := range []string{
		"", "ref" + some, "nowhere", "card", "status:pending", "status:successful", "outcome:refused", "unresolved", "-status:successful", "amount:>3", "amount:5.99 ngn",
		"amount:>7000", "operator:ada", "day:7d", "day:400d amount:>7000", "card:4242", "reference:ref" + some, "alias:alias-99*", "name:*9900*",
		"email:nobody@example.org", "-name:links* channel:transfer", "failed gbp", "ca",
	} {
		all["activity: "+text] = func(j *journal.Journal) error {
			f := journal.Filter{Service: shop, Query: asks(text)}
			p, err := j.Find(ctx, f, journal.Search{}, 0, 200)
			for err == nil && p.Searching {
				p, err = j.Find(ctx, f, p.Search, 0, 200)
			}
			return err
		}
	}
	return all
}
