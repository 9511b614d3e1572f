package requests_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/screens/requests"
	"paydesk/screens/screentest"
)

// bundle takes half a minute to gather.
func bundle(ctx context.Context) string {
	select {
	case <-time.After(30 * time.Second):
	case <-ctx.Done():
	}
	return "# paydesk diagnostics\n\n## Versions\n\n    " + strings.Repeat("many words of it ", 30) + strings.Repeat("\n    line", 40)
}

func TestTheBundleIsShownWholeBeforeItIsWritten(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, requests.NewDiagnostics(screentest.Theme, requests.DiagnosticsOptions{Gather: bundle, Limit: 40 * time.Second}), 80, 24)
		c.Sees("Gathering… at most 40 s", "esc stops waiting.").Press("w").Sees("There is nothing to write yet").Fits()
		c.Wait(30*time.Second).Sees("All of this goes into the file", "── Versions ──").Fits().HelpBarFits().Golden("bundle")
		c.Press("end").Sees("line").Press("w").Sees("Folder", "paydesk-diagnostics-").Fits()
		c.Type(folder).Press("ctrl+s").Sees("Written to")
		c.Press("r").Sees("Gathering…").Press("esc")
	})
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	about, _ := os.Stat(files[0])
	text, _ := os.ReadFile(files[0])
	private := about.Mode().Perm() == 0o600 || runtime.GOOS == "windows" // which has no modes
	if !private || !strings.HasPrefix(string(text), "# paydesk diagnostics\n\n## Versions\n") {
		t.Errorf("mode %v: %s", about.Mode(), text)
	}
}
