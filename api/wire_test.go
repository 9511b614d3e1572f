package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
)

var update = flag.Bool("update", false, "write what is read into testdata/wire")

// A sample is one response of the service, as specified or observed, and what the client reads from
// it.
type sample struct {
	Operation   string            `json:"operation"`
	Name        string            `json:"name"`
	Source      string            `json:"source"`
	Ask         string            `json:"ask,omitempty"` // "transfer" for an initiation by transfer
	HTTP        int               `json:"http"`
	ContentType *string           `json:"contentType,omitempty"` // application/json when absent
	Header      map[string]string `json:"header,omitempty"`
	Body        json.RawMessage   `json:"body,omitempty"`
	Raw         *string           `json:"raw,omitempty"`
	Raw64       []byte            `json:"raw64,omitempty"`
	Outcome     string            `json:"outcome"`
	Sandbox     bool              `json:"sandbox,omitempty"` // the sandbox must answer with exactly these fields
	Expect      []string          `json:"expect"`
}

// samples reads testdata/wire.
func samples(t testing.TB) map[string]sample {
	names, err := filepath.Glob("testdata/wire/*.json")
	if err != nil || len(names) < 150 {
		t.Fatalf("found %d samples: %v", len(names), err)
	}
	all := make(map[string]sample)
	for _, name := range names {
		raw, err := os.ReadFile(name)
		noError(t, err)
		var s sample
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = s
	}
	return all
}

// content is the body of the response.
func (s sample) content() []byte {
	switch {
	case s.Raw != nil:
		return []byte(*s.Raw)
	case s.Raw64 != nil:
		return s.Raw64
	}
	return s.Body
}

func (s sample) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if s.ContentType != nil {
		w.Header()["Content-Type"] = []string{*s.ContentType}
	}
	for k, v := range s.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(s.HTTP)
	w.Write(s.content())
}

func TestEverySampleIsReadAsExpected(t *testing.T) {
	for name, s := range samples(t) {
		t.Run(s.Operation+"/"+s.Name, func(t *testing.T) {
			c, at := newClient(t, s)
			got, err := call(t.Context(), c, s.Operation, s.Ask)
			lines := printed(got, err)
			if outcome := outcomeOf(err); outcome != s.Outcome {
				t.Errorf("ended as %s, want %s", outcome, s.Outcome)
			}
			if n := at.count(); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
			if *update {
				s.Expect = lines
				s.write(t, name)
				return
			}
			if d := cmp.Diff(s.Expect, lines); d != "" {
				t.Error(d)
			}
		})
	}
}

func (s sample) write(t *testing.T, name string) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	noError(t, e.Encode(s))
	noError(t, os.WriteFile(name, out.Bytes(), 0o644))
}

// call calls an operation.
func call(ctx context.Context, c *api.Client, operation, ask string) (got any, err error) {
	switch operation {
	case "initiate":
		in := cardInitiation()
		if ask == "transfer" {
			in = transferInitiation()
		}
		return c.Initiate(ctx, in)
	case "link":
		return c.CreateLink(ctx, linkDraft())
	case "validate":
		return c.ValidateChannels(ctx, pounds("12.50"))
	case "authenticate":
		return c.Authenticate(ctx, "REF0001")
	case "finalize":
		return c.Finalize(ctx, "REF0001")
	case "transaction":
		return c.Transaction(ctx, "REF0001")
	case "transactions":
		return c.Transactions(ctx, 1, 20)
	}
	return nil, errors.New("no such operation")
}

// try is the error of a call.
func try(ctx context.Context, c *api.Client, operation string) error {
	_, err := call(ctx, c, operation, "")
	return err
}

// outcomeOf is how a call ended.
func outcomeOf(err error) string {
	outcome, _ := ended(err)
	return outcome
}

func kindOf(err error) api.Kind {
	_, kind := ended(err)
	return kind
}

func ended(err error) (string, api.Kind) {
	switch e := err.(type) {
	case nil:
		return "answer", 0
	case *api.Refusal:
		return "refusal", e.Kind
	case *api.Unresolved:
		return "unresolved", e.Kind
	case *api.Failure:
		return "failure", e.Kind
	}
	return fmt.Sprintf("%T", err), 0
}

// printed is a line for every part of a result, or of an error, that has a value.
func printed(result any, err error) (lines []string) {
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		if !v.IsValid() || v.IsZero() || v.Kind() == reflect.Uint64 { // the hash of an ID is another one in each process
			return
		}
		switch part := v.Interface().(type) {
		case api.Kind:
			lines = append(lines, fmt.Sprintf("%s: %d", name, part))
			return
		case api.Markup:
			lines = append(lines, name+": "+part.Expose())
			return
		case fmt.Stringer:
			if v.Kind() != reflect.Pointer {
				lines = append(lines, fmt.Sprintf("%s: %v", name, part))
				return
			}
		}
		switch v.Kind() {
		case reflect.Pointer:
			walk(name, v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s %d", name, i+1), v.Index(i))
			}
		default:
			lines = append(lines, fmt.Sprintf("%s: %v", name, v))
		}
	}
	if err != nil {
		lines = append(lines, "error: "+err.Error())
		result = err
	}
	walk("", reflect.ValueOf(result))
	return lines
}

func TestAnAddressIsHTTPSOrOnThisMachine(t *testing.T) {
	for s, want := range map[string]string{
		"https://payments.example":                        "",
		"HTTPS://payments.example":                        "",
		"http://127.0.0.1:8080":                           "",
		"http://[::1]:80":                                 "",
		"https://payments.example.":                       "",
		"":                                                "such as",
		"payments.example":                                "add https://",
		"127.0.0.1:1":                                     "add http://",
		"javascript:alert(1)":                             "begin with https",
		"https://":                                        "name a host",
		"http://payments.example":                         "this machine only",
		"http://2130706433":                               "this machine only",
		"https://user@payments.example":                   "a user or password",
		"https://payments.example#x":                      "or fragment",
		"https://payments.example?a=b":                    "a query",
		"https://payments.example/a/../b":                 "..",
		"https://payments.example/a/%2e%2e/b":             "..",
		"https://payments.example/a b":                    "spaces",
		"https://päyments.example":                        "ASCII",
		`https://payments.example\x`:                      "ASCII",
		"http://127.0.0.1@evil.example":                   "a user or password",
		"https://payments.example:0":                      "a valid port",
		"https://payments..example":                       "name a host",
		"https://[fe80::1%25eth0]":                        "name a host",
		"https://" + strings.Repeat("a", 64) + ".example": "name a host",
	} {
		got := check(func(s string) error { _, err := api.ParseOrigin(s); return err }, s)
		if (want == "") != (got == "") || !strings.Contains(got, want) || strings.Contains(got, "evil") || strings.Contains(got, "pw") {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestAPathHasOnePlaceForTheReference(t *testing.T) {
	for s, want := range map[string]string{
		"/{reference}":               "",
		"/a/{reference}/b":           "",
		"":                           "begin with one /",
		"//host/{reference}":         "begin with one /",
		"/a":                         "exactly once",
		"/{reference}?r={reference}": "exactly once",
		"/{reference}#x":             "no #",
		"/../{reference}":            "such as",
	} {
		got := check(api.CheckPath, s)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func check(do func(string) error, s string) string {
	if err := do(s); err != nil {
		return err.Error()
	}
	return ""
}

// A name for this machine is not followed to another one.
func TestLocalhostIsThisMachine(t *testing.T) {
	d := api.Dialer("localhost:1")
	for at, ok := range map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true, "192.0.2.1:1": false, "10.0.0.1:80": false, "[2001:db8::1]:1": false, "x": false, "": false,
	} {
		if err := d.Control("tcp", at, nil); (err == nil) != ok {
			t.Errorf("%s: %v", at, err)
		}
	}
	if api.Dialer("payments.example:443").Control != nil {
		t.Error("another host must be this machine")
	}
}

func TestARedirectIsNotFollowedAndSaysWhereItLeads(t *testing.T) {
	for location, want := range map[string]string{
		"https://login.example/sign-in?next=/v1": "list_url redirects to https://login.example",
		"http://b.example/":                      "list_url redirects to http://b.example",
		"/v2/api/transactions":                   "list_url redirects to another path of the same host",
		"":                                       "list_url redirects without saying where to",
		"javascript:alert(1)":                    "list_url redirects to something that is not a web address",
		"https://user:CANARY@else.example/":      "list_url redirects to https://else.example",
		"https://4242424242424242.example/":      "list_url redirects to https://<pan …4242>.example",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			header := http.Header{"Location": {location}}
			c, s := scripted(t, 0, reply{code: status, header: header})
			_, err := c.Transactions(t.Context(), 1, 20)
			f, is := errors.AsType[*api.Failure](err)
			if !is || f.Kind != api.KindRedirect || f.HTTP != status || s.requests.Load() != 1 {
				t.Errorf("%d to %q: %d requests, %v", status, location, s.requests.Load(), err)
				continue
			}
			if got := f.Detail.String(); got != want {
				t.Errorf("to %q: %q, want %q", location, got, want)
			}
		}
	}
	for _, operation := range append(writes, "authenticate") { // a POST that is answered by a redirect may have been carried out
		c, s := scripted(t, 0, reply{code: 307, header: http.Header{"Location": {"https://login.example/"}}, body: strings.NewReader("")})
		err := try(t.Context(), c, operation)
		if want := map[bool]string{true: "failure", false: "unresolved"}[operation == "authenticate"]; outcomeOf(err) != want || s.requests.Load() != 1 ||
			!strings.Contains(err.Error(), "base_url redirects to https://login.example") {
			t.Errorf("%s: %d requests, %v", operation, s.requests.Load(), err)
		}
	}
}

func TestNewRejectsWhatCannotWork(t *testing.T) {
	whole := api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Key: "sk_test_" + key(pan)}
	if _, err := api.New(whole); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*api.Config){
		"no base":                 func(c *api.Config) { c.BaseURL = "" },
		"no key":                  func(c *api.Config) { c.Key = nil },
		"a card number for a key": func(c *api.Config) { c.Key = key("4242-4242-4242-4242") },
		"a key of two lines":      func(c *api.Config) { c.Key = key("sk_test_EXAMPLE\nX: y") },
		"an idempotency header":   func(c *api.Config) { c.KeyHeader = "Idempotency-Key" },
		"the header of hosts":     func(c *api.Config) { c.KeyHeader = "Host" },
		"a path without a place":  func(c *api.Config) { c.StatusPath = "/status" },
		"a user agent with lines": func(c *api.Config) { c.UserAgent = "a\r\nb" },
	} {
		c := whole
		change(&c)
		_, err := api.New(c)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if strings.Contains(err.Error(), "4242") || strings.Contains(err.Error(), "sk") {
			t.Errorf("%s: the error repeats what was given: %v", name, err)
		}
	}
}
