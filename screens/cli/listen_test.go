//go:build unix

package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// A listener is paydesk listen as a process.
type listener struct {
	*exec.Cmd
	h         *clitest.Host
	url       string
	out, talk *printed
}

// printed collects what a process prints, and wakes whoever waits for it.
type printed struct {
	mu   sync.Mutex
	text string
	news chan struct{}
	end  chan struct{}
}

func follow(r io.Reader) *printed {
	p := &printed{news: make(chan struct{}, 1), end: make(chan struct{})}
	go func() {
		defer close(p.end)
		for s := bufio.NewScanner(r); s.Scan(); {
			p.mu.Lock()
			p.text += s.Text() + "\n"
			p.mu.Unlock()
			select {
			case p.news <- struct{}{}:
			default:
			}
		}
	}()
	return p
}

func (p *printed) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}

// sees waits until a pattern is printed.
func (p *printed) sees(t *testing.T, pattern string) []string {
	t.Helper()
	of, over := regexp.MustCompile(pattern), time.After(time.Minute)
	for {
		if found := of.FindStringSubmatch(p.all()); found != nil {
			return found
		}
		select {
		case <-p.news:
		case <-p.end:
			if of.MatchString(p.all()) {
				continue
			}
			t.Fatalf("it ended without %q:\n%s", pattern, p.all())
		case <-over:
			t.Fatalf("%q is not printed:\n%s", pattern, p.all())
		}
	}
}

// listening starts paydesk listen at a free port, as nohup does. TO is the file that it prints to.
func listening(t *testing.T, h *clitest.Host, args ...string) *listener {
	t.Helper()
	l := &listener{Cmd: h.Program(with([]string{"listen", "--listen", "127.0.0.1:0"}, args...)...), h: h}
	l.Path, l.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; test -z "$TO" || exec >"$TO"; exec "$0" "$@"`, l.Path}, l.Args[1:]...)
	out, err := l.StdoutPipe()
	must(t, err)
	talk, err := l.StderrPipe()
	must(t, err)
	must(t, l.Start())
	t.Cleanup(func() { _ = l.Process.Kill() })
	l.out, l.talk = follow(out), follow(talk)
	at := l.talk.sees(t, `Listening for shop \(TEST\) at (http://127\.0\.0\.1:\d+)/hooks/…`)
	path := regexp.MustCompile(`/hooks/\w+`).FindString(h.Run("webhook", "path").Is(command.Done).Out)
	l.url = at[1] + path
	return l
}

// post sends a body, and returns the HTTP status.
func (l *listener) post(t *testing.T, body string) int {
	t.Helper()
	a, err := http.Post(l.url, "application/json", strings.NewReader(body))
	must(t, err)
	a.Body.Close()
	return a.StatusCode
}

// ends stops it by a signal, and checks all that it printed.
func (l *listener) ends(t *testing.T, s syscall.Signal) clitest.Result {
	t.Helper()
	must(t, l.Process.Signal(s))
	<-l.out.end
	<-l.talk.end
	_ = l.Wait()
	return l.h.Printed(l.Cmd, l.out.all(), l.talk.all()).Is(command.Code(128 + int(s)))
}

// What was answered 200 is in the inbox, and the service says what it is worth.
func TestWhatIsReceivedIsKeptAndChecked(t *testing.T) {
	h := clitest.New(t)
	good, open := made(h, byCardOf(approved, 1250)), made(h, byCardOf(challenged, 800))
	h.Sandbox.Settle(good)
	l := listening(t, h)
	must(t, l.Process.Signal(syscall.SIGHUP))
	for _, body := range []string{event(good, "Successfull", "12.50"), event(open, "SUCCESSFUL", "8"), "not JSON"} {
		if got := l.post(t, body); got != http.StatusOK {
			t.Fatalf("it was answered %d", got)
		}
	}
	l.out.sees(t, `delivery\t\d+\tPaymentSuccessful\t`+good+`\t12\.50\tGBP\t`)
	l.out.sees(t, `(verdict|delivery)\t\d+\tPaymentSuccessful\t`+good+`\t12\.50\tGBP\tagrees`)
	l.out.sees(t, `(verdict|delivery)\t\d+\tPaymentSuccessful\t`+open+`\t8\.00\tGBP\tdisagrees`)
	l.out.sees(t, `delivery\t\d+\t\(no name\)\t\t\t\tnot understood`)
	r := l.ends(t, syscall.SIGTERM).Says("3 deliveries were received.", "Each is checked at 127.0.0.1")
	r.Lacks(filepath.Base(l.url)) // the secret path is in no log
	h.Run("webhook", "list", "--where", "verdict:disagrees").Is(command.Done).Prints(open).Lacks(good)
	h.Run("webhook", "show", "2").Is(command.Done).Prints("State\tdisagrees", "Service\tINITIATED 8.00 GBP", "Differs\tstatus")
	o := events(h.Run("webhook", "list", "--json", "--where", "reference:"+good).Is(command.Done))[0]
	if o.Verdict != "agrees" || o.Service == nil || o.Service.Means != "SUCCESSFUL" || o.Service.Amount.Amount != "12.50" {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat("/dev/full"); err == nil { // what cannot be printed ends it
		h.Env = map[string]string{"TO": "/dev/full"}
		l = listening(t, h, "--no-check")
		l.post(t, "{}")
		<-l.talk.end
		_ = l.Wait()
		h.Printed(l.Cmd, "", l.talk.all()).Is(command.Failed).Says("the output could not be written", "1 delivery was received.")
	}
}

// What is printed and what each target has are those that meet its query; all are kept.
func TestAListenerPrintsAndPassesOnWhatMeetsAQuery(t *testing.T) {
	h := clitest.New(t)
	got := make(chan string, 9)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got <- r.URL.Path + " " + regexp.MustCompile(`R\d`).FindString(string(b))
	}))
	defer target.Close()
	l := listening(t, h, "--no-check", "--where", "amount:>10", "--forward-to", target.URL+"/paid where status:successful", "--forward-to", target.URL+"/rest where -status:successful")
	for i, status := range []string{"SUCCESSFUL", "FAILED", "SUCCESSFUL"} {
		l.post(t, event(fmt.Sprint("R", i+1), status, []string{"9", "12", "15"}[i]))
	}
	var all []string
	for range 3 {
		all = append(all, <-got)
	}
	slices.Sort(all)
	if want := []string{"/paid R1", "/paid R3", "/rest R2"}; !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
	l.out.sees(t, `delivery\t3\tPaymentSuccessful\tR3`)
	l.ends(t, syscall.SIGTERM).Says("3 deliveries were received", "/paid, where its query is met").Lacks("delivery\t1\t", "not forwarded")
	h.Run("webhook", "list").Is(command.Done).Prints("R1", "R2", "R3")
	for to, why := range map[string]string{
		target.URL + " where verdict:agrees": "before its verdict is known", target.URL + " where is:early": "before is:early is known",
		target.URL + " where R1 -is:delivered": "before is:forwarded is known", target.URL + " where colour:red": "cannot be understood",
		"https://elsewhere.example/ where R1": "not on this machine",
	} {
		h.Run("listen", "--no-check", "--forward-to", to).Is(command.Usage).Says(why)
	}
	h.Run("listen", "--no-check", "--where", "colour:red").Is(command.Usage).Says("cannot be understood")
	h.Run("listen", "--no-check", "--forward-to", target.URL, "--forward-to", target.URL+" where R1").Is(command.Usage).Says("names a target twice")
}

func TestAnAddressThatIsInUseIsSaidWithWhatUsesIt(t *testing.T) {
	h := clitest.New(t)
	l := listening(t, h, "--no-check")
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(l.url)
	h.Run("listen", "--listen", address, "--no-check").Is(command.Failed).Says("Another paydesk receives the webhooks of this profile at "+address, "paydesk webhook list")
	l.ends(t, syscall.SIGTERM)
	other := strings.TrimPrefix(h.Origin, "http://")
	h.Run("listen", "--listen", other, "--no-check").Is(command.Failed).Says("Another program listens at "+other, "--listen")
	h.Run("listen", "--listen", "0.0.0.0:0", "--no-check").Is(command.Usage).Says("--insecure-any-address")
	h.Run("listen", "--listen", "8425", "--no-check").Is(command.Usage).Says("HOST:PORT")
	l = listening(t, h, "--no-check", "--listen", "0.0.0.0:0", "--insecure-any-address")
	l.ends(t, syscall.SIGTERM).Says("Other machines can reach this address")
	h.Run("listen", "--listen", "nonsense", "--no-check").Says("HOST:PORT")
}

// A service of systemd is ready when webhooks are received.
func TestSystemdIsToldWhenWebhooksAreReceived(t *testing.T) {
	h := clitest.New(t)
	name := filepath.Join(h.Home, "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	must(t, err)
	defer c.Close()
	h.Env = map[string]string{"NOTIFY_SOCKET": name}
	l := listening(t, h, "--no-check")
	must(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	b := make([]byte, 64)
	n, err := c.Read(b)
	if must(t, err); string(b[:n]) != "READY=1" {
		t.Errorf("it was told %q", b[:n])
	}
	l.ends(t, syscall.SIGTERM)
}

// A target is a receiver of a merchant.
type target struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	status int
}

func newTarget(t *testing.T) *target {
	g := &target{status: http.StatusOK}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.bodies = append(g.bodies, string(b))
		w.WriteHeader(g.status)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *target) answers(status int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.status = status
}

func (g *target) got() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.bodies)
}

// Each event is passed on as it came, below the line of its delivery, and what was delivered before is not.
func TestEventsArePassedOnAsTheyCame(t *testing.T) {
	h, g := clitest.New(t), newTarget(t)
	delivered(h, event("EARLIER", "SUCCESSFUL", "1"))
	l := listening(t, h, "--no-check", "--forward-to", g.URL+"/hooks?token=mine")
	one, two := event("R1", "SUCCESSFUL", "12.50"), " not JSON "
	l.post(t, one)
	l.out.sees(t, `(?s)delivery\t2\t.*forward\t2\tPaymentSuccessful\tR1\t12\.50\tGBP\t200 in [^\t]+\t`+regexp.QuoteMeta(g.URL))
	g.answers(http.StatusInternalServerError)
	l.post(t, two)
	l.out.sees(t, `(?s)delivery\t3\t.*forward\t3\t\(no name\)\t\t\t\t500, rejected\t`)
	l.ends(t, syscall.SIGTERM).Says("Forwarded to " + g.URL + "/hooks\n").Lacks("not forwarded")
	if got := g.got(); !slices.Equal(got, []string{one, two}) {
		t.Errorf("the target got %q", got)
	}
	h.Run("listen", "--forward-to", "https://elsewhere.example/hooks", "--no-check").Is(command.Usage).Says("webhook_targets").Lacks("elsewhere")
}

func TestEventsAreReplayedOnDemand(t *testing.T) {
	h, g := clitest.New(t), newTarget(t)
	bodies := []string{event("R1", "SUCCESSFUL", "1"), event("R2", "FAILED", "2"), event("R3", "SUCCESSFUL", "4242424242424242"), event("R4", "SUCCESSFUL", "4")}
	delivered(h, bodies...)
	h.Run("webhook", "replay", "2", "--to", g.URL).Is(command.Done).Prints("2\tPaymentSuccessful\tR2\t200\t")
	h.Run("webhook", "replay", "1", "2", "--to", g.URL).Is(command.Usage).Says("Nothing was sent", "2 events", "--yes")
	h.Run("webhook", "replay", "--since", "1h", "--to", g.URL, "--yes").Is(command.Failed).Says("Event 3 is not sent", "Masked, and not sent: 1 of 4 events.").Lacks("did not accept")
	if want := []string{bodies[1], bodies[0], bodies[1], bodies[3]}; !slices.Equal(g.got(), want) {
		t.Errorf("the target got %q", g.got())
	}
	left := read[output.Forward](h.Run("webhook", "replay", "3", "--to", g.URL, "--json").Is(command.Failed).Says("Event 3 is not sent").Lacks("did not accept"))
	if left.ID != 3 || left.Accepted || !left.Replay || !strings.HasPrefix(left.Problem, "Not sent") {
		t.Errorf("%+v", left)
	}
	h.Run("webhook", "replay", "1", "2", "3", "--to", g.URL).Is(command.Usage).Says("Event 3 is not sent", "Add --yes to send 2 events")
	h.Run("webhook", "replay", "9", "--to", g.URL).Is(command.Refused)
	h.Run("webhook", "replay", "--where", "reference:NONE", "--to", g.URL).Is(command.Failed).Says("nothing to send")
	h.Run("webhook", "replay", "1", "--where", "R1", "--to", g.URL).Is(command.Usage)
	h.Run("webhook", "replay", "--to", g.URL).Is(command.Usage).Says("nothing is chosen")
	h.Run("webhook", "replay", "1").Is(command.Usage).Says("--to is missing")
	h.Run("webhook", "replay", "1", "--to", "https://elsewhere.example/").Is(command.Usage).Says("webhook_targets")
	g.answers(http.StatusBadGateway)
	r := h.Run("webhook", "replay", "--where", "event:paymentsuccessful reference:R4", "--to", g.URL, "--json").Is(command.Failed).Says("did not accept 1 of 1 event")
	if o := read[output.Forward](r); o.ID != 4 || o.Accepted || o.Answer != 502 || !o.Replay || o.Problem == "" {
		t.Errorf("%+v", o)
	}
	h.Run("webhook", "show", "4").Is(command.Done).Prints("502")
	h.Terminal("webhook", "replay", "1", "2", "--to", g.URL).Sees("Send 2 events to " + g.URL + "?").Type("n\r").Sees("Nothing was sent").Ends(command.Failed)
}

// An event that agrees with the service makes no success of a payment about which the service answered something else
// than was asked.
func TestAnEventThatAgreesIsNoSuccessBesideAMismatch(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(r)
	turn(h, "units.transaction", "minor") // it reports a hundred times the amount
	h.Run("status", r).Is(command.Unresolved).Prints("MISMATCH")
	l := listening(t, h)
	l.post(t, event(r, "SUCCESSFUL", "1250"))
	l.out.sees(t, `\tagrees\t`)
	l.ends(t, syscall.SIGTERM)
	h.Run("webhook", "show", "1").Is(command.Done).Prints("State\tagrees", "Says\tSUCCESSFUL", "never counts as paid here", "Service\tMISMATCH, the service says SUCCESSFUL ")
}

// Once its reader has gone, listen ends as other commands do.
func TestListenEndsWithItsReader(t *testing.T) {
	h := clitest.New(t)
	cmd := h.Program("listen", "--listen", "127.0.0.1:0", "--no-check")
	r, w, err := os.Pipe()
	must(t, err)
	talk, err := cmd.StderrPipe()
	must(t, err)
	cmd.Stdout = w
	must(t, cmd.Start())
	w.Close()
	said := follow(talk)
	l := &listener{Cmd: cmd, h: h}
	at := said.sees(t, `at (http://127\.0\.0\.1:\d+)/hooks/…`)
	l.url = strings.TrimSpace(h.Run("webhook", "path").Is(command.Done).Prints(at[1]).Out)
	l.post(t, event("R1", "SUCCESSFUL", "1"))
	b := make([]byte, 1)
	_, err = io.ReadFull(r, b)
	must(t, err)
	r.Close()
	l.post(t, event("R2", "SUCCESSFUL", "1"))
	<-said.end
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGPIPE) {
		t.Errorf("it ended with %d:\n%s", code, said.all())
	}
	h.Run("webhook", "list").Is(command.Done).Prints("R1", "R2")
}
