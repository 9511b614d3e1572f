//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// A heldService answers no POST before it is told to. A request that nobody waits for any more counts as sent all
// the same.
type heldService struct {
	arrived, answer chan struct{}
	sent            atomic.Int64
}

// hold puts it between paydesk and the sandbox.
func hold(t *testing.T, h *clitest.Host) *heldService {
	t.Helper()
	held := &heldService{arrived: make(chan struct{}, 9), answer: make(chan struct{})}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			held.sent.Add(1)
			held.arrived <- struct{}{}
			<-held.answer
		}
		h.Sandbox.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	}))
	t.Cleanup(s.Close)
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", s.URL, s.URL))
	return held
}

// once checks that one request was sent.
func (s *heldService) once(t *testing.T) {
	t.Helper()
	if n := s.sent.Load(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}

// isUnresolved checks that the journal has one attempt, of which it is not known what became, and returns its ID.
func isUnresolved(h *clitest.Host) string {
	h.T.Helper()
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done))
	h.Run("activity", "show", a.ID).Is(command.Unresolved).Prints("UNRESOLVED").Says("paydesk resolve ")
	h.Run("link", "list").Is(command.Done).Prints("UNRESOLVED\t").Lacks("/pay/")
	if !a.Unresolved {
		h.T.Errorf("%+v", a)
	}
	return a.ID
}

// Whatever asks paydesk to end while a link is sent, the answer is waited for, and the link is printed.
func TestASignalWhileALinkIsSentWaitsForTheAnswer(t *testing.T) {
	for s, stop := range map[syscall.Signal]func(*clitest.Terminal){
		syscall.SIGINT:  func(at *clitest.Terminal) { at.Type("\x03") },
		syscall.SIGTERM: func(at *clitest.Terminal) { at.Signal(syscall.SIGTERM) },
		syscall.SIGHUP:  func(at *clitest.Terminal) { at.Signal(syscall.SIGHUP) },
	} {
		t.Run(s.String(), func(t *testing.T) {
			h := clitest.New(t)
			held := hold(t, h)
			at := h.Terminal(with(chairs, "--yes")...)
			<-held.arrived
			stop(at)
			at.Sees("Waiting for the answer to what was sent: it may have arrived already.")
			close(held.answer)
			at.Sees("CREATED").Ends(command.Code(128 + int(s)))
			held.once(t)
			h.Run("link", "list").Is(command.Done).Prints("\t120.00\tGBP\t").Lacks("UNRESOLVED")
		})
	}
}

// The second ctrl+c stops waiting: nobody knows then whether the link was created.
func TestASecondCtrlCLeavesALinkUnresolved(t *testing.T) {
	h := clitest.New(t)
	held := hold(t, h)
	defer close(held.answer)
	at := h.Terminal(with(chairs, "--yes")...)
	<-held.arrived
	at.Type("\x03").Sees("Press ctrl+c again to stop waiting").Type("\x03").Sees("Do not send it again").Sees("paydesk resolve ").Ends(command.Unresolved)
	held.once(t)
	if id := isUnresolved(h); !strings.Contains(at.Shown(), id) {
		t.Errorf("%s is not in\n%s", id, at.Shown())
	}
}

// A program that is killed has no time for a word. What it was sending is in the journal, and not taken for done or undone.
func TestAKillWhileALinkIsSentLeavesItUnresolved(t *testing.T) {
	h := clitest.New(t)
	held := hold(t, h)
	defer close(held.answer)
	cmd := h.Program(with(chairs, "--yes")...)
	must(t, cmd.Start())
	<-held.arrived
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // that it was killed
	isUnresolved(h)
	h.Run(with(chairs, "--yes")...).Is(command.Duplicate).Says("UNRESOLVED")
	held.once(t)
}

// Evidence that contradicts itself is treated as live: nobody sends without a terminal, and nothing before it is typed.
func TestALinkIsNotCreatedWhereTheEnvironmentIsContradictory(t *testing.T) {
	h := clitest.New(t, clitest.Options{Key: clitest.LiveKey}) // the profile is one of test
	arm(h, "link", "F54", 0)
	h.Run(with(chairs, "--yes")...).Is(command.Locked).Says("Nothing was sent")
	h.Terminal(chairs...).Sees("The environment is not clear, so paydesk treats it as live:").Sees("Type live if").Type("test\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal(with(chairs, "--yes")...).Sees("Type live if").Type("live\r").Sees("--yes is for test").Ends(command.Usage)
	if n := h.Sandbox.Armed()[0].Struck; n != 0 {
		t.Errorf("it was sent %d times", n)
	}
	h.Sandbox.ClearFaults()
	h.Terminal(chairs...).Sees("Type live if").Type("live\r").Sees("Type the profile's name, shop").Type("shop\r").Sees("Type 120.00").Type("120.00\r").Sees("CREATED").Ends(command.Done)
}

// What a key without a known prefix is for, a person says once.
func TestAKeyThatDoesNotSayWhatItIsForIsAskedAboutOnce(t *testing.T) {
	h := clitest.New(t, clitest.Options{Key: "CANARY-0123456789abcdef0123456789"})
	h.Run(with(chairs, "--yes")...).Is(command.Locked).Says("Nothing was sent")
	h.Terminal(with(chairs, "--yes")...).Sees("The key does not say what it is for:").Sees("Type test if").Type("yes\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Run("link", "list").Is(command.Done).Lacks("120.00")
	h.Terminal(with(chairs, "--yes")...).Sees("Type test if").Type("test\r").Sees("CREATED").Ends(command.Done)
	h.Run("link", "create", "--name", "Tables", "--description", "oak", "--currency", "GBP", "--amount", "9", "--yes").Is(command.Done)
}
