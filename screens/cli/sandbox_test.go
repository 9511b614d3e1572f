//go:build unix

package cli_test

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestTheSandboxIsServedUntilItIsStopped(t *testing.T) {
	h := clitest.New(t)
	for sign, code := range map[syscall.Signal]int{syscall.SIGTERM: 0, syscall.SIGQUIT: 131} {
		cmd := h.Program("sandbox", "--listen", "127.0.0.1:0", "--key", "sk_test_ofTheSandbox1", "--transactions=3")
		out, err := cmd.StdoutPipe()
		must(t, err)
		first := bufio.NewScanner(out)
		lines := first
		if code == 0 { // with --json stdout has one object
			cmd.Args = append(cmd.Args, "--json")
			log, err := cmd.StderrPipe()
			must(t, err)
			lines = bufio.NewScanner(log)
		}
		must(t, cmd.Start())
		first.Scan()
		at := regexp.MustCompile(`^(?:listening on |\{"schema.*)(http://[^ "]+).*(sk_test_ofTheSandbox1)`).FindStringSubmatch(first.Text())
		if at == nil || lines != first && clitest.CheckObject(first.Text()+"\n") != nil {
			t.Fatalf("%q", first.Text())
		}
		r, err := http.NewRequest("GET", at[1]+"/v1/api/transactions?page=1&perPage=20", nil)
		must(t, err)
		r.Header.Set("X-Api", at[2])
		a, err := http.DefaultClient.Do(r)
		if err != nil || a.StatusCode != http.StatusOK {
			t.Fatal(a, err)
		}
		a.Body.Close()
		if lines.Scan(); !strings.Contains(lines.Text(), "/v1/api/transactions") || strings.Contains(lines.Text(), "sk_test") {
			t.Errorf("it logs %q", lines.Text())
		}
		must(t, cmd.Process.Signal(sign))
		for lines.Scan() || first.Scan() {
			t.Errorf("after %v it prints %q %q", sign, lines.Text(), first.Text())
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("after %v it ended with %d, not %d", sign, got, code)
		}
	}
}

func TestTheSandboxRejectsWrongArgumentsWithoutQuotingThem(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"--secret-key", "sk_live_WRONG456789"}, {"sk_live_WRONG456789"}, {"--transactions", "-1"}, {"--transactions", "WRONG"},
		{"--settle", "0s"}, {"--settle", "WRONG"}, {"--key", "sk_live_ WRONG456789"}, {"--profile", "shop"}, {"--ascii"}, {"--config=WRONG"},
	} {
		if r := h.Run(append([]string{"sandbox"}, args...)...).Is(command.Usage).Lacks("WRONG"); r.Out != "" || r.Err == "" {
			t.Errorf("%q: %q, %q", args, r.Out, r.Err)
		}
	}
	for _, address := range []string{"0.0.0.0:0", "192.0.2.1:0", "example.org:0", "nonsense"} {
		h.Run("sandbox", "--listen", address).Is(command.Usage).Says("127.0.0.1:8099")
	}
	taken := strings.TrimPrefix(h.Origin, "http://")
	if r := h.Run("sandbox", "--listen", taken, "--json").Is(command.Failed).Says("Another program listens at " + taken); r.Refusal().Code != "address-in-use" {
		t.Error(r.Out)
	}
	h.Run("sandbox", "--scenario", h.Home).Is(command.Failed).Says("is a folder")
	h.Run("sandbox", "--listen", "127.0.0.1:0", "--webhook", "http://127.0.0.1:1", "--webhook", "ftp://WRONG").Is(command.Usage).Lacks("WRONG")
	h.Run("sandbox", "--assumptions").Is(command.Done).Prints("where the specification is silent")
}

func TestTheScenarioOfTheManualIsPlayed(t *testing.T) {
	h := clitest.New(t)
	manual := h.Run("help", "sandbox").Is(command.Done).Out
	_, sample, _ := strings.Cut(manual, "such as\n")
	sample, _, _ = strings.Cut(sample, "It may have")
	file := filepath.Join(t.TempDir(), "case.toml")
	must(t, os.WriteFile(file, []byte(sample), 0o600))
	h.Run("sandbox", "--assumptions", "--scenario", file).Is(command.Done)
	for text, want := range map[string]string{
		"colour = 1\n": "case.toml:1: expected clock, seed", "[[on]]\ncall = \n": "case.toml:2: ", "clock = 5\n": "case.toml: ",
		"[[on]]\ncall = \"all\"\nfault = \"F99\"\n": "case.toml: [[on]] number 1: fault must be one of",
	} {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		h.Run("sandbox", "--scenario", file).Is(command.Usage).Says(want)
	}
	h.Run("sandbox", "--scenario", file+"x").Is(command.Failed).Says("There is no such file")
}
