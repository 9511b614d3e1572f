package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (s *harness) control(method, path, body string) reply {
	s.t.Helper()
	return s.send(method, controlPath+path, body, func(r *http.Request) {
		r.Header.Del(KeyHeader)
		if body == "" {
			r.Header.Del("Content-Type")
		}
	})
}

// Every call of the index works as its example shows, without a key, and shows no card and no key.
func TestEveryCallOfTheIndexWorks(t *testing.T) {
	s := serve(t, Options{ManualTransfers: true})
	refusals := map[string]int{
		"GET webhooks/{id}/body": 404, "POST webhooks": 409, "POST webhooks/send": 409, "POST webhooks/redeliver": 409, "POST webhooks/{id}/redeliver": 409,
	}
	payments := map[string]obj{
		"approve": charge("challenge"), "reject": charge("challenge"), "decline": charge("challenge"),
		"settle": bankTransfer(), "expire": bankTransfer(), "pay": bankTransfer(),
	}
	wants := map[string]string{
		"GET ": `"calls":[`, "GET payments": `"payments":[]`, "GET clock": `"now":"`, "POST clock": `"now":"`,
		"approve": `"state":"PENDING"`, "reject": `"state":"FAILED"`, "settle": `"state":"SUCCESSFUL"`, "expire": `"state":"FAILED"`,
		"decline": `"state":"FAILED"`, "pay": `"state":"SUCCESSFUL"`,
		"GET about": `{"is":"paydesk-sandbox","control":1}`, "GET state": `"ahead":0,"targets":[],"deliveries":[]}`,
		"GET faults": `"armed":[],"faults":[{"name":"not-reached"`, "POST faults": `"armed":[{"operation":"initiate","fault":"lost-answer","left":1,"struck":0}]`,
		"DELETE faults": `"armed":[]`, "GET switches": `{"name":"finalize.status","value":"completed"`, "POST switches": `{"name":"finalize.status","value":"Successful"`,
		"GET webhooks": `"deliveries":[]`, "POST webhook": `"targets":["http://127.0.0.1:9000/hook"]`,
		"GET cards": `"name":"approve"`, "GET assumptions": `"topic":"key"`, "POST reset": `"payments":[]`,
	}
	made := 0
	for _, c := range s.control("GET", "", "").at("calls").([]any) {
		call := c.(obj)
		method, path := call["method"].(string), strings.TrimPrefix(call["path"].(string), controlPath)
		name := method + " " + path
		example := call["example"].(string)
		if !strings.Contains(example, s.origin+controlPath) || call["does"] == "" {
			t.Errorf("%s: %v", name, call)
		}
		if says := fmt.Sprint(call["body"]); name == "POST faults" && !strings.Contains(says, event.name) {
			t.Errorf("%s does not say how the fault of an event is armed: %s", name, says)
		}
		_, body, _ := strings.Cut(example, "-d '")
		body, _, _ = strings.Cut(body, "'")
		if status := refusals[name]; status != 0 {
			s.control(method, strings.Replace(path, "{id}", "D1", 1), body).refused(status, "")
			made++
			continue
		}
		want := wants[name]
		if head, step, is := strings.Cut(path, "{reference}/"); is {
			want, path = wants[step], head+s.pay(payments[step])+"/"+step
		}
		if a := s.control(method, path, body); a.http != 200 || want == "" || !strings.Contains(a.text, want) {
			t.Errorf("%s: %d %s, want %s", name, a.http, a.text, want)
		} else if strings.Contains(a.text, testKey) || path != "cards" && slices.ContainsFunc(Cards(), func(c TestCard) bool { return strings.Contains(a.text, c.Number) }) {
			t.Errorf("%s shows a card or the key: %s", name, a.text)
		}
		made++
	}
	if made != len(controlCalls()) {
		t.Errorf("%d calls were made of %d", made, len(controlCalls()))
	}
}

func TestTheControlAPIReportsWhyACallFails(t *testing.T) {
	s := serve(t, Options{})
	done, moved := s.pay(charge("decline")), s.pay(bankTransfer())
	s.Settle(moved)
	for _, c := range []struct {
		method, path, body string
		http               int
		says               string
	}{
		{"GET", "nothing", "", 404, "GET /_sandbox/ lists"},
		{"GET", "payments/A/approve", "", 405, "accepts only POST"},
		{"POST", "payments/" + done + "/approve", "", 409, "not in a state"},
		{"POST", "payments/" + done + "/pay", `{"amount":"1"}`, 409, "not a transfer"},
		{"POST", "payments/" + moved + "/pay", `{}`, 422, "amount is required"},
		{"POST", "clock", `{"forward":"-1s"}`, 400, "forward must be a duration"},
		{"POST", "faults", `{"operation":"link","fault":"F99"}`, 400, "No fault has this name"},
		{"POST", "switches", `{"error.body":"C","finalize.status":"X"}`, 400, "error.body must be one of: envelope, A, B"},
		{"POST", "webhooks", `{"event":"payment.maybe"}`, 400, "The event must be payment.success or payment.failed"},
		{"POST", "webhook", `{"addresses":["http://a","ftp://b"]}`, 400, "http or https"},
		{"POST", "webhooks/send", `{}`, 400, "from 1 to 65536 bytes"},
		{"POST", "webhooks/send", `{"base64":"*"}`, 400, "base64 must be base64"},
		{"GET", "webhooks/D1/body", "", 404, "No delivery has this ID"},
	} {
		t.Run(c.method+" "+c.path+" "+c.body, func(t *testing.T) {
			a := s.control(c.method, c.path, c.body)
			a.t = t
			a.refused(c.http, c.says)
		})
	}
	if len(s.switches) > 0 || len(s.Armed()) > 0 {
		t.Error("a rejected call changed something")
	}
}

// Only programs on this machine have control: no other machine, no web page, and no name
// that was made to resolve to this machine.
func TestNobodyElseControlsTheSandbox(t *testing.T) {
	s := New(Options{Key: testKey})
	var seen []int
	knock := func(change func(*http.Request)) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", controlPath+"reset", nil)
		r.RemoteAddr, r.Host = "127.0.0.1:50000", "127.0.0.1:8099"
		change(r)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		seen = append(seen, w.Code)
		return w
	}
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	from := func(address string) func(*http.Request) { return func(r *http.Request) { r.RemoteAddr = address } }
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	ask(s, "POST", initiatePath, mustJSON(charge("approve")))
	for name, change := range map[string]func(*http.Request){
		"another machine": from("192.0.2.7:4000"), "another machine by IPv6": from("[2001:db8::1]:4000"), "nobody": from(""), "a name": from("localhost:1"),
		"a mapped address": from("[::ffff:192.0.2.7]:1"),
		"a web page":       header("Origin", "http://127.0.0.1:8099"), "a page without an origin": header("Origin", "null"),
		"a page of another site": header("Sec-Fetch-Site", "cross-site"), "a page of this site": header("Sec-Fetch-Site", "same-origin"),
		"a rebound name": host("evil.example:8099"), "a rebound name that looks right": host("localhost.evil.example"), "an address as a name": host("127.0.0.1.evil.example:8099"),
		"no host": host(""), "another address": host("192.0.2.7:8099"), "any address": host("0.0.0.0:8099"),
		"a proxy": header("X-Forwarded-For", "192.0.2.7"), "a named proxy": header("Via", "1.1 p"), "a standard proxy": header("Forwarded", "for=x"), "nginx": header("X-Real-Ip", "x"),
	} {
		if w := knock(change); w.Code != 403 || len(s.Payments()) != 1 {
			t.Errorf("%s: %d, %d payments are left", name, w.Code, len(s.Payments()))
		}
	}
	for name, change := range map[string]func(*http.Request){
		"curl": func(*http.Request) {}, "by name": host("localhost:8099"), "by name in capitals": host("LocalHost"), "IPv6": host("[::1]:8099"),
		"from IPv6": from("[::1]:4000"), "from a mapped address": from("[::ffff:127.0.0.1]:4000"), "typed into a browser": header("Sec-Fetch-Site", "none"),
		"another loopback address": host("127.9.9.9"),
	} {
		if w := knock(change); w.Code != 200 || len(s.Payments()) != 0 {
			t.Errorf("%s: %d, %d payments are left", name, w.Code, len(s.Payments()))
		}
	}
}

// controllers are the two ways to a sandbox: in this process, and over a socket.
func controllers(t *testing.T, tell func(*testing.T, *harness, *Controller)) {
	t.Run("in this process", func(t *testing.T) {
		s := serve(t, Options{ManualTransfers: true})
		tell(t, s, s.Controller())
	})
	t.Run("over a socket", func(t *testing.T) {
		s := serve(t, Options{ManualTransfers: true})
		c, err := Find(t.Context(), s.origin+"/base?x=1")
		must(t, err)
		tell(t, s, c)
	})
}

func TestAControllerDoesWhatTheSandboxDoes(t *testing.T) {
	controllers(t, func(t *testing.T, s *harness, c *Controller) {
		ctx := t.Context()
		same := func() {
			t.Helper()
			got, err := c.State(ctx)
			must(t, err)
			if diff := cmp.Diff(s.State(), got); diff != "" {
				t.Error(diff)
			}
		}
		same()
		asked, moved := s.pay(charge("challenge")), s.pay(bankTransfer())
		same()
		v, err := c.Change(ctx, asked, "approve")
		must(t, err)
		if v.State != "PENDING" || v.Reference != asked {
			t.Errorf("%+v", v)
		}
		if _, err := c.Change(ctx, asked, "approve"); !errors.Is(err, ErrState) {
			t.Errorf("approved twice: %v", err)
		}
		if v, err = c.Pay(ctx, moved, "5"); v.Received != "5.00" {
			t.Errorf("%+v %v", v, err)
		}
		if _, err := c.Pay(ctx, asked, "5"); !errors.Is(err, ErrNotTransfer) {
			t.Errorf("a card was paid: %v", err)
		}
		must(t, c.Forward(ctx, 90*time.Second))
		must(t, c.Arm(ctx, "initiate", "lost-answer", 2))
		must(t, c.SetSwitch(ctx, "finalize.status", "Done"))
		must(t, c.SetWebhooks(ctx, []string{"http://127.0.0.1:1/old"}))
		must(t, c.ChangeWebhooks(ctx, "http://127.0.0.1:1/hook", ""))
		must(t, c.ChangeWebhooks(ctx, "", "http://127.0.0.1:1/old"))
		must(t, c.SendSample(ctx, "payment.failed", ""))
		s.Close() // keeps the state still
		same()
		if now := s.State(); now.Ahead != 90*time.Second || len(now.Armed) != 1 || len(now.Deliveries) != 1 {
			t.Errorf("%+v", now)
		}
		if err := c.Redeliver(ctx, "D1"); !errors.Is(err, ErrNoWebhook) {
			t.Errorf("sent to nowhere: %v", err)
		}
		if err := c.Arm(ctx, "link", "F99", 0); err == nil || err.Error() != "no fault has this name" {
			t.Errorf("an unknown fault: %v", err)
		}
		faults, err := c.Faults(ctx)
		must(t, err)
		if diff := cmp.Diff(len(s.Faults()), len(faults)); diff != "" {
			t.Error(diff)
		}
		must(t, c.ClearFaults(ctx))
		must(t, c.Reset(ctx))
		same()
		if len(s.Payments()) != 0 {
			t.Error("it was not reset")
		}
	})
}

// A profile's address is a sandbox only when that says so, on this machine, in a form that can be
// shown: everything else is another service, which is asked one question without the key.
func TestOnlyASandboxIsFound(t *testing.T) {
	reply := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	const about = `{"is":"paydesk-sandbox","control":1}`
	elsewhere := httptest.NewServer(reply(200, jsonType, about))
	t.Cleanup(elsewhere.Close)
	for name, handler := range map[string]http.HandlerFunc{
		"another service": reply(404, jsonType, `{"isSuccess":false}`),
		"a web page":      reply(200, "text/html", about),
		"a later version": reply(200, jsonType, `{"is":"paydesk-sandbox","control":2}`),
		"a refusal":       reply(403, jsonType, about),
		"a flood":         reply(200, jsonType, `{"is":"paydesk-sandbox","control":1,"x":"`+strings.Repeat("x", maxControl)+`"}`),
		"an escape":       reply(200, jsonType, `{"is":"paydesk-sandbox","control":1,"x":"\u001b[2J"}`),
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		},
	} {
		asked := 0
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; len(r.Header.Values(KeyHeader)) > 0 || r.Method != "GET" || r.URL.Path != controlPath+"about" {
				t.Errorf("%s: asked %s %s %v", name, r.Method, r.URL.Path, r.Header)
			}
			handler(w, r)
		}))
		if c, err := Find(t.Context(), web.URL); c != nil || !errors.Is(err, ErrNoSandbox) {
			t.Errorf("%s: %v", name, err)
		}
		if web.Close(); asked != 1 {
			t.Errorf("%s: asked %d times", name, asked)
		}
	}
	for _, origin := range []string{
		"https://127.0.0.1:1", "http://192.0.2.1", "http://payments.example", "http://localhost.example", "http://0.0.0.0:80",
		"http://u:p@127.0.0.1:1", "127.0.0.1:8099", "", "http://127.0.0.1:1",
	} {
		if c, err := Find(t.Context(), origin); c != nil || !errors.Is(err, ErrNoSandbox) {
			t.Errorf("%q: %v", origin, err)
		}
	}
}

// A sandbox that is slow, gone or broken is an error, which quotes nothing of what it sent.
func TestASandboxThatIsGoneIsAnError(t *testing.T) {
	broken := ""
	s := New(Options{Key: testKey})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken == "" {
			s.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", jsonType)
		fmt.Fprint(w, broken)
	}))
	c, err := Find(t.Context(), web.URL)
	must(t, err)
	for _, broken = range []string{`{"payments":[{"reference":"A\u001b[31m"}]}`, `{"payments":7}`, `[]`, `{"payments":`} {
		if v, err := c.State(t.Context()); err == nil || strings.ContainsAny(err.Error(), "\x1b{[") || len(v.Payments) > 0 {
			t.Errorf("%s: %+v %v", broken, v, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := c.State(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	web.Close()
	if _, err := c.State(t.Context()); !errors.Is(err, ErrNoSandbox) {
		t.Error(err)
	}
}
