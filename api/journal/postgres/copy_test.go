package postgres_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
)

// carl has paid before.
var carl = ledger.Payer{Email: "carl@example.org"}

// userJournal is the folder of a journal of one user, with some of everything in it.
func userJournal(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "state")
	j := journal.New(journal.Options{Dir: dir, Operator: ledger.Operator{User: "ada", Host: "till"}})
	defer j.Close()
	for i := range 5 {
		a, err := j.Begin(t.Context(), payment(t, int64(1250+i)), carl, nil)
		noError(t, err)
		ref := api.Reference(fmt.Sprintf("REF%d", i))
		noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: ref, Status: api.ParseStatus("PENDING")}}))
	}
	lost, err := j.Begin(t.Context(), payment(t, 7700), ledger.Payer{Email: "émile@example.org"}, nil)
	noError(t, err)
	noError(t, j.End(t.Context(), lost.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was lost: Grüße, 东京, C:\\new\\text, \\N \\."}))
	noError(t, j.RecordTransaction(t.Context(), shop, api.PaymentStatus{Reference: "ELSEWHERE", Status: api.ParseStatus("SUCCESSFUL")}))
	noError(t, j.Pin(t.Context(), shop, "REF1", "ELSEWHERE"))
	return dir
}

// teamOf is a journal of a team with the key of a folder.
func teamOf(t *testing.T, c postgres.Config, dir string) *journal.Journal {
	t.Helper()
	db, err := postgres.Open(c)
	noError(t, err)
	j := journal.NewShared(db, journal.Options{Dir: t.TempDir(), KeyFile: string(journal.KeyIn(dir)), Operator: ledger.Operator{User: "ben", Host: "desk"}})
	t.Cleanup(func() { j.Close() })
	return j
}

// everything is what a journal says of all that it holds.
func everything(t *testing.T, j *journal.Journal) []string {
	t.Helper()
	attempts, err := j.Find(t.Context(), journal.Filter{}, journal.Search{}, 0, 100)
	noError(t, err)
	lookups, err := j.Recent(t.Context(), shop, 100)
	noError(t, err)
	pins, err := j.View(t.Context(), shop, nil)
	noError(t, err)
	all := []string{fmt.Sprintf("%+v", lookups)}
	for _, p := range pins {
		all = append(all, fmt.Sprintf("%s %s %+v", p.Reference, p.At, p.By))
	}
	for _, a := range attempts.Rows {
		_, history, err := j.History(t.Context(), a.ID)
		noError(t, err)
		all = append(all, fmt.Sprintf("%+v %+v", a, history))
	}
	return all
}

func TestAJournalIsBroughtOverWhole(t *testing.T) {
	pgtest.Asked(t)
	t.Parallel()
	_, c := start(t)
	dir := userJournal(t)
	got, err := postgres.Copy(t.Context(), c, filepath.Join(dir, "journal.db"))
	noError(t, err)
	if got.Attempts != 6 || got.Facts < 12 || got.Payments != 2 {
		t.Errorf("%+v", got)
	}
	user := journal.New(journal.Options{Dir: dir})
	defer user.Close()
	team := teamOf(t, c, dir)
	if d := cmp.Diff(everything(t, user), everything(t, team)); d != "" {
		t.Error(d)
	}
	if _, err := team.Begin(t.Context(), payment(t, 1250), carl, nil); !isDuplicate(err) {
		t.Errorf("carl is not recognised: %v", err)
	}
	for i := range 3 { // the numbers go on
		_, err := team.Begin(t.Context(), payment(t, int64(9900+i)), ledger.Payer{Email: fmt.Sprintf("new%d@example.org", i)}, nil)
		noError(t, err)
	}
	noError(t, team.Pin(t.Context(), shop, "REF2"))
}

func isDuplicate(err error) bool {
	_, is := errors.AsType[*ledger.Duplicate](err)
	return is
}

// A server that keeps something else than what was written is found out, and keeps nothing.
func TestEveryRowIsReadBackAndCompared(t *testing.T) {
	pgtest.Asked(t)
	t.Parallel()
	server := pgtest.Shared(t)
	const differs = "The rows read back differ from those written"
	for name, of := range map[string]struct{ change, want string }{
		"a text is changed": {"NEW.channel = 'changed'; RETURN NEW;", differs},
		"a checksum":        {"NEW.checksum = '\\x00'; RETURN NEW;", differs},
		"a row is dropped":  {"IF NEW.n = 6 THEN RETURN NULL; END IF; RETURN NEW;", "23503"}, // its body has none
	} {
		dir := userJournal(t)
		c := postgres.Config{URL: server.URL("postgres", server.Database)}
		ask(t, c, "DROP SCHEMA IF EXISTS paydesk CASCADE")
		noError(t, postgres.Init(t.Context(), c))
		ask(t, c, "CREATE FUNCTION spoil() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN "+of.change+" END $$; "+
			"CREATE TRIGGER spoil BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION spoil()")
		_, err := postgres.Copy(t.Context(), c, filepath.Join(dir, "journal.db"))
		if why, is := errors.AsType[*ledger.Unavailable](err); !is || !strings.Contains(why.Why, of.want) || !strings.Contains(why.Why, "Nothing was copied") {
			t.Errorf("%s: %v, and not %s", name, err, of.want)
		}
		if all := everything(t, teamOf(t, c, dir)); len(all) != 1 {
			t.Errorf("%s: %d rows are there", name, len(all)-1)
		}
	}
}

// One row that is not what was written hides itself alone; nothing is sent that may be a payment like it.
func TestARowThatCannotBeReadHidesItselfAlone(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	j := console(t, c)
	var all []ledger.Attempt
	for minor := range 3 {
		a, err := begin(t, j, int64(100+minor))
		noError(t, err)
		noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"}))
		a.Outcome = ledger.Unresolved // as it is read
		all = append(all, a)
	}
	bad := string(all[1].ID)
	ids := func(rows []ledger.Attempt, err error) (found []ledger.ID) {
		t.Helper()
		noError(t, err)
		for _, a := range rows {
			found = append(found, a.ID)
		}
		slices.Sort(found)
		return found
	}
	others := []ledger.ID{all[0].ID, all[2].ID}
	slices.Sort(others)
	ask(t, c, "UPDATE entries SET outcome = 'refused', at = 1 WHERE id = '"+bad+"'")

	if _, err := begin(t, console(t, c), 101); !isDuplicate(err) { // its facts say what it is
		t.Errorf("a payment like it: %v", err)
	}
	for name, listed := range map[string][]ledger.ID{
		"unfinished": ids(j.Unfinished(t.Context(), shop)),
		"activity": ids(func() ([]ledger.Attempt, error) {
			rows, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9)
			if n != len(rows) {
				t.Errorf("%d are counted of %d", n, len(rows))
			}
			return rows, err
		}()),
	} {
		if !slices.Equal(listed, others) {
			t.Errorf("%s: %v, not %v", name, listed, others)
		}
	}
	if named, err := j.Unreadable(t.Context()); err != nil || len(named) != 1 || !strings.Contains(named[0], bad) {
		t.Errorf("%v are named: %v", named, err)
	}

	found, err := j.Audit(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(found.Differs, func(line string) bool { return strings.Contains(line, bad) }) {
		t.Errorf("the audit finds %v: %v", found.Differs, err)
	}
	noError(t, j.Decide(t.Context(), all[1], ledger.Deciding{Decision: ledger.GaveUp})) // rewrites the row
	if named, err := j.Unreadable(t.Context()); err != nil || len(named) > 0 {
		t.Errorf("%v are named: %v", named, err)
	}

	ask(t, c, "UPDATE facts SET body = replace(body, 'silence', 'payment') WHERE entry = '"+bad+"'")
	if _, err := begin(t, j, 101); !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), bad) {
		t.Errorf("a payment like one of which a fact was changed: %v", err)
	}
	if _, err := begin(t, j, 777); err != nil {
		t.Errorf("another one: %v", err)
	}
	rows, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9)
	if noError(t, err); slices.ContainsFunc(rows, func(a ledger.Attempt) bool { return string(a.ID) == bad }) || len(rows) != 3 {
		t.Errorf("%d are listed, with the one of which a fact was changed", len(rows))
	}
}
