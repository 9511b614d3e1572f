package screens_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"paydesk/screens"
	"paydesk/screens/consoletest"
)

// The stories trust the driver and the emulator of termtest. This one has Bubble Tea's own driver and real time, and reads
// what was written and the model that is left.
func TestTheRoadToTheTransactionsWithTheLibrarysOwnDriver(t *testing.T) {
	t.Parallel()
	app := consoletest.App(t)
	program := teatest.NewTestModel(t, app, teatest.WithInitialTermSize(80, 24), teatest.WithProgramOptions(
		tea.WithFilter(app.Filter), tea.WithColorProfile(colorprofile.ANSI), tea.WithEnvironment([]string{"TERM=xterm-256color"})))
	t.Cleanup(func() { program.Quit() }) // when the test failed on its way
	seen := func(text string) {
		t.Helper()
		teatest.WaitFor(t, program.Output(), func(b []byte) bool { return strings.Contains(ansi.Strip(string(b)), text) },
			teatest.WithDuration(time.Minute), teatest.WithCheckInterval(3*time.Millisecond))
	}
	seen("Menu")
	program.Type("2")
	seen("1,204")
	program.Send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	program.WaitFinished(t, teatest.WithFinalTimeout(time.Minute))
	left := program.FinalModel(t).(*screens.App).View().Content
	if text := "100 of 1,204 rows read at "; !strings.Contains(ansi.Strip(left), text) {
		t.Errorf("the console was left without %q:\n%s", text, left)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
