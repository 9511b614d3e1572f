package sandbox_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"paydesk/api/sandbox"
)

func TestTheCommandServesUntilItIsEnded(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	c := sandbox.NewCommand()
	c.Address, c.Key, c.Transactions = "127.0.0.1:0", "sk_test_commandkey", 3
	go func() {
		ended <- errors.Join(c.Check(), c.Serve(ctx, in))
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("no output")
	}
	ready := lines.Text()
	origin := strings.Fields(ready)[2]
	if !strings.HasPrefix(ready, "listening on http://127.0.0.1:") || !strings.Contains(ready, "key sk_test_commandkey") {
		t.Fatal(ready)
	}
	go func() {
		r, _ := http.NewRequest("GET", origin+"/v1/api/transactions?page=1&perPage=77", nil)
		r.Header.Set("X-Api", "sk_test_commandkey")
		if a, err := http.DefaultClient.Do(r); err == nil {
			a.Body.Close()
		}
	}()
	if !lines.Scan() {
		t.Fatal("no log lines")
	}
	if logged := lines.Text(); !strings.Contains(logged, "/v1/api/transactions") || strings.Contains(logged, "perPage") || strings.Contains(logged, "commandkey") {
		t.Error(logged)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTheCommandChecksItsOptionsWithoutQuotingThem(t *testing.T) {
	for name, change := range map[string]func(*sandbox.Command){
		"transactions": func(c *sandbox.Command) { c.Transactions = -1 },
		"settle":       func(c *sandbox.Command) { c.Settle = 0 },
		"key":          func(c *sandbox.Command) { c.Key = "sk_live_ 0123456789" },
	} {
		c := sandbox.NewCommand()
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		change(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), "--"+name) || strings.Contains(err.Error(), "sk_live") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheCommandListensOnLoopbackUnlessAllowedOtherwise(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "192.0.2.1:0", "example.org:0", "nonsense"} {
		c := sandbox.NewCommand()
		c.Address = address
		if err := c.Serve(t.Context(), io.Discard); err == nil {
			t.Errorf("%s is served", address)
		}
	}
}
