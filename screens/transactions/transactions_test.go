package transactions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/report"
)

func TestPagingGoesToTheLastPageAndBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		c.Sees("Page 1 of 61 · rows 1–20 of 1,204 · as of 00:00:00", "txn_0001").Golden("first")
		for n := 2; n <= 61; n++ {
			c.Press("]").Sees(fmt.Sprintf("Page %d of 61", n))
		}
		c.Sees("rows 1,201–1,204 of 1,204", "txn_1204").Golden("last")
		c.Press("]").Sees("The last page is 61.")
		for n := 60; n >= 1; n-- {
			c.Press("[").Sees(fmt.Sprintf("Page %d of 61", n))
		}
		c.Press("[").Sees("This is the first page.")
		if n := l.count(); n > 61+11 { // fifty pages are kept, the others requested again
			t.Errorf("requested %d times for 61 pages", n)
		}
	})
}

func TestTheNextPageIsPrefetched(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		if want := []int{1, 2}; !slices.Equal(l.pages(), want) {
			t.Errorf("requested %v, want %v", l.pages(), want)
		}
		l.respond(l.answer, time.Minute)
		c.Press("]").Sees("Page 2 of 61", "txn_0021").WaitsUntilGone("Reading")
		c.Press("]").Sees("Page 2 of 61", "Reading page 3… at most 20 s", "txn_0021")
		c.Wait(time.Minute).Sees("Page 3 of 61", "txn_0041")
		if want := []int{1, 2, 3, 4}; !slices.Equal(l.pages(), want) {
			t.Errorf("requested %v, want %v", l.pages(), want)
		}
	})
}

func TestPagesAreReachedByTheirKeys(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Press("}").Sees("Page 61 of 61")
		c.Press("{").Sees("Page 1 of 61")
		c.Press("right", "right", "left").Sees("Page 2 of 61")
		c.Press("#").Type("62").Press("enter").Sees("! The last page is 61").Golden("go-to")
		if !c.screen.Typing() {
			t.Error("the prompt went away with its error")
		}
		c.Press("backspace", "0", "backspace", "backspace").Type("40").Press("enter").Sees("Page 40 of 61")
		c.Press("#").Type("x").Press("enter").Sees("Enter a whole number")
		c.Press("esc").Sees("Page 40 of 61").WaitsUntilGone("Go to page")
	})
}

func TestAPageHasAsManyRowsAsFitAndKeepsTheMarkedOne(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		c.Press("]", "]", "down", "down", "down").Sees("Page 3 of 61") // row 44
		before := l.count()
		for h := 21; h <= 46; h++ { // the window is dragged
			c.Resize(118, h+2)
		}
		c.Wait(time.Second).Sees("Page 2 of 29 · rows 43–84 of 1,204")
		if line := c.Marked(); !strings.Contains(line, "txn_0044") {
			t.Errorf("selected: %s", line)
		}
		if n := l.count() - before; n != 2 { // the page, and the one after it ahead of time
			t.Errorf("requested %d times", n)
		}
		c.Resize(118, 200).Wait(time.Second).Sees("Page 1 of 13 · rows 1–100 of 1,204")
		c.Resize(58, 16).Wait(time.Second).Sees("Page 3 of 61 · rows 41–60 of 1,204")
		if line := c.Marked(); !strings.Contains(line, "txn_0044") && !strings.Contains(line, "MUST") && !c.Has("txn_0044") {
			t.Errorf("selected: %s", line)
		}
	})
}

func TestAListOnOnePageIsNotReadAgainInAnotherSize(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(7)
		c := browse80(t, l)
		c.Resize(118, 48).Wait(time.Second).Resize(78, 22).Wait(time.Second).Sees("rows 1–7 of 7")
		if l.count() != 1 {
			t.Errorf("requested %v", l.pages())
		}
	})
}

func TestRowsThatASearchCoversStayInAnotherSize(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := walked(t, l)
		c.Press("/").Type("pending").Press("enter")
		before := l.count()
		c.Resize(118, 48).Wait(time.Second).Sees("10 found in 60 loaded rows")
		if l.count() != before {
			t.Error("pages were requested")
		}
		c.Press("esc", "r").Sees("rows 1–42 of 1,204", "42 rows per page. The other loaded pages were dropped.")
	})
}

func TestTheSearchShowsHowManyRowsItSearched(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Press("]") // pages 1, 2 and, ahead, 3
		c.Press("/").Type("txn_000").Sees("9 found in 60 loaded rows, 1,204 in all").Golden("search")
		c.Press("enter").WaitsUntilGone("[txn_000").Sees("“txn_000”")
		c.Press("]").Sees("esc clears it")
		c.Press("down", "enter").Sees("txn_0002", "Raw object")
		c.Press("esc").Sees("9 found in 60 loaded rows")
		c.Press("esc").Sees("Page 2 of 61", "txn_0021").WaitsUntilGone("loaded")
		for text, n := range map[string]int{"SUCCessful": 20, "unrecog": 10, "kwd": 10, "1,000": 0, "inprogress": 10} {
			c.Press("/").Type(text)
			c.Sees(fmt.Sprintf("%d found in 60 loaded rows", n)).Press("esc")
		}
		c.Press("/").Type("nowhere").Sees("0 found in 60 loaded rows", "No loaded transaction")
	})
}

func TestARowIsOpenedWithItsWholeObject(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(30))
		c.Press("down", "enter").Sees("5049 minor units", "50.49 NGN", "PENDING", `"id": "txn_0002"`).Golden("detail")
		c.Press("y").Sees("sent to your terminal's clipboard")
		if got := c.Copied(); got != "txn_0002" {
			t.Errorf("copied %q", got)
		}
		c.Press("Y").Sees("Copy this row", "txn_0002, PENDING, 50.49 NGN").Press("down", "down", "enter").Sees("The object was sent")
		if got := c.Copied(); got != `{ "id": "txn_0002", "amount": 5049, "currency": "NGN", "status": "PENDING" }` {
			t.Errorf("copied %q", got)
		}
		c.Sees("This ID may not be a payment reference").Press("l")
		c.Went(nav.Push{To: nav.Payment{Reference: "txn_0002"}})
		c.Press("esc").Sees("Page 1 of 2")
	})
}

func TestAnUnsafeIDIsNeitherCopiedNorChecked(t *testing.T) {
	for _, id := range []string{"", "a b", "x\x1b]52;c;eA==\x07", "../up", strings.Repeat("a", 65) + "/", "\u202eevil"} {
		inBubble(t, func(t *testing.T) {
			l := &fakeLister{answer: func(page, per int) (api.Page, error) {
				return api.Page{Rows: []api.Transaction{rowOf(id, 100, "GBP", "PENDING")}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
			}}
			c := browse80(t, l)
			c.Press("enter", "y", "l", "a").Went()
			if got := c.Copied(); got != "" {
				t.Errorf("%q: copied %q", id, got)
			}
		})
	}
}

func TestAnIDIsReadInFullAt80Columns(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		const id = "6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f"
		for word, want := range map[string]string{"PENDING": "◌ PENDING ", "REQUIRE_USER_OFFLINE_ACTION": "▲ MUST PAY ", "REQUIRE_BANK_AUTH": "▲ BANK CHECK ", "hmm": "? UNRECOGNISED "} {
			l := &fakeLister{answer: func(int, int) (api.Page, error) {
				return api.Page{Rows: []api.Transaction{rowOf(id, 123456789, "GBP", word)}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: 20}}, nil
			}}
			browse80(t, l).Sees(id, want, "1,234,567.89")
		}
	})
}

func TestAmountsAreAlignedByTheirPoints(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(6))
		for id, want := range map[string]string{
			"txn_0001": "0.50", "txn_0002": "50.49", "txn_0003": "10,048", "txn_0004": "15.047", "txn_0006": "25045*",
		} {
			line := c.Line(id)
			at := strings.Index(line, want)
			if at < 0 {
				t.Errorf("%s: %q is not in %q", id, want, line)
				continue
			}
			whole, _, _ := strings.Cut(strings.TrimSuffix(want, "*"), ".")
			if point := len([]rune(line[:at])) + len(whole); point != 27 {
				t.Errorf("%s: the point is in column %d of %q", id, point, line)
			}
		}
		c.Sees("* raw minor units")
	})
}

func TestALargeAmountIsShownWholeOrNotAtAll(t *testing.T) {
	for _, minor := range []int64{1, 99_999_999, 999_999_999_999, 99_999_999_999_999, 1<<63 - 1, -1 << 63} {
		r := rowOf("x", minor, "GBP", "PENDING")
		got := strings.TrimSpace(report.AlignedAmount(r))
		if got != r.Amount.Grouped() && got != r.Amount.Major() && got != "see details" {
			t.Errorf("%d is shown as %q", minor, got)
		}
		if len(report.AlignedAmount(r)) > 14 {
			t.Errorf("%q is too wide", got)
		}
	}
}

func TestOnlyTheTwoAcceptedWordsAreShownAsSuccess(t *testing.T) {
	spellings := []string{"SUCCESSFUL", "Successfull", "success", "UNSUCCESSFUL", "completed", "SUCCESSFUL.", "paid", "", "00", "approved\nSUCCESSFUL"}
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := api.Page{HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: len(spellings), PerPage: per}}
			for i, s := range spellings {
				p.Rows = append(p.Rows, rowOf(fmt.Sprintf("row%d", i), 100, "GBP", s))
			}
			return p, nil
		}}
		c := browse80(t, l)
		for i := range spellings {
			if good := strings.Contains(c.Line(fmt.Sprintf("row%d", i)), "✓ SUCCESSFUL"); good != (i < 2) {
				t.Errorf("%q: shown as success: %v", spellings[i], good)
			}
		}
	})
}

func TestAnErrorIsShownAboveTheRows(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		l.respond(func(int, int) (api.Page, error) {
			return api.Page{}, &api.Failure{Kind: api.KindTimeout, Detail: api.Clean("deadline exceeded")}
		}, 0)
		c.Wait(time.Minute).Press("r").Sees("The request timed out.", "Press r to retry", "as of 00:00:00", "txn_0001").Golden("error")
		c.Press("]").Sees("Page 2 of 61") // prefetched before the connection failed
		c.Press("]").Sees("The request timed out.", "txn_0021")
		l.respond(listOf(1204).answer, 0)
		c.Press("r").Sees("Page 2 of 61", "as of 00:01").WaitsUntilGone("No answer")
	})
}

func TestTheFirstPageMayFailAndBeRequestedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(int, int) (api.Page, error) {
			return api.Page{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 401}
		}}
		c := browse80(t, l)
		c.Sees("Nothing loaded yet", "Check the secret key").WaitsUntilGone("Press r")
		c.Press("]", "[", "}", "#", "/", "enter", "y", "l", "Y")
		l.respond(listOf(30).answer, 0)
		c.Press("r").Sees("rows 1–", "txn_0001")
	})
}

func TestAMoveOfTheSelectionChangesTheMarkAlone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse(t, listOf(1204), 118, 36).settle()
		before := strings.ReplaceAll(c.Screen(), "▌", " ")
		for range 10 {
			sent := len(c.Bytes())
			c.Press("down")
			if n := len(c.Bytes()) - sent; n > 24 {
				t.Errorf("%d bytes for a move", n)
			}
		}
		if after := strings.ReplaceAll(c.Screen(), "▌", " "); after != before {
			t.Error("more than the mark has changed")
		}
		sent := len(c.Bytes())
		if n := len(c.Wait(time.Second).Bytes()) - sent; n > 600 {
			t.Errorf("%d bytes for a pane that follows", n)
		}
		c.Sees("│ ID          txn_0011")
		sent = len(c.Bytes())
		if c.Wait(10 * time.Minute); len(c.Bytes()) != sent {
			t.Error("the list writes while nothing happens")
		}
	})
}

func TestTheListInOtherSizes(t *testing.T) {
	for name, size := range map[string][2]int{"small": {58, 14}, "wide": {118, 36}, "huge": {158, 46}} {
		inBubble(t, func(t *testing.T) {
			c := browse(t, listOf(1204), size[0], size[1]).settle()
			c.Golden("list-" + name)
			c.Press("enter").Golden("detail-" + name)
		})
	}
}

func TestTheScreenKeepsWithinAnySize(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Fits()
		c.Press("/")
		c.Fits()
		c.Press("esc", "#")
		c.Fits()
		c.Press("esc", "enter")
		c.Fits()
		c = browse80(t, &fakeLister{answer: func(int, int) (api.Page, error) {
			return api.Page{}, &api.Failure{Kind: api.KindTimeout, Detail: api.Clean(strings.Repeat("long ", 80))}
		}})
		c.Fits()
	})
}
