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
		if err != nil {
			t.Fatal(err)
		}
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
			outcome, lines := do(t.Context(), c, s.Operation, s.Ask)
			if outcome != s.Outcome {
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
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// do calls one operation and prints its result.
func do(ctx context.Context, c *api.Client, operation, ask string) (outcome string, lines []string) {
	var got any
	var err error
	switch operation {
	case "initiate":
		in := cardInitiation()
		if ask == "transfer" {
			in = transferInitiation()
		}
		got, err = c.Initiate(ctx, in)
	case "link":
		got, err = c.CreateLink(ctx, linkDraft())
	case "validate":
		got, err = c.ValidateChannels(ctx, pounds("12.50"))
	case "authenticate":
		got, err = c.Authenticate(ctx, "REF0001")
	case "finalize":
		got, err = c.Finalize(ctx, "REF0001")
	case "transaction":
		got, err = c.Transaction(ctx, "REF0001")
	case "transactions":
		got, err = c.Transactions(ctx, 1, 20)
	default:
		return "no such operation", nil
	}
	if err != nil {
		return outcomeOf(err), describeError(err)
	}
	return "answer", describe(got)
}

func outcomeOf(err error) string {
	var refusal *api.Refusal
	var unresolved *api.Unresolved
	var failure *api.Failure
	switch {
	case errors.As(err, &refusal):
		return "refusal"
	case errors.As(err, &unresolved) && errors.Is(err, api.ErrUnresolved):
		return "unresolved"
	case errors.As(err, &failure):
		return "failure"
	}
	return fmt.Sprintf("%T", err)
}

// printed is lines of a field's name and value, without empty values.
type printed []string

func (p *printed) add(name string, v any) {
	if s := fmt.Sprint(v); s != "" {
		*p = append(*p, name+": "+s)
	}
}

func describeError(err error) []string {
	var p printed
	p.add("error", err)
	switch e := err.(type) {
	case *api.Refusal:
		p.add("kind", int(e.Kind))
		p.add("http", e.HTTP)
		p.add("code", e.Code)
		p.add("text", e.Text)
		for _, f := range e.Failures {
			p.add("failed", f)
		}
		if e.RetryAfter != 0 {
			p.add("wait", e.RetryAfter)
		}
	case *api.Unresolved:
		p.add("kind", int(e.Kind))
		p.add("http", e.HTTP)
		p.add("detail", e.Detail)
		p.add("names", e.Named)
	case *api.Failure:
		p.add("kind", int(e.Kind))
		p.add("http", e.HTTP)
		p.add("detail", e.Detail)
		if e.RetryAfter != 0 {
			p.add("wait", e.RetryAfter)
		}
	}
	return p
}

func describe(got any) []string {
	var p printed
	switch v := got.(type) {
	case api.Payment:
		p.payment(v)
	case api.Link:
		p.link(v)
	case api.Channels:
		p.add("valid", v.Valid)
		p.add("message", v.Message)
		for _, ch := range v.Channels {
			p.add("channel", strings.Join([]string{ch.Name.String(), string(ch.Alias), ch.Description.String()}, " | "))
		}
	case api.Authentication:
		p.add("enabled", fmt.Sprint(v.HasEnabled, " ", v.Enabled))
		p.add("status", v.Status)
		p.add("recommendation", v.Recommendation)
		p.add("message", v.Message)
		p.add("code", v.Code)
		for _, f := range v.Further {
			p.add("further", f)
		}
		p.add("page", v.Page.Expose())
	case api.Finalization:
		p.add("status", v.Status)
		p.add("message", v.Message)
		p.add("code", v.Code)
	case api.PaymentStatus:
		p.add("reference", string(v.Reference))
		p.add("named", v.OtherReference)
		p.status(v.Status)
		if v.HasAmount {
			p.add("amount", v.Amount)
		}
		p.add("amount text", v.AmountText)
		p.add("message", v.Message)
	case api.Page:
		p.page(v)
	}
	return p
}

func (p *printed) status(s api.Status) {
	p.add("state", int(s.State))
	p.add("status", s.Text)
}

func (p *printed) payment(v api.Payment) {
	p.add("reference", string(v.Reference))
	p.status(v.Status)
	p.add("bank", v.BankAuth)
	p.add("bank refused", v.BankAuthRefused)
	if v.HasAmount {
		p.add("amount", v.Amount)
	}
	p.add("message", v.Message)
	if v.Fees.Minor != 0 {
		p.add("fees", v.Fees)
	}
	if v.Total.Minor != 0 {
		p.add("total", v.Total)
	}
	if d := v.Difference; !d.IsZero() {
		p.add("differs", d.What)
		if !d.Answered.Currency.IsZero() || d.Text.Empty() {
			p.add("answered", d.Answered)
		}
		p.add("amount text", d.Text)
	}
	if t := v.Transfer; t != nil {
		for _, text := range []api.Text{t.Note, t.Bank, t.AccountNumber, t.AccountName, t.Mode, t.Expiration.Text} {
			p.add("transfer", text)
		}
		p.add("transfer expires", fmt.Sprint(t.Expiration.Time.UTC(), " ", t.Expiration.Zoned))
	}
}

func (p *printed) link(v api.Link) {
	for _, text := range []api.Text{v.ID, v.Name, v.Description, v.Type, v.Status, v.Environment, v.Message} {
		p.add("link", text)
	}
	p.add("alias", string(v.Alias))
	p.add("page", v.Page)
	p.add("page text", v.PageText)
	if v.HasAmount {
		p.add("amount", v.Amount)
	}
	p.add("created", fmt.Sprint(v.Created.Text, " ", v.Created.Time.UTC(), " ", v.Created.Zoned))
}

func (p *printed) page(v api.Page) {
	if v.HasMeta {
		p.add("meta", fmt.Sprintf("%+v", v.Meta))
	}
	for _, n := range v.Notices {
		p.add("notice", n)
	}
	for i, r := range v.Rows {
		amount := "not known"
		if r.Known {
			amount = r.Amount.String()
		}
		p.add("row", strings.Join([]string{r.ID.String(), amount, r.Raw.String(), r.Currency.String(), fmt.Sprint(int(r.Status.State)), r.Status.Text.String()}, " | "))
		if i == 0 {
			p.add("  object", strings.Join(r.Object.Block(80, 40), "|"))
		}
	}
}
