package api_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/api/session"
)

// answered returns what is kept of a response to an operation.
func answered(t *testing.T, h http.Handler, operation, ask string) api.Answer {
	t.Helper()
	var kept []api.Answer
	call(api.WithAnswers(t.Context(), func(a api.Answer) { kept = append(kept, a) }), direct(t, h.ServeHTTP, api.Config{}), operation, ask)
	if len(kept) != 1 {
		t.Fatalf("%d answers were kept", len(kept))
	}
	return kept[0]
}

func text(a api.Answer) string { return strings.Join(a.Body.Block(0, api.AnswerLines), "\n") }

// hiddenParts are the parts of the samples that people do not read as they came, each with why.
var hiddenParts = map[string]string{
	"authenticationhtml": "a page for a browser: its size and its hash stand there",
}

// leaves calls visit for every key and every value without parts of a document.
func leaves(of any, key string, visit func(key, value string)) {
	switch of := of.(type) {
	case map[string]any:
		for k, v := range of {
			visit(k, k)
			leaves(v, k, visit)
		}
	case []any:
		for _, v := range of {
			leaves(v, key, visit)
		}
	case nil:
		visit(key, "null")
	default:
		visit(key, fmt.Sprint(of))
	}
}

func TestEveryPartOfEverySampleCanBeRead(t *testing.T) {
	parts := 0
	for _, s := range samples(t) {
		d := json.NewDecoder(strings.NewReader(string(s.content())))
		d.UseNumber()
		var document map[string]any
		if d.Decode(&document) != nil || !utf8.Valid(s.content()) || s.Header["Content-Encoding"] != "" {
			continue
		}
		t.Run(s.Operation+"/"+s.Name, func(t *testing.T) {
			a := answered(t, s, s.Operation, s.Ask)
			if a.HTTP != s.HTTP || a.Received != int64(len(s.content())) || a.At.IsZero() {
				t.Errorf("HTTP %d, %d bytes at %v", a.HTTP, a.Received, a.At)
			}
			if a.Cut {
				return // it says so
			}
			shown := text(a)
			leaves(document, "", func(key, value string) {
				parts++
				if hiddenParts[key] != "" && value != key {
					return
				}
				quoted := api.Clean(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)).Line(0)
				if value != cvv && !strings.Contains(value, pan) && !strings.Contains(shown, quoted) { // those are hidden
					t.Errorf("%s: %q is not in\n%s", key, value, shown)
				}
			})
		})
	}
	if parts < 1500 {
		t.Errorf("only %d parts were looked for", parts)
	}
}

// answer is a response with a body.
type answer string

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, string(a))
}

// What an answer repeats as a text is hidden in what is kept as everywhere; this is the rest.
func TestWhatIsKeptOfAnAnswerTellsNoSecret(t *testing.T) {
	for name, body := range map[string]string{
		"the number as one":  `{"isSuccess":true,"value":{"note":` + pan + `}}`,
		"as a key":           `{"isSuccess":true,"value":{"` + pan + `":1}}`,
		"the CVV":            `{"isSuccess":true,"value":{"cvv":"` + cvv + `"}}`,
		"no JSON":            `<p>` + pan + ` ` + string(secret) + ` cvv=` + cvv + `</p>`,
		"at the cut":         strings.Repeat("=", 64<<10-8) + pan + strings.Repeat("=", 8<<10),
		"twice the same key": `{"a":"` + pan + `","a":2}`,
	} {
		shown := text(answered(t, answer(body), "initiate", ""))
		plain := strings.NewReplacer(" ", "", "\n", "").Replace(shown)
		for _, s := range []string{pan[:12], string(secret), `"` + cvv + `"`, "cvv=" + cvv} {
			if strings.Contains(plain, s) || shown == "" {
				t.Errorf("%s: %q is in %s", name, s, shown[:min(len(shown), 300)])
			}
		}
	}
}

func TestWhatIsKeptOfAnAnswerIsBoundedAndSaysSo(t *testing.T) {
	for name, body := range map[string]string{
		"a long list": `{"isSuccess":true,"value":{"n":[1` + strings.Repeat(",1", 9_000) + `]}}`,
		"a long text": `{"isSuccess":true,"value":{"n":"` + strings.Repeat("a", 200_000) + `"}}`,
		"a page":      "<html>" + strings.Repeat("a\n", 30_000),
	} {
		a := answered(t, answer(body), "finalize", "")
		lines := a.Body.Block(0, api.AnswerLines)
		if !a.Cut || a.Body.Size() > 140<<10 || len(lines) > api.AnswerLines {
			t.Errorf("%s: cut is %v, %d bytes, %d lines", name, a.Cut, a.Body.Size(), len(lines))
		}
	}
}

func TestThePageOfACheckIsDescribedAndNotKept(t *testing.T) {
	a := answered(t, answer(`{"isSuccess":true,"value":{"authenticationhtml":"<form>\u001b[2J</form>"}}`), "authenticate", "")
	if s := text(a); strings.Contains(s, "<form>") || !strings.Contains(s, "markup of 17 bytes, SHA-256 ") {
		t.Error(s)
	}
}

func TestWhatTheCustomerPaysIsSaidOnlyWhereItIsKnown(t *testing.T) {
	for _, c := range []struct {
		amount, fees, total, due string
		known                    bool
	}{
		{"12.50", "", "", "12.50", true},
		{"12.50", "0", "", "12.50", true},
		{"12.50", "0.25", "", "12.50", false},
		{"12.50", "0.25", "12.75", "12.75", true},
		{"12.50", "0.25", "12.50", "12.50", true},
		{"12.50", "0.25", "13.00", "12.50", false},
		{"12.50", "", "12.75", "12.75", true},
	} {
		asked := api.Asked{Amount: pounds(c.amount)}
		if c.fees != "" {
			asked.Fees = pounds(c.fees)
		}
		if c.total != "" {
			asked.Total = pounds(c.total)
		}
		if due, known := asked.Due(); due != pounds(c.due) || known != c.known {
			t.Errorf("%+v: %v, %v", c, due, known)
		}
	}
}

// reading is everything that is derived from an error.
func reading(err error) string {
	words := []string{string(api.OutcomeOf(err))}
	for _, of := range []struct {
		is   bool
		word string
	}{
		{api.KeyRejected(err), "key rejected"}, {api.NotFound(err), "not found"},
		{api.Definite(err), "definite"}, {api.Temporary(err), "not now"},
	} {
		if of.is {
			words = append(words, of.word)
		}
	}
	return strings.Join(words, ", ")
}

func TestTheOutcomeOfEveryError(t *testing.T) {
	refusal := func(http int) error { return &api.Refusal{Kind: api.KindService, HTTP: http} }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"no error", nil, "accepted"},
		{"400", refusal(400), "refused, definite"},
		{"401", refusal(401), "refused, key rejected"},
		{"404", refusal(404), "refused, not found, definite"},
		{"404 of a gateway", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "refused, not found, definite"},
		{"409", refusal(409), "refused, not now"},
		{"422", refusal(422), "refused, definite"},
		{"429", refusal(429), "refused, not now"},
		{"wrapped", fmt.Errorf("while creating: %w", refusal(401)), "refused, key rejected"},

		{"not connected", &api.Failure{Kind: api.KindConnect}, "not sent"},
		{"a look-alike", &ledger.Duplicate{}, "not sent"},
		{"the journal cannot be written", &ledger.Unavailable{}, "not sent"},
		{"the gate is closed", &session.GateClosed{}, "not sent"},

		{"unresolved", &api.Unresolved{Kind: api.KindTimeout}, "unresolved"},
		{"lost, as the journal says", &journal.UnresolvedAttempt{ID: "a"}, "unresolved"},
		{"lost, and then the journal broke", errors.Join(&journal.UnresolvedAttempt{ID: "a"}, &ledger.Unavailable{}), "unresolved"},
		{"cancelled", context.Canceled, "unresolved"},
		{"anything else", errors.New("something"), "unresolved"},
	} {
		if got := reading(c.err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// Doubt wins over whatever else is in the chain.
	for _, err := range []error{refusal(422), &api.Failure{Kind: api.KindConnect}, &session.GateClosed{}} {
		for _, doubt := range []error{errors.Join(err, api.ErrUnresolved), errors.Join(api.ErrUnresolved, err), &journal.UnresolvedAttempt{Err: err}} {
			if got := api.OutcomeOf(doubt); got != api.OutcomeUnresolved {
				t.Errorf("%T in doubt: %s", err, got)
			}
		}
	}
}

func TestAStatusMeansWhatItsChannelAndAccountMakeOfIt(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	account := func(expires string) *api.Transfer {
		return &api.Transfer{AccountNumber: api.Clean("0123456789"), Expiration: api.ParseTimestamp(expires)}
	}
	open, over := account("2026-03-01T12:00:01Z"), account("2026-03-01T12:00:00Z")
	for _, c := range []struct {
		name, status, channel string
		account               *api.Transfer
		want, never           string
	}{
		{"a transfer", "PENDING", api.ChannelTransfer, open, "may not have paid yet", "authorised"},
		{"an expired transfer", "PENDING", api.ChannelTransfer, over, "Do not use this account now", "authorised"},
		{"one nobody paid", "REQUIRE_USER_OFFLINE_ACTION", api.ChannelTransfer, over, "collect again for a new account", "must pay"},
		{"one without a zone", "PENDING", api.ChannelTransfer, account("2020-01-01T00:00:00"), "may not have paid yet", "expired"},
		{"a paid transfer", "Successfull", api.ChannelTransfer, over, "Funds have been secured.", "expired"},
	} {
		means, action := api.ParseStatus(c.status).State.Meaning(api.Circumstances{Channel: c.channel, Account: c.account, Now: now})
		if words := means + " " + action; !strings.Contains(words, c.want) || strings.Contains(words, c.never) {
			t.Errorf("%s: %s means %q", c.name, c.status, words)
		}
	}
}

func TestAnAccountMayBePaidIntoOnlyBeforeItExpiresAndThePaymentIsFinal(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	account := &api.Transfer{AccountNumber: api.Clean("0123456789"), Expiration: api.ParseTimestamp("2026-03-01T12:30:00Z")}
	for _, c := range []struct {
		name    string
		account *api.Transfer
		state   api.State
		at      time.Time
		want    bool
	}{
		{"open", account, api.ActionRequired, now, true},
		{"pending", account, api.Pending, now, true},
		{"expired", account, api.Pending, now.Add(30 * time.Minute), false},
		{"paid", account, api.Successful, now, false},
		{"no account", nil, api.Pending, now, false},
		{"no number", &api.Transfer{}, api.Pending, now, false},
	} {
		if got := (api.Circumstances{Account: c.account, Now: c.at}).MayPay(c.state); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A script is a network that answers the nth request with the nth line, and all later ones with the
// last.
type script struct {
	lines    []reply
	requests atomic.Int32
}

type reply struct {
	code   int
	header http.Header
	err    error // of the connection that was had, or of none
	had    bool
	body   io.Reader // of a 200
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	line := s.lines[min(int(s.requests.Add(1)), len(s.lines))-1]
	trace := httptrace.ContextClientTrace(r.Context())
	if line.had || line.err == nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
	}
	if line.err != nil {
		return nil, line.err
	}
	h := line.header
	if h == nil {
		h = http.Header{}
	}
	body := line.body
	if body == nil {
		body = strings.NewReader(`{"isSuccess":true,"value":{"paymentStatus":"PENDING"}}`)
	}
	h.Set("Content-Type", "application/json")
	return &http.Response{StatusCode: line.code, Header: h, Body: io.NopCloser(body), Request: r}, nil
}

func scripted(t *testing.T, retries int, lines ...reply) (*api.Client, *script) {
	s := &script{lines: lines}
	return client(t, api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Retries: retries, Transport: s}), s
}

func TestAnUnansweredReadIsSentAtMostThreeTimes(t *testing.T) {
	refused, reset := syscall.ECONNREFUSED, syscall.ECONNRESET
	for name, test := range map[string]struct {
		line reply
		want int32
	}{
		"503":                     {reply{code: 503}, 3},
		"refused":                 {reply{err: refused}, 3},
		"reset":                   {reply{err: reset, had: true}, 3},
		"503 with a time":         {reply{code: 503, header: http.Header{"Retry-After": {"9"}}}, 1},
		"429":                     {reply{code: 429}, 1},
		"404":                     {reply{code: 404}, 1},
		"200":                     {reply{code: 200}, 1},
		"a body that breaks off":  {reply{code: 200, body: iotest.ErrReader(syscall.ECONNRESET)}, 1},
		"a certificate":           {reply{err: errors.New("tls: failed to verify certificate")}, 1},
		"time ran out":            {reply{err: context.DeadlineExceeded, had: true}, 1},
		"time to connect ran out": {reply{err: context.DeadlineExceeded}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, s := scripted(t, 0, test.line)
				began := time.Now()
				c.Authenticate(t.Context(), "REF0001")
				if n := s.requests.Load(); n != test.want {
					t.Errorf("%d requests, want %d", n, test.want)
				}
				if took := time.Since(began); test.want == 3 && (took < time.Second || took > 10*time.Second) || test.want == 1 && took != 0 {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

func TestEachRetryIsAnnouncedBeforeItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{lines: []reply{{err: syscall.ECONNREFUSED}, {code: 503}, {code: 200}}}
		var tries []int // as they are reported to support
		c := client(t, api.Config{
			BaseURL: "https://a.example", ListURL: "https://b.example", Transport: s, Observe: func(e api.Exchange) { tries = append(tries, e.Try) },
		})
		began := time.Now()
		var heard []string
		ctx := api.OnRetry(t.Context(), func(ctx context.Context, r api.Retry) {
			if ctx.Err() != nil {
				t.Error("it is announced with another context than that of the call")
			}
			heard = append(heard, fmt.Sprintf("%v %d %v, %d of %d", r.Failure.Kind, r.Failure.HTTP, r.Failure.Detail, r.Try, r.Of))
			began = began.Add(r.In)
		})
		if _, err := c.Authenticate(ctx, "REF0001"); err != nil || s.requests.Load() != 3 {
			t.Errorf("%d requests: %v", s.requests.Load(), err)
		}
		if !slices.Equal(tries, []int{1, 2, 3}) {
			t.Errorf("reported as tries %d", tries)
		}
		if !began.Equal(time.Now()) {
			t.Errorf("the announced waits end %v beside the last try", time.Since(began))
		}
		want := []string{
			api.KindConnect.String() + " 0 connection refused, 2 of 3", api.KindHTTP.String() + " 503 , 3 of 3",
		}
		if !slices.Equal(heard, want) {
			t.Errorf("announced %q, want %q", heard, want)
		}
	})
}

func TestNoPOSTIsEverRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, line := range []reply{{code: 502}, {code: 503}, {code: 504}, {err: syscall.ECONNREFUSED}, {err: syscall.ECONNRESET, had: true}, {err: io.EOF, had: true}} {
			for _, operation := range append(writes, "validate") {
				c, s := scripted(t, 5, line)
				if try(t.Context(), c, operation); s.requests.Load() != 1 {
					t.Errorf("%s was sent %d times after %v", operation, s.requests.Load(), line)
				}
			}
		}
	})
}

func TestRetriesAreTenAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, 0, reply{code: 503})
		answers := make(chan error)
		for range 10 {
			go func() {
				_, err := c.Authenticate(t.Context(), "REF0001")
				answers <- err
			}()
		}
		for range 10 {
			<-answers
		}
		if n := s.requests.Load(); n != 20 {
			t.Errorf("10 calls sent %d requests within a minute, want 10 and 10 retries", n)
		}
		c.Transactions(t.Context(), 1, 20)
		if n := s.requests.Load(); n != 23 {
			t.Errorf("another host got %d requests, want 3", n-20)
		}
		time.Sleep(time.Minute)
		c.Authenticate(t.Context(), "REF0001")
		if n := s.requests.Load(); n != 26 {
			t.Errorf("a minute later it got %d requests, want 3", n-23)
		}
	})
}

func TestRetriesEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, 0, reply{code: 503})
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		began := time.Now()
		_, err := c.Authenticate(ctx, "REF0001")
		if time.Since(began) != 100*time.Millisecond || s.requests.Load() != 1 || outcomeOf(err) != "failure" {
			t.Errorf("%d requests in %v: %v", s.requests.Load(), time.Since(began), err)
		}
	})
}

// A failingTransport blocks until its context ends.
type failingTransport struct{ had bool }

func (n failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.had {
		httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestAReadEndsAfterTwentySecondsAndAPOSTAfterNinety(t *testing.T) {
	for operation, want := range map[string]time.Duration{
		"transaction": 20 * time.Second, "transactions": 20 * time.Second, "authenticate": 20 * time.Second,
		"validate": 20 * time.Second, "initiate": 90 * time.Second, "link": 90 * time.Second, "finalize": 90 * time.Second,
	} {
		for _, had := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				c := client(t, api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Transport: failingTransport{had}})
				began := time.Now()
				err := try(t.Context(), c, operation)
				if took := time.Since(began); took != want || kindOf(err) != api.KindTimeout {
					t.Errorf("%s took %v, want %v: %v", operation, took, want, err)
				}
				moves := operation == "initiate" || operation == "link" || operation == "finalize"
				if errors.Is(err, api.ErrUnresolved) != (moves && had) {
					t.Errorf("%s with a connection (%v): %v", operation, had, err)
				}
			})
		}
	}
}

func TestTheStatusOfAPaymentIsRequestedAgainOnlyWhereNoScheduleDoesThat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, 0, reply{err: syscall.ECONNREFUSED}, reply{code: 200})
		if _, err := c.Transaction(t.Context(), "REF0001"); err == nil || s.requests.Load() != 1 {
			t.Errorf("%d requests: %v", s.requests.Load(), err)
		}
		c, s = scripted(t, 0, reply{err: syscall.ECONNREFUSED}, reply{code: 200})
		if _, err := c.Transaction(api.Retried(t.Context()), "REF0001"); err != nil || s.requests.Load() != 2 {
			t.Errorf("%d requests: %v", s.requests.Load(), err)
		}
	})
}

// listen answers each connection with the same bytes, closes it, and counts the requests that arrive whole.
func listen(t *testing.T, answer string) (address string, requests *atomic.Int32) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { ln.Close() })
	requests = new(atomic.Int32)
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				from := bufio.NewReader(c)
				if b, err := from.Peek(1); err == nil && b[0] != tlsHandshake {
					if r, err := http.ReadRequest(from); err == nil {
						io.Copy(io.Discard, r.Body)
						requests.Add(1)
					}
				}
				io.WriteString(c, answer)
			}()
		}
	}()
	return ln.Addr().String(), requests
}

// tlsHandshake is the first byte of a client that speaks TLS.
const tlsHandshake = 22

// The faults of networks and servers that the sandbox does not have, with the outcome of a POST after each.
var faults = []struct {
	name, answer string
	scheme       string // http when empty: else not a byte of a request can have left
	kind         api.Kind
}{
	{"TLS to a plain port", "HTTP/1.1 400 Bad Request\r\n\r\n", "https", api.KindTLS},
	{"closed", "", "", api.KindProtocol},
	{"refusal cut short", "HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"isSuccess\":false}", "", api.KindProtocol},
	{"no chunks", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "", api.KindProtocol},
	{"no HTTP", "SSH-2.0-server\r\n\r\n", "", api.KindProtocol},
	{"switching protocols", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "", api.KindHTTP},
	{"a redirect to a malformed address", "HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: ::%zz\r\n\r\n", "", api.KindProtocol},
}

var (
	writes = []string{"initiate", "link", "finalize"}
	reads  = []string{"validate", "authenticate", "transaction", "transactions"}
)

// A payment is sent at most once, and its outcome is right; a request that changes nothing never ends unresolved.
func TestEveryFaultHasItsOutcomeAndNothingIsSentTwice(t *testing.T) {
	for _, f := range faults {
		for _, operation := range append(writes, reads...) {
			t.Run(f.name+"/"+operation, func(t *testing.T) {
				t.Parallel()
				address, requests := listen(t, f.answer)
				origin := cmp.Or(f.scheme, "http") + "://" + address
				err := try(t.Context(), client(t, api.Config{BaseURL: origin, ListURL: origin, Retries: -1}), operation)
				want := "failure"
				if f.scheme == "" && slices.Contains(writes, operation) {
					want = "unresolved"
				}
				if got := outcomeOf(err); got != want || kindOf(err) != f.kind {
					t.Errorf("%s of kind %d, want %s of kind %d: %v", got, kindOf(err), want, f.kind, err)
				}
				if n := requests.Load(); n > 1 || n > 0 && f.scheme != "" {
					t.Errorf("%d requests arrived", n)
				}
				for _, word := range []string{"failed", "declined", "rejected"} {
					if want == "unresolved" && strings.Contains(err.Error(), word) {
						t.Errorf("an unresolved outcome is called %s: %v", word, err)
					}
				}
				checkNoSecret(t, err)
			})
		}
	}
}

// checkNoSecret fails when an error contains a secret of the request or a URL.
func checkNoSecret(t *testing.T, err error) {
	t.Helper()
	for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err)} {
		for _, hidden := range []string{string(secret), pan, "4242 4242 4242 4242", "127.0.0.1", "http://", "https://", "/api/", "ada@example.com", "Obi"} {
			if strings.Contains(text, hidden) {
				t.Errorf("the error tells %q: %s", hidden, text)
			}
		}
	}
}

func TestCancellingAfterTheConnectionIsMadeLeavesThePaymentUnresolved(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c, place := newClient(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}))
	_, err := c.Initiate(ctx, cardInitiation())
	if !errors.Is(err, api.ErrUnresolved) || kindOf(err) != api.KindCancelled || place.count() != 1 {
		t.Errorf("%d requests, %v", place.count(), err)
	}
}

func TestACallThatWasCancelledBeforeItBeganSendsNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c, place := newClient(t, http.NotFoundHandler())
	for _, operation := range writes {
		if err := try(ctx, c, operation); outcomeOf(err) != "failure" || kindOf(err) != api.KindCancelled {
			t.Errorf("%s: %v", operation, err)
		}
	}
	if place.count() != 0 {
		t.Errorf("%d requests", place.count())
	}
}

// sandboxClient is a client of a sandbox.
func sandboxClient(t *testing.T) (*api.Client, *sandbox.Sandbox) {
	s := sandbox.New(sandbox.Options{Seed: 7, Transactions: 45, Settle: time.Hour})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.SetOrigin(server.URL)
	return client(t, api.Config{BaseURL: server.URL, ListURL: server.URL, Key: key(s.Key())}), s
}

func testCard(t *testing.T, name string) *api.CardEntry {
	for _, c := range sandbox.Cards() {
		if c.Name == name {
			return &api.CardEntry{PAN: must(card.ParsePAN(c.Number)), CVV: must(card.ParseCVV(c.CVV)), Expiry: card.Expiry{Month: c.Month, Year: c.Year}}
		}
	}
	t.Fatalf("no card was given called %s", name)
	return nil
}

// No normal payment is taken for a mismatch, whether the service states its fees and the total, and
// adds them to the amount that it reports later, or not.
func TestNoNormalPaymentIsAMismatch(t *testing.T) {
	c, s := sandboxClient(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		extras := []string{"off", "on"}[i%2]
		noError(t, s.SetSwitch("initiate.extras", extras))
		in := cardInitiation()
		in.Link = ""
		in.Amount.Minor, in.Card = 100+random.Int64N(1_000_000), testCard(t, "approve")
		p, err := c.Initiate(t.Context(), in)
		if err != nil || !p.Difference.IsZero() || p.Fees.Minor == 0 || (p.Total.Minor > 0) != (extras == "on") {
			t.Fatalf("%v: %+v: %v", in.Amount, p, err)
		}
		s.Settle(string(p.Reference))
		now, err := c.Transaction(t.Context(), p.Reference)
		noError(t, err)
		asked := api.Asked{Reference: p.Reference, Amount: in.Amount, Fees: p.Fees, Total: p.Total, Status: now.Status}
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v: %s", in.Amount, d.Words(asked))
		}
		if d := now.Compare(api.Asked{Reference: p.Reference, Amount: in.Amount}); !d.IsZero() {
			t.Fatalf("%v without stated fees: %s", in.Amount, d.What)
		}
		now.Amount.Minor += p.Fees.Minor
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v with fees: %s", in.Amount, d.Words(asked))
		}
		if now.Amount.Minor++; now.Compare(asked).What != api.AmountDiffers {
			t.Fatalf("%v: one minor unit more than the fees is no mismatch", in.Amount)
		}
	}
}
