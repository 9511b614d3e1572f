package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"
)

// A disconnectingClient reads 16 KiB and disconnects.
type disconnectingClient struct {
	*httptest.ResponseRecorder
}

func (l disconnectingClient) Write(b []byte) (int, error) {
	if l.Body.Len() > 16<<10 {
		return 0, errors.New("the client has left")
	}
	return l.ResponseRecorder.Write(b)
}

func (l disconnectingClient) Unwrap() http.ResponseWriter { return l.ResponseRecorder }

// With any switch, fault and request, the response is well-formed or the armed fault; the
// sandbox itself never fails.
func FuzzAnyRequestInAnyConditionIsAnswered(f *testing.F) {
	s := New(Options{})
	for i, k := range s.Faults() {
		op := operations()[i%7]
		f.Add(op.method, strings.Replace(op.path, "{reference}", "A1", 1), mustJSON(charge("approve")), k.Name, uint8(i), uint8(i/3))
	}
	for i, w := range switchTable() {
		for v := range max(len(w.Values), 2) {
			for _, op := range operations() {
				path := strings.Replace(op.path, "{reference}", "A1", 1) + "?referenceId=A1"
				f.Add(op.method, path, mustJSON(bankTransfer()), "", uint8(i), uint8(v))
			}
		}
	}
	f.Add("GET", "/bank/A1?redirect=true&token=&context=", "", "", uint8(0), uint8(0))
	f.Add("GET", "/pay/0-a", "", "", uint8(0), uint8(0))
	for _, k := range controlCalls() {
		_, example, _ := strings.Cut(k.Example, "-d '")
		body, _, _ := strings.Cut(example, "'")
		f.Add(k.Method, strings.NewReplacer("{reference}", "A1", "{id}", "D1").Replace(k.Path), body, "", uint8(0), uint8(0))
	}
	f.Fuzz(func(t *testing.T, method, target, body, fault string, turned, value uint8) {
		if method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Skip()
		}
		s := New(Options{Key: testKey, Transactions: 3})
		ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), "reference", "A1")))
		w := switchTable()[int(turned)%len(switchTable())]
		word := "Odd Word"
		if len(w.Values) > 0 {
			word = w.Values[int(value)%len(w.Values)]
		}
		s.SetSwitch(w.Name, word)
		s.Arm("all", fault, 0)
		ctx, leave := context.WithCancel(t.Context())
		leave() // ends a silent fault
		r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost" // of who has control
		control := strings.HasPrefix(r.URL.Path, controlPath)
		if control && strings.Contains(body, "http") {
			t.Skip() // a webhook would be sent
		}
		r.Header.Set(s.switches.of("key.header"), testKey)
		r.Header.Set("Content-Type", "application/json")
		out := disconnectingClient{httptest.NewRecorder()}
		aborted := aborts(func() { s.ServeHTTP(out, r) })
		if bytes.Contains(out.Body.Bytes(), []byte("Internal sandbox error")) || aborted && len(s.Armed()) == 0 {
			t.Fatalf("%s %q with %s %s = %s: aborted %v, %s", method, target, fault, w.Name, word, aborted, out.Body)
		}
		plain := len(s.Armed()) == 0 && !strings.HasPrefix(r.URL.Path, bankPath) && !strings.HasPrefix(r.URL.Path, linkPath)
		if plain && (!json.Valid(out.Body.Bytes()) || !utf8.Valid(out.Body.Bytes())) {
			t.Fatalf("%s %q with %s = %s: no JSON in %q", method, target, w.Name, word, out.Body)
		}
		if plain && !control && maps.Equal(s.switches, defaultSwitches()) {
			var v map[string]any
			json.Unmarshal(out.Body.Bytes(), &v)
			_, list := v["status"].(bool)
			if _, said := v["isSuccess"].(bool); said == list || (out.Code == 200) != (v["isSuccess"] == true || v["status"] == true) {
				t.Fatalf("%s %q: %d and no envelope that agrees in %s", method, target, out.Code, out.Body)
			}
		}
	})
}
