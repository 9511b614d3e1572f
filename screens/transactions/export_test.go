package transactions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/screentest"
)

// exporting is the screen with a scanner and a folder for files.
func exporting(t *testing.T, l *fakeLister, w, h int) (c *console, folder string) {
	t.Helper()
	folder = t.TempDir()
	m := New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l), ExportFolder: func() string { return folder }})
	c = &console{screentest.Open(t, m, w, h), m}
	return c.settle(), folder
}

// theFile is the only file of a folder, without its time: "transactions-partial.csv", and its text.
func theFile(t *testing.T, folder, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(names) != 1 {
		all, _ := os.ReadDir(folder)
		t.Fatalf("%s: %v of %v", pattern, names, all)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A payment about which an answer differed is no success in a file either, though the list says so.
func TestAFileDoesNotCallAMismatchASuccess(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(300)
		l.differing = []api.Reference{"txn_0002", "txn_0004"}
		c, folder := exporting(t, l, 100, 30)
		c.Press("w", "ctrl+s").Sees("rows were written to")
		text := theFile(t, folder, "paydesk-transactions-partial-*.csv")
		for _, row := range []string{"\r\n2,txn_0002,", "\r\n4,txn_0004,"} {
			_, rest, is := strings.Cut(text, row)
			if line, _, _ := strings.Cut(rest, "\r\n"); !is || !strings.Contains(line, ",MISMATCH,") {
				t.Errorf("%q is %q", row, line)
			}
		}
		if strings.Count(text, "MISMATCH") != 2 {
			t.Errorf("the file is\n%s", text)
		}
	})
}

// A list that changed, or was not read to its end, says so in the name of the file and below the list.
func TestAFileOfAListThatIsNotWholeSaysSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c, folder := exporting(t, l, 80, 24)
		l.respond(l.answer, time.Second)
		c.Press("space").Wait(2500 * time.Millisecond).Press("space").Wait(time.Minute).Sees("Paused at row ")
		c.Press("w").Sees("read so far", "-partial-2000", "The list was not read to its end: ", "of 1,204 rows are missing.").WaitsUntilGone("all ")
		c.Press("ctrl+s").Wait(time.Second).Sees("were written to", "The list was not read to its end")
		theFile(t, folder, "paydesk-transactions-partial-2000*.csv")
	})
	inBubble(t, func(t *testing.T) {
		c, folder := exporting(t, growing(1204), 80, 24)
		c.Press("space").Wait(time.Minute).Sees("changed while it was read").Press("w").Sees("-partial-2000", "The list changed while it was read: rows may be")
		c.Press("ctrl+s").Wait(time.Second).Sees("were written to", "▲ The list changed while it was read")
		theFile(t, folder, "paydesk-transactions-partial-2000*.csv")
	})
}

// A card number that the service sends as an ID goes to no clipboard.
func TestNothingCopiedHoldsACardNumber(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			r := rowOf("4111111111111111", 100, "GBP", "FAILED")
			r.Object = api.Clean(`{"id":"4111111111111111"}`)
			return api.Page{Rows: []api.Transaction{r}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
		}}
		c, _ := exporting(t, l, 80, 24)
		for _, keys := range [][]string{{"y"}, {"Y", "enter"}, {"Y", "down", "enter"}, {"Y", "down", "down", "enter"}} {
			if c.Press(keys...); strings.Contains(c.Copied(), "4111") {
				t.Errorf("%v copied %q", keys, c.Copied())
			}
		}
		c.Press("y").Sees("looks like a card number")
	})
}
