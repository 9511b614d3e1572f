//go:build unix

package cli_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// held holds back the answer to a payment until it is told to go on.
func held(t *testing.T, h *clitest.Host) (arrived chan struct{}, goOn func(), sent *atomic.Int64) {
	arrived, over := make(chan struct{}), make(chan struct{})
	goOn = sync.OnceFunc(func() { close(over) })
	sent = between(h, func(body string) string {
		close(arrived)
		<-over
		return body
	})
	t.Cleanup(goOn)
	return arrived, goOn, sent
}

// Whatever asks paydesk to end while a payment is sent, the answer is waited for. The payment is then known, and the command ends.
func TestASignalWhileAPaymentIsSentWaitsForTheAnswer(t *testing.T) {
	for s, stop := range map[syscall.Signal]func(*clitest.Terminal){
		syscall.SIGINT: func(at *clitest.Terminal) { at.Type("\x03") },
		syscall.SIGHUP: func(at *clitest.Terminal) { at.Signal(syscall.SIGHUP) },
	} {
		t.Run(s.String(), func(t *testing.T) {
			h := atOnce(t)
			arrived, goOn, sent := held(t, h)
			at := h.Terminal(byTransfer("--yes")...)
			<-arrived
			stop(at)
			at.Sees("Waiting for the answer to what was sent: it may have arrived already.")
			goOn()
			at.Sees("Reference").Ends(command.Code(128 + int(s)))
			if all := h.Sandbox.Payments(); sent.Load() != 1 || len(all) != 1 || !strings.Contains(at.Shown(), all[0].Reference) {
				t.Errorf("%d sent, %+v in\n%s", sent.Load(), all, at.Shown())
			}
		})
	}
}

// The second ctrl+c stops waiting, and a program that is killed has no time for a word: it is not known then what became of the
// payment, and nothing like it is sent before that is resolved.
func TestAnEndWhileAPaymentIsSentLeavesItUnresolved(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *clitest.Host, chan struct{}) (said string){
		"ctrl+c twice": func(_ *testing.T, h *clitest.Host, arrived chan struct{}) string {
			at := h.Terminal(byTransfer("--yes")...)
			<-arrived
			at.Type("\x03").Sees("Press ctrl+c again to stop waiting").Type("\x03").Sees("Do not send it again").Sees("paydesk resolve ").Ends(command.Unresolved)
			return at.Shown()
		},
		"kill": func(t *testing.T, h *clitest.Host, arrived chan struct{}) string {
			cmd := h.Program(byTransfer("--yes")...)
			must(t, cmd.Start())
			<-arrived
			must(t, cmd.Process.Kill())
			_ = cmd.Wait() // that it was killed
			return ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := atOnce(t)
			arrived, _, sent := held(t, h)
			said := end(t, h, arrived)
			a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done))
			h.Run("activity", "show", a.ID).Is(command.Unresolved).Prints("UNRESOLVED").Says("paydesk resolve ")
			if !a.Unresolved || said != "" && !strings.Contains(said, a.ID) {
				t.Errorf("%+v is not in\n%s", a, said)
			}
			h.Run(byTransfer("--yes")...).Is(command.Duplicate).Says("UNRESOLVED")
			if n := sent.Load(); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
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
