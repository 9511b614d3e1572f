package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"paydesk/api/sandbox"
)

func TestTheCommandServesUntilItIsEnded(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	out, in := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- sandbox.Command(ctx, []string{"--listen", "127.0.0.1:0", "--key", "sk_test_commandkey", "--transactions", "3"}, in, io.Discard)
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
	if s := <-status; s != 0 {
		t.Errorf("the exit code is %d", s)
	}
}

func TestTheCommandRejectsInvalidArgumentsWithoutQuotingThem(t *testing.T) {
	for _, args := range [][]string{
		{"--secret-key", "sk_live_0123456789"}, {"sk_live_0123456789"}, {"--transactions", "-1"}, {"--transactions", "many"},
		{"--settle", "0s"}, {"--key", "sk_live_ 0123456789"},
	} {
		var out, complaints bytes.Buffer
		if s := sandbox.Command(t.Context(), args, &out, &complaints); s != 2 || out.Len() > 0 || complaints.Len() == 0 {
			t.Errorf("%v: %d %q %q", args[0], s, out.String(), complaints.String())
		}
		if strings.Contains(complaints.String(), "sk_live") {
			t.Errorf("the error quotes the arguments: %q", complaints.String())
		}
	}
}

func TestTheCommandListensOnLoopbackUnlessAllowedOtherwise(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "192.0.2.1:0", "example.org:0", "nonsense"} {
		var complaints bytes.Buffer
		if s := sandbox.Command(t.Context(), []string{"--listen", address}, io.Discard, &complaints); s != 1 || complaints.Len() == 0 {
			t.Errorf("%s: %d %q", address, s, complaints.String())
		}
	}
}

func TestTheCommandPrintsItsAssumptionsAndItsHelp(t *testing.T) {
	for flag, want := range map[string]string{"--assumptions": "where the specification is silent", "--help": "--insecure-any-address"} {
		var out bytes.Buffer
		if s := sandbox.Command(t.Context(), []string{flag}, &out, io.Discard); s != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %d %q", flag, s, out.String())
		}
	}
}
