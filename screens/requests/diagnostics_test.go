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
	for size, name := range map[[2]int]string{{80, 24}: "bundle", {60, 18}: "bundle-small", {120, 40}: "bundle-wide", {160, 50}: "bundle-large"} {
		synctest.Test(t, func(t *testing.T) {
			c := screentest.Open(t, requests.NewDiagnostics(screentest.Theme, requests.DiagnosticsOptions{Gather: bundle, Limit: 40 * time.Second}), size[0], size[1])
			c.Sees("Gathering… at most 40 s", "esc stops waiting.").Press("w").Sees("There is nothing to write yet").Fits()
			c.Wait(30*time.Second).Sees("All of this goes into the file", "── Versions ──").Fits().HelpBarFits().Golden(name)
			c.Press("end").Sees("line").Press("w").Sees("Folder", "paydesk-diagnostics-").Fits()
			c.Type(folder).Press("ctrl+s").Sees("Written to")
			c.Press("r").Sees("Gathering…").Press("esc")
		})
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, f := range files {
		about, _ := os.Stat(f)
		text, _ := os.ReadFile(f)
		private := about.Mode().Perm() == 0o600 || runtime.GOOS == "windows" // which has no modes
		if !private || !strings.HasPrefix(string(text), "# paydesk diagnostics\n\n## Versions\n") {
			t.Errorf("%s, mode %v: %s", f, about.Mode(), text)
		}
	}
	if len(files) != 4 {
		t.Error(files)
	}
}
