package api_test

import (
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
)

// Both requests are sent, and compared as the service received them.
func TestCurlSendsWhatTheClientSends(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("there is no curl here")
	}
	var got post
	c, _ := newClient(t, &got)
	link := linkDraft()
	link.Name, link.Description = "It's \"5\" % \\ $HOME `x` été", "@file <b>&amp;\u202e"
	for name, of := range map[string]struct {
		call api.Call
		send func() error
	}{
		"status": {api.Call{Operation: api.OpTransaction, Reference: "REF:00.0_1-a"}, func() error {
			_, err := c.Transaction(t.Context(), "REF:00.0_1-a")
			return err
		}},
		"list": {api.Call{Operation: api.OpTransactions, Page: 3, PerPage: 17}, func() error {
			_, err := c.Transactions(t.Context(), 3, 17)
			return err
		}},
		"link": {api.Call{Operation: api.OpCreateLink, Link: link}, func() error {
			_, err := c.CreateLink(t.Context(), link)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_ = of.send() // the service answers with an error
			want := got.seen()
			command, err := c.Curl(of.call)
			noError(t, err)
			args := slices.Concat(command.Args...)
			if strings.Contains(strings.Join(args, " "), want.header.Get(command.KeyHeader)) {
				t.Error("an argument has the key")
			}
			run := exec.CommandContext(t.Context(), curl, append([]string{"-q"}, args...)...)
			run.Stdin = strings.NewReader(command.KeyHeader + ": " + want.header.Get(command.KeyHeader) + "\n")
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			is := got.seen()
			if d := cmp.Diff(want, is, cmp.AllowUnexported(sent{}), cmp.FilterPath(connection, cmp.Ignore())); d != "" {
				t.Error(d)
			}
		})
	}
}

// connection returns how a request travels, which is each program's own.
func connection(p cmp.Path) bool {
	if p.Last().String() == ".close" || p.Last().String() == ".proto" {
		return true
	}
	i, is := p.Last().(cmp.MapIndex)
	return is && http.CanonicalHeaderKey(i.Key().String()) == "Connection"
}

func TestNoCurlCommandHasACardNumber(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	link := linkDraft()
	link.Description = "card 4242424242424242"
	for name, call := range map[string]api.Call{
		"reference": {Operation: api.OpTransaction, Reference: "4242424242424242"},
		"link":      {Operation: api.OpCreateLink, Link: link},
		"payment":   {Operation: api.OpInitiate},
		"key":       {Operation: api.OpTransaction, Reference: "sk_test_0123456789abcdef"},
	} {
		if command, err := c.Curl(call); err == nil {
			t.Errorf("%s: %q", name, command.Args)
		}
	}
}
