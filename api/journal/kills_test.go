package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
)

// payOn makes one payment after the other, and prints each acknowledged one.
func payOn(j *journal.Journal, origin, k string) {
	kept := journal.NewRecorder(must(dial(origin, k)), j, thisConsole, nil, false)
	for {
		p, err := kept.Initiate(context.Background(), ngn(rand.Int64N(1_000_000_000)+100))
		if err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println("taken", p.Reference)
	}
}

// A counter records the attempts whose payments arrived, before the service answers.
type counter struct {
	http.Handler
	mu       sync.Mutex
	arrived  map[ledger.ID]bool
	nameless int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // it was killed while sending
	}
	var body struct {
		MetaData map[string]string `json:"metaData"`
	}
	_ = json.Unmarshal(b, &body)
	c.mu.Lock()
	if id := body.MetaData[journal.AttemptKey]; id != "" {
		c.arrived[ledger.ID(id)] = true
	} else {
		c.nameless++
	}
	c.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(b))
	c.Handler.ServeHTTP(w, r)
}

// A console is killed at random points of a payment: nothing arrives that was not recorded,
// nothing acknowledged is lost, and what was under way is unresolved at the next start. It is killed 500 times.
func TestAKilledConsoleHasWrittenDownWhatItSent(t *testing.T) {
	t.Parallel()
	onlyLong(t)
	s := sandbox.New(sandbox.Options{})
	c := &counter{Handler: s, arrived: map[ledger.ID]bool{}}
	server := httptest.NewServer(c)
	t.Cleanup(func() {
		server.CloseClientConnections() // Close waits for the requests of those that were killed
		server.Close()
	})
	s.SetOrigin(server.URL)
	dir := filepath.Join(t.TempDir(), "state")
	acknowledged := map[string]bool{}
	kills, between := 500, 0
	for n := 0; n < kills || n < 20*kills && (len(acknowledged) == 0 || between == 0); n++ {
		var out bytes.Buffer
		cmd := anotherConsole("pay", dir, server.URL, s.Key())
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		noError(t, cmd.Start())
		<-time.After( // a random moment, later when a slow machine has done nothing yet
			60*time.Millisecond + time.Duration(1+n/kills)*time.Duration(rand.IntN(60_000))*time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		lines := strings.Split(out.String(), "\n")
		for _, line := range lines[:len(lines)-1] {
			word, r, _ := strings.Cut(line, " ")
			if word != "taken" {
				t.Fatal(line)
			}
			acknowledged[r] = true
		}
		between += checkKilled(t, dir, c, acknowledged)
	}
	if len(acknowledged) == 0 || between == 0 {
		t.Fatalf("%d kills met %d payments, %d of them under way: nothing was tested", kills, len(acknowledged), between)
	}
	t.Logf("%d kills, %d arrivals, %d acknowledged, %d between", kills, len(c.arrived), len(acknowledged), between)
}

// checkKilled opens the journal as the next start does, and decides its unresolved attempts.
func checkKilled(t *testing.T, dir string, c *counter, acknowledged map[string]bool) (between int) {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir})
	noError(t, err)
	defer j.Close()
	if j.DamagedBackup() != "" {
		t.Fatal("the journal was damaged")
	}
	all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1<<20)
	noError(t, err)
	known, taken := map[ledger.ID]bool{}, map[string]bool{}
	for _, a := range all {
		known[a.ID] = true
		taken[string(a.Reference)] = true
		switch {
		case a.Outcome == ledger.Sent:
			t.Errorf("%s is still being sent", a.ID)
		case a.IsUnresolved():
			between++
			noError(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.GaveUp, ""))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nameless > 0 {
		t.Errorf("%d arrived without an attempt", c.nameless)
	}
	for id := range c.arrived {
		if !known[id] {
			t.Errorf("%s arrived and is not written down", id)
		}
	}
	for r := range acknowledged {
		if !taken[r] {
			t.Errorf("%s was acknowledged and is not written down", r)
		}
	}
	return between
}
