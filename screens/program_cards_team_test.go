//go:build unix

package screens_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/sandbox"
)

// talkative is a server that writes down all that it is told.
var talkative = []string{
	"log_statement = all", "log_min_messages = debug1", "log_min_error_statement = debug1", "log_duration = on", "log_connections = on",
	"log_parameter_max_length = -1", "log_parameter_max_length_on_error = -1", "track_activity_query_size = 64kB",
	"shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.track = all",
}

// A watched is a server of a team's journal, everything of which is searched.
type watched struct {
	*pgtest.Cluster
	t        *testing.T
	password string // of ada
	key      []byte // of the hashes

	mu   sync.Mutex
	said bytes.Buffer // what it says of statements and changes
}

func watch(t *testing.T) *watched {
	t.Helper()
	program(t) // before the server: a short run has none
	w := &watched{Cluster: pgtest.Start(t, talkative...), t: t, password: "CANARY-" + rand.Text(), key: make([]byte, 32)}
	rand.Read(w.key)
	owner := postgres.Config{URL: w.URL("postgres", "postgres")}
	w.do(postgres.RolesSQL(owner) + "CREATE EXTENSION pg_stat_statements; CREATE ROLE ada LOGIN IN ROLE paydesk_use PASSWORD '" + verifier(w.password) + "'")
	must(t, postgres.Init(t.Context(), owner))
	access := "local all ada scram-sha-256\nlocal all all trust\n"
	must(t, os.WriteFile(filepath.Join(w.Dir(), "data", "pg_hba.conf"), []byte(access), 0o600))
	w.do("SELECT pg_reload_conf()")
	return w
}

// verifier returns what PostgreSQL keeps of a password. It is made here, so that the server is never told the password.
func verifier(password string) string {
	salt := []byte("sixteen of them.")
	salted, err := pbkdf2.Key(sha256.New, password, salt, 4096, sha256.Size)
	if err != nil {
		panic(err)
	}
	of := func(name string) []byte {
		h := hmac.New(sha256.New, salted)
		h.Write([]byte(name))
		return h.Sum(nil)
	}
	stored, code := sha256.Sum256(of("Client Key")), base64.StdEncoding.EncodeToString
	return "SCRAM-SHA-256$4096:" + code(salt) + "$" + code(stored[:]) + ":" + code(of("Server Key"))
}

// do runs SQL as the administrator, and keeps the first column of what comes of it.
func (w *watched) do(sql string) {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.URL("postgres", "postgres"))
	must(w.t, err)
	defer conn.Close(w.t.Context())
	all, err := conn.PgConn().Exec(w.t.Context(), sql).ReadAll()
	must(w.t, err)
	for _, result := range all {
		for _, row := range result.Rows {
			w.heard(string(row[0]))
		}
	}
}

func (w *watched) heard(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said.WriteString(text + "\n")
}

// statements keeps what the server says was run, now and since it began.
func (w *watched) statements() {
	w.t.Helper()
	w.do("SELECT query FROM pg_stat_activity; SELECT query FROM pg_stat_statements")
}

// announced fails where a change is announced with anything but the name of its table, until the test ends or the
// server does.
func (w *watched) announced() {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.URL("postgres", "postgres"))
	if err == nil {
		_, err = conn.Exec(w.t.Context(), "LISTEN paydesk_paydesk")
	}
	must(w.t, err)
	var following sync.WaitGroup
	following.Go(func() {
		defer conn.Close(context.Background())
		for {
			n, err := conn.WaitForNotification(w.t.Context())
			if err != nil {
				return
			}
			w.heard("announced: " + n.Payload)
			if !slices.Contains([]string{"entries", "facts"}, n.Payload) {
				w.t.Errorf("a change is announced as %q", n.Payload)
			}
		}
	})
	w.t.Cleanup(following.Wait)
}

// desk returns the setting of a person who has the password and the key.
func (w *watched) desk(origin string) setting {
	w.t.Helper()
	password := filepath.Join(w.t.TempDir(), "password")
	e := newSetting(w.t)
	path := e.configure(w.t, "[journal]\nstore = \"postgres\"\nurl = \""+w.URL("ada", "postgres")+
		"\"\npassword_command = [\"/bin/cat\", \""+password+"\"]\n"+profile(origin, "ask"))
	for name, text := range map[string]string{password: w.password, filepath.Join(path, "journal.key"): hex.EncodeToString(w.key)} {
		must(w.t, os.WriteFile(name, []byte(text+"\n"), 0o600))
	}
	return e
}

// payers lists the payer's data, of which only a hash may be kept, and words of the bank's markup.
var payers = []string{"ada@example.org", "442079460000", "+44 20 7946 0000", "79460000", "7946 0000", "visa 12/2034", "continue to your bank", "getelementbyid"}

// clean fails where a place holds what it must not, in any writing.
func (w *watched) clean(place string, held []byte, numbers []string) {
	w.t.Helper()
	noCard(w.t, place, held, numbers)
	w.noSecrets(place, held)
	lower := bytes.ToLower(held)
	for _, text := range payers {
		if bytes.Contains(lower, []byte(text)) {
			w.t.Errorf("%s holds %s", place, text)
		}
	}
}

// noSecrets fails where a place holds the secret key, the password or the key of the hashes.
func (w *watched) noSecrets(place string, held []byte) {
	w.t.Helper()
	for secret, what := range map[string]string{programKey: "secret key", w.password: "password", hex.EncodeToString(w.key): "key of the hashes"} {
		for how, written := range writings(secret) {
			if bytes.Contains(held, written) {
				w.t.Errorf("%s holds the %s, %s", place, what, how)
			}
		}
	}
	if bytes.Contains(held, w.key) {
		w.t.Errorf("%s holds the bytes of the key of the hashes", place)
	}
}

// cleanBelow is clean for each file of a folder but the key itself. It returns how many bytes were searched, and the
// files that hold a text.
func (w *watched) cleanBelow(folder string, numbers []string, text string) (size int, hold []string) {
	w.t.Helper()
	err := filepath.Walk(folder, func(path string, about os.FileInfo, err error) error {
		if err != nil || !about.Mode().IsRegular() || filepath.Base(path) == "journal.key" {
			return err
		}
		held, err := os.ReadFile(path)
		name := strings.TrimPrefix(path, folder)
		w.clean(name, held, numbers)
		if size += len(held); bytes.Contains(held, []byte(text)) {
			hold = append(hold, name)
		}
		return err
	})
	must(w.t, err)
	return size, hold
}

// search searches everything that the server keeps and writes. Where known is kept, it has to be found: the search would
// find more.
func (w *watched) search(numbers []string, known string) {
	w.t.Helper()
	w.statements()
	dump := w.Dump(w.t, "postgres")
	w.clean("the dump", dump, numbers)
	w.mu.Lock()
	said := bytes.Clone(w.said.Bytes())
	w.mu.Unlock()
	w.clean("what is known of statements", said, numbers)
	w.do("CHECKPOINT") // now the files of the tables have it too
	size, hold := w.cleanBelow(w.Dir(), numbers, known)
	for _, place := range []string{"/log", "/data/pg_wal/", "/data/base/"} {
		if !slices.ContainsFunc(hold, func(name string) bool { return strings.HasPrefix(name, place) }) {
			w.t.Errorf("%s is not found in %s, only in %q", known, place, hold)
		}
	}
	if !bytes.Contains(dump, []byte(known)) || !bytes.Contains(said, []byte("announced: entries")) || !bytes.Contains(said, []byte("INSERT INTO entries")) {
		w.t.Errorf("%d bytes of the dump and %d of statements were searched, and not found what is in them", len(dump), len(said))
	}
	w.t.Logf("%d bytes of the server's files, %d of its dump, %d of statements", size, len(dump), len(said))
}

// A line is the way to a service, on which an answer waits, repeats the card and is lost.
type line struct {
	card        string      // is repeated in every message
	holds       atomic.Bool // the next payment's answer, from when it has arrived to when it may go on
	arrived, on chan struct{}
	loses       bool         // it, in place of letting it go on
	markup      atomic.Int64 // answers with the bank's
}

func (l *line) behind(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		if strings.HasSuffix(r.URL.Path, "/pay/initiate") && l.holds.Load() {
			l.arrived <- struct{}{}
			<-l.on
			if l.loses {
				panic(http.ErrAbortHandler)
			}
		}
		body := bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"message":"`), []byte(`"message":"The card is `+l.card+`. `))
		if bytes.Contains(body, []byte("Continue to your bank")) {
			l.markup.Add(1)
		}
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		w.Write(body)
	})
}

// TestNothingSecretReachesATeamsJournal pays by card through the program, with a challenge and with answers that no console can
// write down, and then searches everything that the server of the journal has kept, and what waits for it.
func TestNothingSecretReachesATeamsJournal(t *testing.T) {
	if !long {
		t.Skip("takes seconds: set PAYDESK_LONG")
	}
	t.Parallel()
	cards := sandbox.Cards()
	var numbers []string
	for _, c := range cards {
		numbers = append(numbers, c.Number)
	}
	way := &line{card: cards[0].Number, arrived: make(chan struct{}, 1), on: make(chan struct{})}
	shop, origin := serve(t, way.behind)
	w := watch(t)
	e := w.desk(origin)
	w.announced()
	v := open(t, e, 80, 24)
	v.Sees("verify it")
	v.Type(programKey)
	v.Press("enter")
	for i, c := range cards {
		hand(v.Person, fmt.Sprintf("%d.50", 10+i), c, nothing)
		w.statements()
		if v.Has("The customer opens this URL") {
			v.Press("a")
			v.Sees("Needed       yes")
			for _, p := range shop.Payments() {
				shop.Approve(p.Reference)
			}
			v.Press("esc")
			v.Sees("The customer opens this URL")
			v.Press("enter")
			v.Sees("Reference")
		}
		v.home()
	}
	if way.markup.Load() == 0 {
		t.Error("no markup of the bank was sent")
	}
	reference := shop.Payments()[0].Reference
	w.statements() // of which a server that crashes keeps none
	for i, loses := range []bool{false, true} {
		way.loses = loses
		way.holds.Store(true)
		describe(v.Person, fmt.Sprintf("%d.50", 98+i), cards[0], nothing)
		v.Press("ctrl+s")
		v.Yes("to •••• ")
		until(t, func() bool { return len(way.arrived) == 1 }, v.Screen)
		<-way.arrived
		w.Stop(t, "immediate")
		way.holds.Store(false)
		way.on <- struct{}{}
		until(t, func() bool { return len(spooled(e)) == 1 }, v.Screen)
		_, hold := w.cleanBelow(e["HOME"], numbers, `"checksum"`)
		if len(hold) != 1 {
			t.Errorf("the outcome is in %q", hold)
		}
		v.Sees(" to be recorded. Sending is disabled")
		w.Restart(t)
		v.Sees(" that waited ")
		v.home()
		until(t, func() bool { return len(spooled(e)) == 0 }, v.Screen)
	}
	v.Press("ctrl+c")
	v.gone()
	w.search(numbers, reference)
	w.cleanBelow(e["HOME"], numbers, reference)
	noCard(t, "the terminal", v.Bytes(), numbers)
	w.noSecrets("the terminal", v.Bytes())
}

// home goes back to where the menu is.
func (v *window) home() {
	v.t.Helper()
	until(v.t, func() bool {
		if v.Has("paydesk ▸ Home ") {
			return true
		}
		v.Press("esc")
		v.heard()
		return false
	}, v.Screen)
}

// spooled are the files of outcomes that wait for the server.
func spooled(e setting) []string {
	all, _ := filepath.Glob(filepath.Join(e["XDG_STATE_HOME"], "paydesk", "outcomes", "*"))
	return all
}
