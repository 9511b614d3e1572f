package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
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
				if key == "authenticationhtml" && value != key {
					return // a page for a browser: its size and its hash stand there
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
		{"404 of a gateway", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "refused"},
		{"409", refusal(409), "refused, not now"},
		{"422", refusal(422), "refused, definite"},
		{"429", refusal(429), "refused, not now"},
		{"wrapped", fmt.Errorf("while creating: %w", refusal(401)), "refused, key rejected"},

		{"not connected", &api.Failure{Kind: api.KindConnect}, "not sent"},
		{"a look-alike", &ledger.Duplicate{}, "not sent"},
		{"the journal cannot be written", &ledger.Unavailable{}, "not sent"},
		{"the gate is closed", &session.GateClosed{}, "not sent"},

		{"unresolved", &api.Unresolved{Kind: api.KindTimeout}, "unresolved"},
		{"lost, and then the journal broke", errors.Join(api.ErrUnresolved, &ledger.Unavailable{}), "unresolved"},
		{"cancelled", context.Canceled, "unresolved"},
		{"anything else", errors.New("something"), "unresolved"},
	} {
		if got := reading(c.err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// Doubt wins over whatever else is in the chain.
	for _, err := range []error{refusal(422), &api.Failure{Kind: api.KindConnect}, &session.GateClosed{}} {
		for _, doubt := range []error{errors.Join(err, api.ErrUnresolved), errors.Join(api.ErrUnresolved, err)} {
			if got := api.OutcomeOf(doubt); got != api.OutcomeUnresolved {
				t.Errorf("%T in doubt: %s", err, got)
			}
		}
	}
}

func TestOnlyAnAccountWithANumberMayBePaidInto(t *testing.T) {
	for of, want := range map[*api.Transfer]bool{{AccountNumber: api.Clean("0123456789")}: true, {}: false, nil: false} {
		if got := (api.Circumstances{Account: of}).MayPay(api.Pending); got != want {
			t.Errorf("%+v: %v", of, got)
		}
	}
}

func TestAnAccountExpiresByTheClockOfTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is midnight here, and 00:40 there
		c, _ := scripted(t, 0, reply{code: 200, header: http.Header{"Date": {"Sat, 01 Jan 2000 00:40:00 GMT"}}, body: strings.NewReader(
			`{"isSuccess":true,"value":{"paymentItem":{"reference":"REF1","metaData":{"transfer-info":{"expiration":"2000-01-01T01:10:00Z"}}}}}`)})
		rec := journal.NewRecorder(c, journal.New(journal.Options{}), ledger.Destination{Environment: "TEST", Host: "a.example"}, nil)
		defer rec.Journal().Close()
		p, err := session.NewTracker(rec, rec, session.NewGate(session.GateOptions{})).Initiate(t.Context(), transferInitiation())
		noError(t, err)
		kept, err := rec.Journal().Payment(t.Context(), rec.Here(), "REF1")
		if left := p.Transfer.Left(time.Now()); err != nil || (left-30*time.Minute).Abs() > 2*time.Second || kept.Account.Left(time.Now()) != left {
			t.Errorf("%s are left, and by the journal %v: %v", left, kept.Account, err)
		}
	})
}
