//go:build unix

package cli_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"paydesk/api/webhook"
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
			id := read[output.Attempt](h.Run("activity", "--json").Is(command.Done)).ID
			for _, v := range []string{"--give-up", "--found=REF1"} { // no question: the answer may come while a person thinks
				h.Terminal("resolve", id, v).Sees("There is nothing to decide").Sees("Nothing was recorded").Ends(command.Failed)
			}
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

// Evidence that contradicts itself is treated as live: nothing is sent without a terminal, nor before a person has typed that it
// is live.
func TestALinkIsNotCreatedWhereTheEnvironmentIsContradictory(t *testing.T) {
	h := clitest.New(t, clitest.Options{Key: clitest.LiveKey}) // the profile is one of test
	arm(h, "link", "refused", 0)
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

// ctrl+c at a hidden question ends the command: plain mode goes on, and the terminal shows what is typed again.
func TestPlainModeAtATerminalHidesACardAndSurvivesCtrlC(t *testing.T) {
	h := atOnce(t)
	at := h.Terminal("--plain")
	at.Sees("Which?").Type("collect\r")
	for i, answer := range collected("card", "4000") {
		at.Sees([]string{"The channel", "The currency", "The amount", "first name", "last name", "e-mail", "phone"}[i]).Type(answer + "\r")
	}
	at.Sees("An option?").Type("\r").Sees("Card number, not shown:").Type("4111111111111112\r").Sees("mistyped digit").Type(testCard + "\r").Sees("Expiry").Type("\x03").Sees("Stopped.")
	at.Sees("Which?").Type("zz\r").Sees("zz").Sees("none of them")
	arrived, goOn, _ := held(t, h)
	at.Type("collect\r" + strings.Join(collected("card", "4000"), "\r") + "\r\r").Sees("Card number").Hidden().Type(" q \r").Sees("Nothing was sent.")
	at.Sees("Change which answer?").Type("channel\rtransfer\r\r").Sees("[y/N]").Type("y\r")
	<-arrived
	at.Type("zz\r")
	goOn()
	at.Sees("What was typed meanwhile was not taken.").Sees("Which?").Type("q\r").Ends(command.Done)
	if strings.Contains(at.Shown(), testCard) {
		t.Error("the card number was shown")
	}
}

func TestTheBundleHasWhatSupportAsksForAndIsWrittenToANewFileOnly(t *testing.T) {
	h := clitest.New(t)
	file := filepath.Join(h.Home, "b.md")
	if r := h.Run("bundle", "--output", file).Is(command.Done).Says("Checking this host", "Written to "+file); r.Out != "" {
		t.Errorf("%q is printed", r.Out)
	}
	about, err := os.Stat(file)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about, err)
	}
	written, err := os.ReadFile(file)
	must(t, err)
	clitest.Result{T: t, Out: string(written)}.Lacks("Checking").Prints("# paydesk diagnostics, ", "paydesk test", "the output is not a terminal", "open: shop", "profile shop",
		"ok       key accepted", "attempts: 0", "| Transactions |")
	h.Run("bundle", "--output="+file).Is(command.Failed).Says("A file or folder with this name already exists. It was not changed.", "Name another file.").Lacks("Checking")
	if again, _ := os.ReadFile(file); string(again) != string(written) {
		t.Error("it was changed")
	}
	h.Run("bundle", "--output", filepath.Join(h.Home, "nowhere", "b.md")).Is(command.Failed).Says("This folder does not exist.")
}

// What was recorded is read where nothing can be written: each list, with a query and without.
func TestEachListIsReadInAFolderThatCannotBeWritten(t *testing.T) {
	h := listOf(t, 45)
	h.Run(with(chairs, "--yes")...).Is(command.Done)
	h.Run("transactions", "--all").Is(command.Done)
	h.Run("transactions", "--all").Is(command.Done)
	events := webhook.New(webhook.Options{Dir: h.StateDir()})
	_, err := events.Keep(t.Context(), "shop", nil, []byte(`{"Event":"payment.failed","Data":{"Reference":"R1","PaymentStatus":"FAILED"}}`))
	must(t, err)
	must(t, events.Close())
	run := asNobody(t, h)
	must(t, os.Chmod(h.StateDir(), 0o500))
	defer os.Chmod(h.StateDir(), 0o700)
	for line, want := range map[string]string{
		"activity --where chairs": "CREATED", "link list": "Chairs", "webhook list --where failed": "R1", "transactions --all": "SUCCESSFUL",
		"transactions --totals --where since:last": "", "journal status": "Writing\tread-only",
	} {
		if out, code := run(strings.Fields(line)...); code != command.Done || !strings.Contains(out, want) {
			t.Errorf("paydesk %s ended with %d: %s", line, code, out)
		}
	}
	empty := t.TempDir()
	must(t, os.Chmod(empty, 0o555))
	for _, line := range []string{"activity", "link list", "webhook list", "transactions"} {
		if out, code := run(append(strings.Fields(line), "--state-dir", empty)...); code != command.Done {
			t.Errorf("where nothing was ever sent paydesk %s ended with %d: %s", line, code, out)
		}
	}
}

// asNobody hands the home of a host to a user who may not write everywhere, as whom it runs commands.
func asNobody(t *testing.T, h *clitest.Host) func(args ...string) (string, command.Code) {
	t.Helper()
	program, err := os.ReadFile(os.Args[0])
	must(t, err)
	path := filepath.Join(t.TempDir(), "paydesk")
	must(t, os.WriteFile(path, program, 0o755))
	root := os.Getuid() == 0
	if root {
		for _, d := range []string{filepath.Dir(path), h.Home} {
			for ; d != os.TempDir() && len(d) > 1; d = filepath.Dir(d) {
				os.Chmod(d, 0o755)
			}
		}
		must(t, filepath.WalkDir(h.Home, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chown(path, 65534, 65534)
		}))
	}
	return func(args ...string) (string, command.Code) {
		from := h.Program(args...)
		cmd := exec.Command(path, args...)
		cmd.Env, cmd.Dir = from.Env, h.Home
		if root {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Skip("another user cannot run this test: ", err)
		}
		return out.String(), command.Code(cmd.ProcessState.ExitCode())
	}
}
