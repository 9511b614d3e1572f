package activity

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// sizes runs a test in three window sizes.
func sizes(t *testing.T, golden string, do func(golden string, w, h int)) {
	t.Helper()
	do(golden, 80, 24)
	do(golden+"-small", 60, 18)
	do(golden+"-wide", 120, 40)
}

func TestEveryAttemptIsListedNewestFirst(t *testing.T) {
	sizes(t, "list", func(name string, w, h int) {
		open(t, w, h, rows(1204), func(d *screen) {
			d.Sees("1,204 attempts of this service", " · as of 12:00:00", "No filter", "0.50 GBP", "UNRESOLVED", "✓ SUCCESSFUL").Golden(name)
			d.HelpBarFits().Fits().Idle(time.Hour)
		})
	})
}

func TestAnAttemptIsOpenedWithItsTimeline(t *testing.T) {
	sizes(t, "detail", func(name string, w, h int) {
		open(t, w, h, rows(30), func(d *screen) {
			d.Press("enter").Sees("ref-000000", "0.50 GBP", "ada on desk1").Golden(name)
			d.HelpBarFits().Fits().Press("end").Sees("sent", "ada on desk1 from 192.0.2.7")
			d.Press("home").Sees("Status").Press("esc").Sees("30 attempts of this service")
		})
	})
}

func TestAnUnresolvedAttemptHasItsOwnWordAndScreen(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.Press("down", "down", "down", "enter").Sees("? UNRESOLVED", "It is not known whether this payment was made. Check before", "no answer came in time", "resolve it")
		d.SeesNot("failed").SeesNot("FAILED").Golden("detail-unknown")
		d.Press("c")
		if got := d.Copied(); got != "k3f9000003" {
			t.Errorf("copied %q", got)
		}
		d.Press("enter").Went(nav.Push{To: nav.Attempt{ID: "k3f9000003"}})
	})
}

func TestAPaymentContinuesAtItsStep(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.Press("enter", "c").Sees("reference was sent to your terminal's clipboard")
		if got := d.Copied(); got != "ref-000000" {
			t.Errorf("copied %q", got)
		}
		d.Press("enter").Went(nav.Push{To: nav.Payment{Reference: "ref-000000"}})
		d.Press("esc", "down", "down", "down", "down", "down", "down", "down", "enter").Sees("✗ REFUSED", "Nothing was done", "the card has expired")
		d.Press("enter").Sees("nothing to continue with").Went()
	})
}

func TestALinkThatWasMadeCanBeShared(t *testing.T) {
	b := rows(30)
	b.rows[0] = journal.Attempt{ID: "aaaabbbbcc", Kind: journal.CreateLink, At: b.rows[0].At, Destination: here, Outcome: journal.Accepted, Link: "oak", CreatedLink: &api.Link{Alias: "oak", Name: api.Clean("Oak")}}
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("CREATED", "link oak").Press("enter").Sees("enter share").Press("enter").Went(nav.Push{To: nav.Share{Link: *b.rows[0].CreatedLink}})
	})
}

// The status of another profile's payment is not requested from the service of this one.
func TestAnAttemptOfAnotherProfileIsNotOpenedHere(t *testing.T) {
	b := rows(30)
	for i := range b.rows[:4] {
		b.rows[i].Destination = journal.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}
	}
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("26 attempts of this service").SeesNot("ref-000000")
		d.Press("p").Sees("30 attempts of all services", "Profile", "other: live").Golden("everywhere")
		d.Fits().Press("enter", "enter").Sees("Sent from profile live, to another service (LIVE · live.example).").Went()
		d.Press("esc", "down", "down", "down", "enter", "enter").Went()
		d.Press("esc", "p").Sees("26 attempts of this service")
	})
}

func TestTheFilterCyclesThroughTheValuesThatOccur(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.Press("c").Sees("Filter  GBP", "268 attempts").SeesNot("NGN")
		d.Press("d").Sees("GBP · today").Press("o").Sees("GBP · today · by ada").Press("s").Sees("status FAILED · GBP · today · by ada")
		d.Press("s", "s").Sees("status SUCCESSFUL · GBP · today · by ada", "ref-").Golden("filtered")
		d.Fits().Press("d").Sees("yesterday").Press("d").Sees("7 days").Press("d").SeesNot("7 days")
		d.Press("c", "c", "c").Sees("NGN").Press("c").SeesNot("NGN")
		d.Press("esc").Sees("No filter", "1,204 attempts").Went()
		d.Press("esc").Went(nav.Back{})
	})
}

// A status says how a payment ended, an outcome what became of a request: they are two lists.
func TestStatusAndOutcomeAreFilteredApart(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		for _, word := range []string{"FAILED", "PENDING", "SUCCESSFUL", "UNRECOGNISED"} {
			d.Press("s").Sees("Filter  status " + word)
		}
		d.Press("s").Sees("No filter").SeesNot("UNRESOLVED ·")
		for _, word := range []string{"ACCEPTED", "REFUSED", "UNRESOLVED"} {
			d.Press("u").Sees("Filter  outcome " + word)
		}
		d.SeesNot("SUCCESSFUL").Press("s").Sees("status FAILED · outcome UNRESOLVED", "No attempts match")
		d.Press("u").Sees("Filter  status FAILED")
	})
}

// The bar of a wide window has every key of the list, and that of a small one what the list shows.
func TestTheBarIsWhole(t *testing.T) {
	open(t, 120, 40, rows(30), func(d *screen) {
		d.Sees("enter open   / text   s/u/d/c/o filter   p all services   e export   r check   x purge", "? help")
		d.Press("p").Sees("p this service only", "x purge")
	})
	open(t, 80, 24, rows(30), func(d *screen) { d.Sees("s/u/d/c/o filter   p all services") })
}

func TestDaysAreCalendarDays(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) { // every ten minutes back from 11:59
		d.Press("d").Sees("today", "72 attempts")
		d.Press("d").Sees("yesterday", "144 attempts")
		d.Press("d").Sees("7 days", "936 attempts") // 72 and six days of 144
	})
}

func TestTheTextFilterIsTypedAndKept(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.Press("/").Type("REF-0011").Sees("Text", "67 attempts").Golden("typing")
		d.Fits().Press("down", "enter").Sees("“REF-0011”").SeesNot("enter keep")
		d.Press("enter").Sees("ref-0011").Press("esc").Sees("“REF-0011”", "67 attempts")
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("No filter", "1,204 attempts").Went()
	})
}

func TestTheSelectedAttemptStaysSelectedWhenTheFilterIsCleared(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.Press("c", "end", "enter").Sees("GBP")
		reference := d.model.detail.attempt.Reference
		d.Press("esc", "esc").Sees("No filter", "3,000 attempts", string(reference)).Press("enter").Sees("Attempt", string(reference))
		d.Press("esc", "up")
	})
	open(t, 80, 24, rows(30), func(d *screen) { // where nothing is selected
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("30 attempts").Press("enter").Sees("ref-000000")
	})
}

func TestAHundredThousandAttemptsAreReadInWindows(t *testing.T) {
	b := rows(100_000)
	b.large = true
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("100,000 attempts")
		d.Press("end").Sees("ref-099999")
		for range 100 {
			d.selectedRowIsLoaded(t)
			d.Press("pgup")
		}
		d.Press("home").Sees("0.50 GBP")
		if d.largest > minRows {
			t.Errorf("%d rows in one answer", d.largest)
		}
		if d.requests > 40 { // for 1,500 rows
			t.Errorf("requested %d times", d.requests)
		}
	})
}

// selectedRowIsLoaded fails the test when the selected row has not been read.
func (d *screen) selectedRowIsLoaded(t *testing.T) {
	t.Helper()
	if line := d.Line("› "); strings.Contains(line, "› …") {
		t.Fatalf("the selected row is not read: %q", line)
	}
}

func TestAMoveIsFollowedWhileTheRowsAreOnTheirWay(t *testing.T) {
	open(t, 80, 24, rows(5000), func(d *screen) {
		d.respond(nil, time.Second)
		before := d.requests
		d.Press("end").Flood("up", 30)
		if n := d.requests - before; n > 2 {
			t.Errorf("requested %d times for one position", n)
		}
		d.Wait(2 * time.Second)
		d.selectedRowIsLoaded(t)
		d.Sees("5,000 attempts")
	})
}

func TestReloadingKeepsTheAttemptSelected(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.Press("down", "down")
		line := d.Line("› ")
		d.mu.Lock()
		d.rows = append([]journal.Attempt{row(99, time.Now()), row(98, time.Now())}, d.rows...)
		d.mu.Unlock()
		if d.Press("r").Sees("32 attempts"); d.Line("› ") != line {
			t.Errorf("%q is selected, not %q", d.Line("› "), line)
		}
	})
}

func TestTheListIsReloadedOnReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := rows(30)
		m, _ := openSync(t, b)
		run(m, m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}))
		b.rows[0].Status = api.ParseStatus("FAILED")
		m.Resume()
		run(m, m.Update(ui.Interrupted{}))
		if view, _ := m.View(); !strings.Contains(view, "FAILED") {
			t.Errorf("the open attempt is out of date:\n%s", view)
		}
		m.Back()
		if view, _ := m.View(); !strings.Contains(strings.Split(view, "\n")[4], "FAILED") {
			t.Errorf("the list is out of date:\n%s", view)
		}
		before := b.requests
		if run(m, m.Update(ui.Interrupted{})); b.requests != before {
			t.Error("it is reloaded with every key of the frame")
		}
	})
}

func TestAnErrorIsShownAndTheRowsStay(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.respond(&journal.Unavailable{Why: "The disk with the journal is full."}, 0)
		d.Press("r").Sees("The disk with the journal is full. Press r to retry.", "ref-000000").Golden("error")
		d.Fits().Press("enter").Sees("The disk with the journal is full. Press r to retry.")
		d.respond(nil, 0)
		d.Press("r").Sees("History  2000-01-01").Press("esc", "r").SeesNot("disk")
	})
}

func TestAnAttemptPurgedMeanwhileIsReportedAsGone(t *testing.T) {
	open(t, 80, 24, rows(3), func(d *screen) {
		d.mu.Lock()
		d.rows = nil
		d.mu.Unlock()
		d.Press("enter").Sees("It is no longer in the journal.").Press("esc", "r").Sees("Nothing has been sent yet")
	})
}

func TestAnEmptyJournalAndOneThatIsOff(t *testing.T) {
	open(t, 80, 24, &fakeJournal{}, func(d *screen) {
		d.Sees("0 attempts of this service", "Nothing has been sent yet").Golden("empty").Fits()
		d.Press("s").Sees("There is no status to choose from").Press("e").Sees("nothing to export").Press("enter").Sees("No attempt is selected")
	})
	open(t, 80, 24, nil, func(d *screen) {
		d.Sees("The journal is off for this profile").Golden("off").Fits()
		d.Press("enter", "s", "e", "x", "/", "r", "esc").Went(nav.Back{})
	})
}

func TestTheExportFormIsShownBeforeAnythingIsWritten(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.Press("c", "e").Sees("Export 268 attempts", "Filter  GBP", "CSV", d.folder[:20]).Fits().HelpBarFits()
		d.Press("tab", "ctrl+u").Type("/home/ada/Downloads").Golden("export") // its own differs every time
		if left, _ := os.ReadDir(d.folder); len(left) > 0 {
			t.Errorf("written before the form was submitted: %v", left)
		}
	})
}

func TestEverythingTheFilterShowsIsExported(t *testing.T) {
	open(t, 160, 40, rows(1204), func(d *screen) {
		d.Press("c", "e")
		d.Press("ctrl+s").Sees("268 rows were written to", "/paydesk-activity-20000101-1200", ".csv")
		records := read(t, d.folder, "*.csv", func(raw []byte) ([][]string, error) { return csv.NewReader(strings.NewReader(string(raw))).ReadAll() })
		if len(records) != 269 || records[1][0] != "k3f9000000" || records[268][0] != "k3f9001200" {
			t.Errorf("%d records", len(records))
		}
		d.Press("e").Choose("Format", "JSON").Press("ctrl+s").Sees("268 rows were written to", ".json")
		list := read(t, d.folder, "*.json", func(raw []byte) (l []map[string]any, err error) { return l, json.Unmarshal(raw, &l) })
		if len(list) != 268 || list[0]["amount_major"] != "0.50" || list[0]["amount_minor"] != 50.0 {
			t.Errorf("%d objects: %v", len(list), list[0])
		}
	})
}

func read[T any](t *testing.T, folder, pattern string, parse func([]byte) (T, error)) (v T) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(names) != 1 {
		t.Fatalf("files: %v", names)
	}
	raw, err := os.ReadFile(names[0])
	if err == nil {
		v, err = parse(raw)
	}
	if info, _ := os.Stat(names[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(err, info.Mode())
	}
	return v
}

func TestAFolderThatCannotBeWrittenToIsReportedAndTheFormStays(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.Press("e").To("Folder").Press("ctrl+u").Type("/no/such/folder").Press("ctrl+s").Sees("This folder does not exist. Nothing was written", "/no/such/folder").Fits()
		d.Press("ctrl+u").Type("here").Press("ctrl+s").Sees("Enter the whole path of a folder").SeesNot("Writes here").Fits()
		d.Press("esc").Sees("30 attempts of this service")
	})
}

func TestWritingCanBeCancelled(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.respond(nil, time.Second)
		d.Press("e", "ctrl+s").Sees("Writing…").Fits().Press("esc").Wait(time.Minute).Sees("3,000 attempts")
		if left, _ := os.ReadDir(d.folder); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

func TestACaseFileIsWrittenForATicket(t *testing.T) {
	open(t, 160, 40, rows(30), func(d *screen) {
		d.Press("enter", "w").Sees("Case file of attempt k3f9000000", "Writes "+d.folder+"/paydesk-case-k3f9000000-20000101-1200", "Only you can read it")
		d.Fits().HelpBarFits()
		if left, _ := os.ReadDir(d.folder); len(left) > 0 {
			t.Errorf("written before it was asked: %v", left)
		}
		d.Press("esc").Sees("History").Press("w", "enter").Sees("The case file was written to", "/paydesk-case-k3f9000000-20000101-1200", ".md")
		text := read(t, d.folder, "*.md", func(raw []byte) (string, error) { return string(raw), nil })
		for _, want := range []string{"`ref-000000`", "`0.50 GBP`", "`ada on desk1`", "## History", "`SUCCESSFUL`, 2 times, from `list`"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s is not in\n%s", want, text)
			}
		}
		d.Fits().Press("down").SeesNot("The case file was written")
	})
}

func TestAPurgeIsPreviewedConfirmedAndReported(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) { // 20 days
		d.Press("x").Sees("Nothing is older than 90 days.").Press("enter").Sees("There is nothing to delete.")
		d.Press("ctrl+u").Type("7").Sees("1,771 attempts are older than 7 days, in all profiles.", "221 unresolved or mismatched ones are kept").Golden("purge")
		d.Fits().Press("ctrl+u").Sees("Delete old attempts").SeesNot("older than 7").Type("0").Press("enter").Sees("Enter a whole number of days").Fits()
		d.Press("ctrl+u").Type("7").Press("enter").Sees("Delete 1,771 attempts permanently?").Wait(time.Second).Golden("purge-confirm")
		d.Fits().Slowly("1771").Press("tab").Wait(time.Second).Press("enter").Wait(time.Second)
		d.Sees("1,771 attempts were deleted. 221 unresolved or mismatched ones are kept", "1,229 attempts of this service").Golden("purge-done")
		if len(d.rows) != 1229 {
			t.Errorf("%d rows are left", len(d.rows))
		}
	})
}

func TestAPurgeIsNotDoneWithoutTheCount(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.Press("x", "ctrl+u").Type("7").Press("enter").Wait(time.Second)
		d.Paste("1771").Wait(time.Second).Press("tab").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Delete 1,771 attempts permanently?")
		d.Slowly("1770").Press("enter").Wait(time.Second).Sees("Type 1771 exactly as shown")
		d.Press("esc").Sees("Keep days").Press("esc").Sees("3,000 attempts")
		if len(d.rows) != 3000 {
			t.Errorf("%d rows are left", len(d.rows))
		}
	})
}

func TestAPurgeThatFailsSaysSo(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.Press("x", "ctrl+u").Type("7").Press("enter").Wait(time.Second).Slowly("1771").Press("tab").Wait(time.Second)
		d.respond(errors.New("the journal is locked"), time.Second)
		d.Press("enter").Wait(100 * time.Millisecond).Press("esc").Sees("Deleting attempts")
		if !d.Busy() {
			t.Error("the console may end while it deletes")
		}
		d.Wait(2*time.Second).Sees("Nothing was deleted.", "the journal is locked").Fits()
	})
}

func TestTextOfOthersStaysInItsCell(t *testing.T) {
	b := rows(5)
	for i, s := range []string{"x\r\n✓ SUCCESSFUL", "\x1b[2K\x1b[1A", "\u202eevil", "a\tb", "\x1b]0;x\x07"} {
		b.rows[i].By = journal.Operator{User: s, Host: s, SSH: s}
		b.rows[i].Reference, b.rows[i].Why, b.rows[i].Channel = api.Reference(s), s, s
		b.rows[i].Card, b.rows[i].Status = "", api.ParseStatus("FAILED")
	}
	b.events = []journal.Event{{What: "\x1b[31m", Detail: "x\n✓ SUCCESSFUL", Source: "\u202e", By: journal.Operator{User: "\x07"}}}
	open(t, 120, 40, b, func(d *screen) {
		if n := strings.Count(d.Screen(), "✗ FAILED "); n != 4 {
			t.Errorf("%d rows begin with their status", n)
		}
		d.Press("enter").Sees(`x\r\n✓ SUCCESSFUL`, "^[[31m", `x\n✓ SUCCESSFUL`).Press("c")
		if d.Green() > 0 || d.Copied() != "" {
			t.Errorf("%d green cells, copied %q", d.Green(), d.Copied())
		}
		d.Fits()
	})
}
