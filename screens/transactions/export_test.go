package transactions

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
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

func TestRowsAsTheyCameAreInAFile(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, folder := exporting(t, listOf(1204), 100, 30)
		// The folder may have so long a name that the file's is on two lines, which end at a hyphen.
		c.Press("w").Sees("Export transactions", "(•) 100 read so far", "20000101-")
		c.Press("ctrl+s").Sees("100 rows were written to", "20000101-").Press("j").WaitsUntilGone("were written")
		records, err := csv.NewReader(strings.NewReader(theFile(t, folder, "paydesk-transactions-partial-*.csv"))).ReadAll()
		if err != nil || len(records) != 101 {
			t.Fatal(len(records), err)
		}
		if got := strings.Join(records[21], " "); got != "21 txn_0021 FAILED FAILED JPY 100030 100030 " {
			t.Errorf("row 21 is %q", got)
		}
		if got := strings.Join(records[24], " "); got != "24 txn_0024 InProgress UNRECOGNISED XQX  115027 " {
			t.Errorf("row 24 is %q", got)
		}
	})
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

func TestWhatASearchFindsInSomeRowsIsPartial(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, folder := exporting(t, listOf(1204), 80, 24)
		c.Press("/").Type("gbp").Press("enter", "w").Sees("Search  gbp", "found", "-matches-partial-")
		c.Sees("The list was not read to its end: 1,104 of").Press("ctrl+s").Sees("were written to", "The list was not read to its end: 1,104 of").Fits()
		text := theFile(t, folder, "paydesk-transactions-matches-partial-*.csv")
		if !strings.Contains(text, "\r\n5,txn_0005,INITIATED,INITIATED,GBP,200.46,20046,\r\n") || strings.Contains(text, "NGN") {
			t.Errorf("the file is\n%s", text)
		}
	})
}

func TestAllThatAScanReadIsExportedInTheFormatChosen(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, folder := exporting(t, listOf(1204), 80, 24)
		c.Press("space").Wait(time.Minute).Sees("1,204 rows read").Press("w").Sees("all 1,204 read", "20000101-")
		c.To("Folder").Press("ctrl+u").Type("/home/ada/Downloads")
		if runtime.GOOS != "windows" { // where that is not a whole path
			c.Golden("export")
		}
		c.Press("ctrl+u").Type(folder).Choose("Format", "JSON Lines").Press("ctrl+s").Sees("1,204 rows were written").Fits()
		lines := strings.Split(strings.TrimSpace(theFile(t, folder, "paydesk-transactions-2000*.jsonl")), "\n")
		if len(lines) != 1204 || lines[1203] != `{"id":"txn_1204","status":"Successfull","currency":"KWD","amount":6013847}` {
			t.Errorf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
		}
		c.Press("/").Type("kwd pending").Press("enter").Wait(time.Second).Sees("No transaction matches")
		c.Press("esc").Press("/").Type("amount:>5900 gbp").Press("enter").Wait(time.Second).Press("w").Sees(" found").Choose("Format", "JSON").Press("ctrl+s").Wait(time.Second).Sees("were written")
		var rows []map[string]any
		if err := json.Unmarshal([]byte(theFile(t, folder, "paydesk-transactions-matches-2000*.json")), &rows); err != nil || len(rows) == 0 {
			t.Fatal(err, len(rows))
		}
		for _, r := range rows {
			if r["currency"] != "GBP" || r["amount"].(float64) <= 590000 || len(r) != 4 {
				t.Errorf("a row is %v", r)
			}
		}
	})
}

// Rows that were only sorted are not called matches.
func TestSortedRowsAreNotNamedMatches(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, _ := exporting(t, listOf(142), 80, 24)
		c.Press("space").Wait(time.Minute).Press("tab", "right").Wait(time.Second).Press("esc", "w").Sees("142 as sorted", "20000101-").WaitsUntilGone("matches")
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

func TestARowIsCopiedAsTextOrAsJSON(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, _ := exporting(t, listOf(1204), 80, 24)
		c.Press("j", "Y").Sees("Copy this row").Golden("copy").Press("enter").Sees("The text was sent")
		if got := c.Copied(); got != "txn_0002, PENDING, 50.49 NGN" {
			t.Errorf("copied %q", got)
		}
		c.Press("Y", "down", "enter").Sees("The JSON was sent")
		if got := c.Copied(); got != `{"id":"txn_0002","status":"PENDING","currency":"NGN","amount":5049}` {
			t.Errorf("copied %q", got)
		}
		c.Press("Y", "esc").Sees("txn_0002", "Rows 1–")
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

// What is copied is one line of printable characters, whatever the service sent.
func TestNothingCopiedHoldsAControlSequence(t *testing.T) {
	for _, hostile := range []string{"x\x1b]52;c;eA==\x07", "a\nrm -rf", "\u202eevil", "é", "$(x)"} {
		inBubble(t, func(t *testing.T) {
			l := &fakeLister{answer: func(page, per int) (api.Page, error) {
				r := rowOf(hostile, 100, hostile, hostile)
				return api.Page{Rows: []api.Transaction{r}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
			}}
			c, _ := exporting(t, l, 80, 24)
			for _, keys := range [][]string{{"Y", "enter"}, {"Y", "down", "enter"}, {"Y", "down", "down", "enter"}} {
				c.Press(keys...)
				for _, r := range c.Copied() {
					if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x2028 && r <= 0x202e {
						t.Errorf("%q: copied %q", hostile, c.Copied())
					}
				}
			}
		})
	}
}
