package postgres_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/servicetest"
)

func TestAPurgeSparesWhatBecomesUnresolvedMeanwhile(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	j := console(t, c)
	a, err := begin(t, j, 100)
	noError(t, err)
	noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}))
	other, err := pgx.Connect(t.Context(), c.URL)
	noError(t, err)
	defer other.Close(context.Background())
	_, err = other.Exec(t.Context(), "BEGIN; UPDATE paydesk.entries SET outcome = 'unresolved', verdict = '' WHERE id = '"+string(a.ID)+"'")
	noError(t, err)
	purged := make(chan error, 1)
	go func() {
		_, err := j.Purge(context.Background(), time.Now().Add(time.Hour))
		purged <- err
	}()
	watch, err := pgx.Connect(t.Context(), c.URL)
	noError(t, err)
	defer watch.Close(context.Background())
	for waits := 0; waits == 0; {
		noError(t, watch.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT paydesk_purge%'").Scan(&waits))
	}
	_, err = other.Exec(t.Context(), "COMMIT")
	noError(t, err)
	noError(t, <-purged)
	var left int
	noError(t, watch.QueryRow(t.Context(), "SELECT count(*) FROM paydesk.entries").Scan(&left))
	if left != 1 {
		t.Error("an unresolved attempt was deleted")
	}
}

func TestARejectionKeepsTheOutcomesThatWaited(t *testing.T) {
	t.Parallel()
	server, c := start(t)
	dir := keyedDir(t)
	noError(t, second(begin(t, console(t, c), 700)))
	first := consoleIn(t, c, dir)
	a, err := begin(t, first, 100)
	noError(t, err)
	server.Disconnect(t)
	if err := first.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}); err == nil {
		t.Fatal("an outcome was written without a server")
	}
	first.Close()
	server.Reconnect(t)
	j := consoleIn(t, c, dir)
	if _, err := begin(t, j, 700); !isDuplicate(err) {
		t.Errorf("it is not a duplicate: %v", err)
	}
	if waiting, written := j.LateOutcomes(); waiting != 0 || written != 1 {
		t.Errorf("%d wait, %d were written", waiting, written)
	}
}

// A swallower is one end of a connection that loses all that is sent to it once the network is gone, and is not closed.
type swallower struct {
	net.Conn
	gone *atomic.Bool
}

func (s swallower) Write(b []byte) (int, error) {
	if s.gone.Load() {
		return len(b), nil
	}
	return s.Conn.Write(b)
}

func TestAConnectionThatHasVanishedIsNoticed(t *testing.T) {
	t.Parallel()
	pgtest.Whole(t) // it waits for the network's own patience
	server, c := start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer l.Close()
	var network atomic.Pointer[atomic.Bool] // of the connections that are made now
	network.Store(new(atomic.Bool))
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", filepath.Join(server.Socket(), ".s.PGSQL.5432"))
			if err != nil {
				in.Close()
				continue
			}
			gone := network.Load()
			carry := func(to, from net.Conn) {
				_, _ = io.Copy(swallower{to, gone}, from)
				to.Close()
			}
			go carry(out, in)
			go carry(in, out)
		}
	}()
	far := c
	far.URL = "postgres://postgres@" + l.Addr().String() + "/" + server.Database + "?sslmode=disable"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	changed := make(chan struct{}, 100)
	go consoleIn(t, far, keyedDir(t)).Follow(ctx, func() { changed <- struct{}{} })
	<-changed
	network.Swap(new(atomic.Bool)).Store(true)
	noError(t, second(begin(t, console(t, c), 100)))
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Error("the console still listens to nothing")
	}
}

// A team in which uma and ben may use the journal, and who of them is at psql.
type team struct {
	owner, uma, ben postgres.Config
	psql            *pgx.Conn
}

// No test that is parallel has one: its roles are those of all databases of the server.
func newTeam(t *testing.T) team {
	t.Helper()
	server := pgtest.Shared(t)
	admin := postgres.Config{URL: server.URL("postgres", server.Database)}
	ask(t, admin, postgres.RolesSQL(admin)+"CREATE ROLE uma LOGIN; CREATE ROLE ben LOGIN; GRANT paydesk_use TO uma, ben")
	t.Cleanup(func() {
		ask(t, admin, "DROP OWNED BY paydesk_own; DROP OWNED BY paydesk_use; DROP ROLE uma, ben, paydesk_own, paydesk_use")
	})
	noError(t, postgres.Init(t.Context(), admin))
	of := func(user string) postgres.Config { return postgres.Config{URL: server.URL(user, server.Database)} }
	psql, err := pgx.Connect(t.Context(), of("ben").URL)
	noError(t, err)
	t.Cleanup(func() { psql.Close(context.Background()) })
	return team{admin, of("uma"), of("ben"), psql}
}

// A stated is a fact as whoever knows how consoles write it would write it, at the end of the chain.
type stated struct {
	entry, kind, body, login string
	at                       time.Time
	number                   string // SQL, after the one before
	alike                    string
}

func (s stated) sql() string {
	h := sha256.New()
	at := s.at.UnixNano()
	for _, part := range []string{s.entry, string(binary.BigEndian.AppendUint64(nil, uint64(at))), s.kind, s.body, s.login, s.alike, "", ""} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	digest := fmt.Sprintf(`'\x%x'::bytea`, h.Sum(nil))
	return fmt.Sprintf(`INSERT INTO paydesk.facts (number, entry, at, kind, body, login, alike, about, open, digest, head, until, times, checksum)
		SELECT %[1]s, '%[2]s', %[3]d, '%[4]s', '%[5]s', '%[6]s', '%[8]s', '', '', %[7]s, sha256(head || int8send(%[1]s) || %[7]s), 0, 1,
			substr(sha256(int8send(%[1]s) || int8send(%[9]d) || convert_to('%[8]s', 'UTF8') || int8send(0) || int8send(0) || int8send(1)), 1, 8)
		FROM paydesk.facts ORDER BY number DESC LIMIT 1`, s.number, s.entry, at, s.kind, s.body, s.login, digest, s.alike, len(s.alike))
}

// Whoever may use the journal, and has psql, makes no console send again, and changes nothing unseen.
func TestAMemberWithPsqlMakesNothingBeSentAgain(t *testing.T) {
	team := newTeam(t)
	uma, ben := console(t, team.uma), console(t, team.ben)
	lost, err := begin(t, uma, 100)
	noError(t, err)
	noError(t, uma.End(t.Context(), lost.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"}))
	id, now := string(lost.ID), time.Now()
	const refused = `{"by":{"user":"uma"},"what":{"outcome":"refused","why":"no","source":"this console"},"salt":""}`
	const notFound = `{"by":{"user":"uma"},"what":{"decision":"not found"},"salt":""}`
	const taken = `{"by":{"user":"uma","login":"uma"},"what":{},"salt":""}`
	var alike string
	noError(t, team.psql.QueryRow(t.Context(), "SELECT alike FROM paydesk.facts WHERE entry = $1 AND kind = 'sending'", id).Scan(&alike))
	begun := func(id, outcome string) string {
		return fmt.Sprintf(`{"by":{"user":"uma"},"what":{"id":"%s","kind":"initiate","environment":"TEST","amount":{"Minor":1,"Currency":"USD"},"outcome":"%s"},"salt":""}`, id, outcome)
	}
	for name, sql := range map[string]string{
		"the row says that it was refused":           "UPDATE paydesk.entries SET outcome = 'refused', verdict = ''",
		"the row is of another amount":               "UPDATE paydesk.entries SET minor = 1, currency = 'USD'",
		"the row is old":                             "UPDATE paydesk.entries SET at = 1, outcome = 'refused'; SELECT paydesk.paydesk_purge(2, 100)",
		"the row is deleted":                         "DELETE FROM paydesk.entries",
		"the row is deleted by its view":             "DELETE FROM paydesk.attempts",
		"a fact is deleted":                          "DELETE FROM paydesk.facts",
		"facts are purged":                           fmt.Sprintf("SELECT paydesk.paydesk_purge(%d, 100)", now.UnixNano()),
		"an outcome is stated as the sender":         stated{entry: id, kind: "answered", body: refused, login: "uma", at: now, number: "number + 1"}.sql(),
		"a fact is changed":                          "UPDATE paydesk.facts SET body = ''",
		"an outcome is stated under one's login":     stated{entry: id, kind: "answered", body: refused, login: "ben", at: now, number: "number + 1"}.sql(),
		"a decision is stated as the sender":         stated{entry: id, kind: "decided", body: notFound, login: "uma", at: now, number: "number + 1"}.sql(),
		"it is not found at once":                    stated{entry: id, kind: "decided", body: notFound, login: "ben", at: now, number: "number + 1"}.sql(),
		"a fact is of tomorrow":                      stated{entry: id, kind: "taken", body: taken, login: "ben", at: now.Add(24 * time.Hour), number: "number + 1"}.sql(),
		"an older fact is stated again at the end":   "INSERT INTO paydesk.facts SELECT (jsonb_populate_record(f, jsonb_build_object('number', (SELECT max(number) + 1 FROM paydesk.facts)))).* FROM paydesk.facts f WHERE entry = '" + id + "' ORDER BY number LIMIT 1",
		"a fact leaves a gap":                        stated{entry: id, kind: "taken", body: taken, login: "ben", at: now, number: "number + 2"}.sql(),
		"facts are cut off":                          "TRUNCATE paydesk.facts",
		"the guard is taken away":                    "DROP TRIGGER stated ON paydesk.facts",
		"the key is another":                         "UPDATE paydesk.about SET value = 'x' WHERE name = 'key check'",
		"a temporary table stands for the facts":     "CREATE TEMPORARY TABLE facts (LIKE paydesk.facts); " + stated{entry: id, kind: "answered", body: refused, login: "uma", at: now, number: "number + 1"}.sql(),
		"an outcome is stated as of a check":         stated{entry: id, kind: "answered", body: strings.Replace(refused, "this console", "status", 1), login: "ben", at: now, number: "number + 1"}.sql(),
		"it is begun again as refused":               stated{entry: id, kind: "sending", body: begun(id, "refused"), login: "ben", at: now, number: "number + 1"}.sql(),
		"another is begun that names it":             stated{entry: "zzzzzzzzzz", kind: "sending", body: begun(id, "refused"), login: "ben", at: now, number: "number + 1"}.sql(),
		"one like it is begun that does not name it": stated{entry: "yyyyyyyyyy", kind: "sending", body: begun("yyyyyyyyyy", "refused"), login: "ben", at: now, number: "number + 1", alike: alike}.sql(),
		"it is purged as old": stated{entry: id, kind: "sending", body: begun(id, "refused"), login: "ben", at: now.Add(-100 * 24 * time.Hour), number: "number + 1"}.sql() +
			"; UPDATE paydesk.entries SET at = 1, outcome = 'refused'; SELECT paydesk.paydesk_purge(2, 100)",
		"it is purged as decided": stated{entry: id, kind: "decided", body: notFound, login: "ben", at: now.Add(-100 * 24 * time.Hour), number: "number + 1"}.sql() +
			"; UPDATE paydesk.entries SET at = 1, outcome = 'refused'; SELECT paydesk.paydesk_purge(2, 100)",
	} {
		t.Run(name, func(t *testing.T) {
			was, err := ben.Audit(t.Context(), nil)
			noError(t, err)
			_, attack := team.psql.Exec(t.Context(), "BEGIN; "+sql+"; COMMIT")
			if attack != nil {
				_, _ = team.psql.Exec(t.Context(), "ROLLBACK")
			}
			is, err := ben.Audit(t.Context(), nil)
			noError(t, err)
			named := slices.DeleteFunc(is.Differs, func(d string) bool { return slices.Contains(was.Differs, d) })
			if attack == nil && len(named) == 0 {
				t.Error("the audit does not name it")
			}
			if _, err := begin(t, ben, 100); !isDuplicate(err) {
				t.Errorf("it is not held back: %v", err)
			}
			noError(t, uma.Take(t.Context(), mustAttempt(t, uma, lost.ID))) // rewrites the row
			if is := mustAttempt(t, uma, lost.ID); !is.IsUnresolved() {
				t.Errorf("it became %s, decided as %q", is.Outcome, is.Decision)
			}
			noError(t, uma.Release(t.Context(), lost.ID))
		})
	}

	// What is stated under one's own login has that name, whatever else it says.
	_, err = team.psql.Exec(t.Context(), stated{entry: id, kind: "decided", body: strings.Replace(notFound, "not found", "gave up", 1), login: "ben", at: now, number: "number + 1"}.sql())
	noError(t, err)
	if by := mustAttempt(t, uma, lost.ID).DecidedBy; by.Login != "ben" {
		t.Errorf("it was decided by %s", by)
	}
}

func mustAttempt(t *testing.T, j *journal.Journal, id ledger.ID) ledger.Attempt {
	t.Helper()
	a, err := j.Attempt(t.Context(), id)
	noError(t, err)
	return a
}

// A stating service has one status, and refuses payments. It asks through a client, which knows nothing.
type stating struct {
	servicetest.Counter
	client *api.Client
	status api.PaymentStatus
	err    error
}

func (s *stating) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	_, _ = s.client.Transaction(ctx, r)
	return s.status, s.err
}

// A failure that a colleague has stated releases nothing: the service is asked first.
func TestAFailureThatAMemberStatesIsAskedAbout(t *testing.T) {
	team := newTeam(t)
	uma := console(t, team.uma)
	paid, err := begin(t, uma, 100)
	noError(t, err)
	noError(t, uma.End(t.Context(), paid.ID, ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "REF-1", Status: api.ParseClaim("PENDING")}}))
	answer := func(word string) api.PaymentStatus {
		return api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus(word)}
	}
	benStates := func(s api.PaymentStatus) {
		_, body, err := ledger.Fact{By: ledger.Operator{User: "uma"}, What: ledger.Checked{PaymentStatus: s}}.Record()
		noError(t, err)
		_, err = team.psql.Exec(t.Context(), stated{entry: string(paid.ID), kind: "checked", body: string(body), login: "ben", at: time.Now(), number: "number + 1"}.sql())
		noError(t, err)
	}
	benStates(answer("FAILED"))
	_, err = begin(t, uma, 100)
	if ask, is := errors.AsType[*ledger.AskFirst](err); !is || !slices.Equal(ask.Payments, []api.Reference{"REF-1"}) {
		t.Fatalf("a colleague's word is believed: %v", err)
	}
	client, err := api.New(api.Config{BaseURL: "https://pay.example", ListURL: "https://pay.example", Key: servicetest.Key("sk_test_states"), Transport: servicetest.Network{Handler: http.NotFoundHandler()}})
	noError(t, err)
	s := &stating{client: client, status: answer("FAILED"), err: &api.Failure{Kind: api.KindDNS}}
	s.Err = &api.Refusal{HTTP: 422}
	asked := api.WithAnswers(t.Context(), func(a api.Answer) { t.Errorf("what was asked first is kept as the answer: HTTP %d", a.HTTP) })
	for _, sent := range []int{0, 1} { // the second time the service says so
		in := api.Initiation{Amount: paid.Amount, Channel: paid.Channel}
		_, err := journal.NewRecorder(s, uma, paid.Destination, nil).Initiate(asked, in)
		if s.Calls(api.OpInitiate) != sent || errors.Is(err, api.ErrNotSent) != (sent == 0) {
			t.Errorf("%d were sent, not %d: %v", s.Calls(api.OpInitiate), sent, err)
		}
		s.err = nil
	}
	brought, none := answer("FAILED"), answer("FAILED")
	brought.Received, none.Received = paid.Amount, money.Amount{Currency: paid.Amount.Currency}
	noError(t, uma.RecordTransaction(t.Context(), paid.Destination, brought))
	benStates(none)
	if _, err = begin(t, uma, 100); !isDuplicate(err) {
		t.Errorf("a colleague's word that it brought nothing is believed: %v", err)
	}
	noError(t, uma.RecordTransaction(t.Context(), paid.Destination, answer("SUCCESSFUL")))
	if _, err = begin(t, uma, 100); !isDuplicate(err) {
		t.Errorf("what was charged is not known: %v", err)
	}
}

// What a console has written is missing once a dump was put back, or a standby took over without it.
func TestATeamsJournalThatGoesBackIsALoss(t *testing.T) {
	team := newTeam(t)
	uma := console(t, team.uma)
	_, err := begin(t, uma, 100)
	noError(t, err)
	_, err = begin(t, uma, 200)
	noError(t, err)
	ask(t, team.owner, "DELETE FROM facts WHERE number = 2")
	for range 2 {
		if _, err = begin(t, uma, 200); !errors.Is(err, journal.ErrLoss) || len(uma.KnownLosses()) != 1 {
			t.Fatalf("it is sent again: %v", err)
		}
	}
	if _, err = begin(t, console(t, team.ben), 300); err != nil {
		t.Errorf("who has seen nothing that is missing is stopped: %v", err)
	}
	noError(t, uma.AcknowledgeLosses(uma.Losses()))
	_, err = begin(t, uma, 200)
	noError(t, err)
}
