package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
)

// A counter records the attempts whose payments arrived, before the service answers.
type counter struct {
	http.Handler
	mu      sync.Mutex
	arrived map[string]bool
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
	c.arrived[body.MetaData[journal.AttemptKey]] = true
	c.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(b))
	c.Handler.ServeHTTP(w, r)
}

// stoppedEnv makes the test binary a console that makes one payment and stops itself at a step of it.
const stoppedEnv = "PAYDESK_TEST_STOPPED"

func init() {
	if at := os.Getenv(stoppedEnv); at != "" {
		part := strings.Fields(at)
		os.Exit(runStopped(part[0], part[1], part[2], part[3]))
	}
}

func runStopped(dir, origin, k, step string) (status int) {
	ctx := context.Background()
	j := must(openJournal(ctx, journal.Options{Dir: dir}))
	next := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(k), Retries: -1, Transport: stopper(step)}))
	if _, err := journal.NewRecorder(next, j, thisConsole, nil).Initiate(ctx, ngn(1000)); err != nil {
		return 1
	}
	return 0
}

// A stopper is the network of a process that stops at a step: "recorded", "body" and "written" are before the request,
// before its body and after that.
type stopper string

func (s stopper) RoundTrip(q *http.Request) (*http.Response, error) {
	s.stop("recorded")
	q = q.Clone(q.Context())
	q.Body = &stoppingBody{ReadCloser: q.Body, stopper: s}
	return http.DefaultTransport.RoundTrip(q)
}

func (s stopper) stop(at string) {
	if string(s) == at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
}

type stoppingBody struct {
	io.ReadCloser
	stopper
	begun bool
}

func (b *stoppingBody) Read(p []byte) (int, error) {
	if b.begun {
		return b.ReadCloser.Read(p)
	}
	b.begun = true
	b.stop("body")
	n, err := b.ReadCloser.Read(p)
	b.stop("written")
	return n, err
}

// A stopped is a console that stopped itself at a step of a payment, and another whose clock is past [ledger.NotFoundAfter].
type stopped struct {
	sender  *exec.Cmd
	out     bytes.Buffer
	arrived *counter
	j       *journal.Journal
	again   *journal.Recorder
	attempt ledger.Attempt // as the other sees it
}

func stopAt(t *testing.T, step string) *stopped {
	t.Helper()
	needsFile(t)
	if testing.Short() {
		t.Skip("stopped processes find no races")
	}
	s := sandbox.New(sandbox.Options{})
	c := &stopped{sender: exec.Command(os.Args[0]), arrived: &counter{Handler: s, arrived: map[string]bool{}}}
	server := httptest.NewServer(c.arrived)
	t.Cleanup(server.Close)
	s.SetOrigin(server.URL)
	dir := filepath.Join(t.TempDir(), "state")
	c.sender.Env = append(os.Environ(), stoppedEnv+"="+strings.Join([]string{dir, server.URL, s.Key(), step}, " "))
	c.sender.Stderr = &c.out
	noError(t, c.sender.Start())
	t.Cleanup(func() { c.sender.Process.Kill() })
	var state syscall.WaitStatus
	if _, err := syscall.Wait4(c.sender.Process.Pid, &state, syscall.WUNTRACED, nil); err != nil || !state.Stopped() {
		t.Fatalf("it is not stopped: %v, %v", state, err)
	}
	later := func() time.Time { return time.Now().Add(ledger.NotFoundAfter + 5*time.Second) }
	c.j = must(openJournal(t.Context(), journal.Options{Dir: dir, Now: later}))
	t.Cleanup(func() { c.j.Close() })
	all, err := c.j.Unfinished(t.Context(), thisConsole)
	if err != nil || len(all) != 1 || !all[0].IsUnresolved() {
		t.Fatalf("%+v, %v", all, err)
	}
	c.again, c.attempt = journal.NewRecorder(client(t, server.URL, s.Key()), c.j, thisConsole, nil), all[0]
	return c
}

// A console that was stopped sends when it goes on: until then no other decides that its payment was not found, however
// late it is.
func TestNoOneDecidesAboutAPaymentWhoseSenderIsStopped(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"recorded", "body", "written"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			c := stopAt(t, step)
			err := c.j.Decide(t.Context(), c.attempt, ledger.Deciding{Decision: ledger.NotFound})
			if err == nil || !strings.Contains(err.Error(), "still runs") {
				t.Errorf("it was decided: %v", err)
			}
			if _, err := c.again.Initiate(t.Context(), ngn(1000)); !errors.Is(err, api.ErrNotSent) {
				t.Errorf("it was sent again: %v", err)
			}
			noError(t, c.sender.Process.Signal(syscall.SIGCONT))
			if err := c.sender.Wait(); err != nil {
				t.Errorf("%v: %s", err, c.out.String())
			}
			if got := mustAttempt(t, c.j, c.attempt.ID); got.Outcome != ledger.Accepted || len(c.arrived.arrived) != 1 {
				t.Errorf("%v, and %d arrived", got.Outcome, len(c.arrived.arrived))
			}
		})
	}
}

// A wall clock that is set ahead makes no sender older: this one started a moment ago. It is not reaped, and stays as a zombie,
// which sends nothing.
func TestAClockThatIsAheadDoesNotOpenNotFound(t *testing.T) {
	t.Parallel()
	c := stopAt(t, "body")
	defer c.sender.Wait()
	c.sender.Process.Kill()
	var err error
	for end := time.Now().Add(10 * time.Second); !errors.Is(err, ledger.ErrTooEarly) && time.Now().Before(end); {
		err = c.j.Decide(t.Context(), c.attempt, ledger.Deciding{Decision: ledger.NotFound})
	}
	if !errors.Is(err, ledger.ErrTooEarly) {
		t.Errorf("it was decided, or is taken for running: %v", err)
	}
}
