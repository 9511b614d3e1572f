package journal_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/money"
	commands "paydesk/screens/cli/journal"
)

// A fakeTeam is a database that answers what a test says.
type fakeTeam struct {
	report   postgres.Report
	from, to int
	err      error
	inits    int
	checked  journal.KeyFile
	copied   func(file string) error
}

func (*fakeTeam) Name() string     { return "paydesk@db.example/payments" }
func (*fakeTeam) RolesSQL() string { return "CREATE ROLE paydesk_use;" }

func (f *fakeTeam) Init(context.Context) error {
	f.inits++
	return f.err
}

func (f *fakeTeam) Migrate(context.Context) (from, to int, err error) { return f.from, f.to, f.err }

func (f *fakeTeam) Report(context.Context) (postgres.Report, error) { return f.report, nil }

func (f *fakeTeam) Open(key journal.KeyFile) *journal.Journal {
	f.checked = key
	return journal.New(journal.Options{})
}

func (f *fakeTeam) Copy(_ context.Context, file string) (postgres.Copied, error) {
	if f.err != nil {
		return postgres.Copied{}, f.err
	}
	return postgres.Copied{Attempts: 2, Payments: 1, Facts: 3}, f.copied(file)
}

// A desk is where the commands run.
type desk struct {
	state string
	key   journal.KeyFile // of the team
	out   strings.Builder
}

func newDesk(t *testing.T) *desk {
	return &desk{state: filepath.Join(t.TempDir(), "state"), key: journal.KeyIn(filepath.Join(t.TempDir(), "config"))}
}

func (d *desk) cli() commands.Upkeep { return commands.Upkeep{Out: &d.out, State: d.state} }

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func says(t *testing.T, said string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("%q is not said: %s", w, said)
		}
	}
}

func fails(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("it was done")
	}
	says(t, err.Error(), want...)
}

// text is the key of a file.
func text(t *testing.T, f journal.KeyFile) string {
	t.Helper()
	var b bytes.Buffer
	noError(t, f.Export(&b))
	return b.String()
}

// record writes down one payment in the folder of a desk, with an answer or without.
func (d *desk) record(t *testing.T, answered bool) {
	t.Helper()
	j, err := journal.Open(t.Context(), journal.Options{Dir: d.state})
	noError(t, err)
	defer j.Close()
	gbp, err := money.ParseCurrency("GBP")
	noError(t, err)
	a, err := j.Begin(t.Context(), ledger.Attempt{
		Kind: ledger.Initiate, Amount: money.Amount{Minor: 1250, Currency: gbp}, Channel: "Card",
		Destination: ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example"},
	}, ledger.Payer{Email: "carl@example.org"}, nil)
	noError(t, err)
	if answered {
		noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused}))
	}
}

func TestTheFirstToBeginATeamsJournalMakesItsKey(t *testing.T) {
	d, team := newDesk(t), &fakeTeam{}
	noError(t, d.cli().Init(t.Context(), team, d.key, false))
	says(t, d.out.String(), "in place: paydesk@db.example/payments", "was made: "+string(d.key), "paydesk journal key export")
	key := text(t, d.key)
	if strings.Contains(d.out.String(), strings.TrimSpace(key)) || team.inits != 1 || team.checked != d.key {
		t.Errorf("%+v: %s", team, d.out.String())
	}
	noError(t, d.cli().Init(t.Context(), team, d.key, false)) // again
	if text(t, d.key) != key || strings.Count(d.out.String(), "was made") != 1 {
		t.Error(d.out.String())
	}
}

func TestAJournalThatWasBegunGetsNoOtherKey(t *testing.T) {
	d, team := newDesk(t), &fakeTeam{report: postgres.Report{Version: 1, Keyed: true}}
	noError(t, d.cli().Init(t.Context(), team, d.key, false))
	if _, err := os.Stat(string(d.key)); !os.IsNotExist(err) || strings.Contains(d.out.String(), "was made") {
		t.Errorf("a key was made: %s", d.out.String())
	}
}

// A journal with another key could not be copied any more.
func TestWhoHasAJournalIsAskedAboutItsKeyFirst(t *testing.T) {
	d, team := newDesk(t), &fakeTeam{}
	d.record(t, true)
	err := d.cli().Init(t.Context(), team, d.key, false)
	fails(t, err, "nothing was changed", "paydesk journal key import "+string(journal.KeyIn(d.state)), "--fresh")
	if _, err := os.Stat(string(d.key)); !os.IsNotExist(err) || team.inits != 0 {
		t.Errorf("%d, %v", team.inits, err)
	}
	noError(t, d.cli().Init(t.Context(), team, d.key, true))
	if text(t, d.key) == text(t, journal.KeyIn(d.state)) {
		t.Error("the key is the same")
	}
}

func TestAMigrationSaysWhatItDid(t *testing.T) {
	d := newDesk(t)
	noError(t, d.cli().Migrate(t.Context(), &fakeTeam{from: 1, to: 2}))
	says(t, d.out.String(), "from version 1 to 2")
	noError(t, d.cli().Migrate(t.Context(), &fakeTeam{from: 2, to: 2}))
	says(t, d.out.String(), "Nothing was changed: the journal is of version 2 already")
	fails(t, d.cli().Migrate(t.Context(), &fakeTeam{err: errors.New("it is locked")}), "it is locked")
}

// share makes the key of a desk's file that of the team.
func (d *desk) share(t *testing.T) {
	t.Helper()
	_, err := d.key.Import(strings.NewReader(text(t, journal.KeyIn(d.state))), false, time.Now())
	noError(t, err)
}

func TestACopyIsOneCheckedStateOfTheFile(t *testing.T) {
	d := newDesk(t)
	d.record(t, true)
	d.share(t)
	file := filepath.Join(d.state, "journal.db")
	console, err := journal.Open(t.Context(), journal.Options{Dir: d.state}) // goes on using it
	noError(t, err)
	defer console.Close()
	before, err := os.ReadFile(file)
	noError(t, err)
	team := &fakeTeam{copied: func(copied string) error {
		j, err := journal.Open(t.Context(), journal.Options{Dir: filepath.Dir(copied)})
		noError(t, err)
		defer j.Close()
		if s, err := j.Statistics(t.Context()); err != nil || s.Attempts != 1 || copied == file {
			t.Errorf("%s: %+v %v", copied, s, err)
		}
		return nil
	}}
	noError(t, d.cli().Copy(t.Context(), team, file, d.key))
	says(t, d.out.String(), "2 attempts, 1 looked-up or pinned payment and 3 facts about them. Every row was read back and compared.", file)
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(d.state, "copy-*")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %q %v", left, err)
	}
}

func TestWhatCannotBeCopiedIsSaidBeforeAnythingIsWritten(t *testing.T) {
	team := &fakeTeam{err: errors.New("it was written")}
	for name, c := range map[string]struct {
		prepare func(*testing.T, *desk)
		want    []string
	}{
		"no file":           {func(*testing.T, *desk) {}, []string{"there is no journal", "nothing was copied"}},
		"no key":            {func(t *testing.T, d *desk) { d.record(t, true) }, []string{"there is no key of the team yet", "paydesk journal key import"}},
		"another key":       {func(t *testing.T, d *desk) { d.record(t, true); _, err := d.key.Create(); noError(t, err) }, []string{"not the one that the file was written with"}},
		"a console waiting": {func(t *testing.T, d *desk) { d.record(t, false); d.share(t) }, []string{"a console waits for the answer", "Try again"}},
		"no journal": {func(t *testing.T, d *desk) {
			d.record(t, true)
			d.share(t)
			noError(t, os.WriteFile(filepath.Join(d.state, "journal.db"), []byte("text"), 0o600))
		}, []string{"cannot be read, or is no journal"}},
		"a damaged journal": {func(t *testing.T, d *desk) {
			d.record(t, true)
			d.share(t)
			path := filepath.Join(d.state, "journal.db")
			b, err := os.ReadFile(path)
			noError(t, err)
			noError(t, os.WriteFile(path, bytes.ReplaceAll(b, []byte("pay.example"), []byte("pay.exampla")), 0o600))
		}, []string{"it is damaged", "journal.db"}},
	} {
		d := newDesk(t)
		c.prepare(t, d)
		err := d.cli().Copy(t.Context(), team, filepath.Join(d.state, "journal.db"), d.key)
		if err == nil || strings.Contains(err.Error(), "it was written") || strings.Contains(err.Error(), "copy-") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		says(t, err.Error(), c.want...)
	}
}
