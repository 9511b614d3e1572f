package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/consoletest"
	"paydesk/screens/requests"
)

// inRequests types each of the personal values and the card into a payment, and opens the log over it.
func inRequests(c *consoletest.Console, card string) {
	c.T.Helper()
	pay(c, "12.50", "GBP", card)
	c.Yes("Charge 12.50 GBP").Wait(30 * time.Second).Press("f2").Sees("Requests")
}

// personal is what the log must not have, besides what [consoletest.Secrets] lists.
var personal = append(consoletest.Secrets(consoletest.Key), "ada@example.org", "7946", "Obi", "4242424242424242")

func TestSupportGetsTheRequestsOfAPayment(t *testing.T) {
	folder := t.TempDir()
	consoletest.Run(t, func(c *consoletest.Console) {
		inRequests(c, "approve")
		c.Sees("times are UTC+00:00", "following", "POST pay/initiate", "GET  transactions", "HTTP 200").Golden("requests/list")
		c.Press("end", "up", "up").Press("enter")
		c.Sees("POST /api/payment/pay/initiate", "Reference", "Attempt", "127.0.0.1:8099").Golden("requests/request")
		c.Press("y").Sees("The reference was sent").Press("Y").Sees("The ticket was sent to your terminal's clipboard")
		c.Press("esc", "w").Sees("paydesk-requests-")
		c.Fill("Folder", "here").Press("ctrl+s").Sees("Enter the whole path of a folder").WaitsUntilGone("here/", "Written to")
		c.Press("ctrl+u").Fill("Folder", folder).Press("ctrl+s").Sees("Written to")
		c.Press("esc").WaitsUntilGone("Requests").Sees("SUCCESSFUL") // the payment below stayed as it was

		ticket := c.Copied()
		for _, s := range []string{"Initiate", "+00:00", "HTTP 200", "accepted", "reference ", "attempt ", " s |"} {
			if !strings.Contains(ticket, s) {
				t.Errorf("the ticket %q lacks %q", ticket, s)
			}
		}
		text := onlyFile(t, folder, "paydesk-requests-*")
		if !strings.Contains(text, ticket[strings.Index(ticket, "| ")+2:]) {
			t.Error(text)
		}
		for _, s := range personal {
			if strings.Contains(text+ticket, s) {
				t.Errorf("%q was written", s)
			}
		}
	})
}

func TestAFailedReadIsReadWholeAndFollowed(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Press("f2").WaitsUntilGone("failed")
		c.Wire.Disconnect(true)
		c.Wait(2*time.Minute).Sees("failed", "no response").Press("enter")
		c.Sees("✗ failed", "The service could not be reached").Golden("requests/failed")
		c.Press("esc").Wait(time.Minute).Sees("paused").WaitsUntilGone("following")
		c.Wire.Disconnect(false)
		row := func() string { return strings.TrimRight(c.Marked(), " │█") } // without the scroll bar, which comes with the polls
		before := row()
		if c.Wait(5 * time.Minute); row() != before {
			t.Errorf("the selection moved from %q to %q", before, row())
		}
		c.Press("space").Sees("following")
		if row() == before {
			t.Error("the newest is not selected")
		}
	})
}

func TestTheLogOutlivesAnotherKeyAndShowsTheRefusal(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Wait(time.Second).Press("esc")
		c.Wire.AcceptKey(rotated)
		c.Press("2").Sees("The service rejected the key").Press("f2").Sees("✗ HTTP 401", "HTTP 200").Press("esc")
		another(c)
		c.Press("f2").Sees("✗ HTTP 401").Press("f2").Press("esc").WaitsUntilGone("HTTP 401")
	})
}

// A scan of a large list makes more requests than are kept.
func TestAScanLeavesWhatAPersonDidInTheLog(t *testing.T) {
	var l requests.Log
	add := l.Observer("shop")
	add(api.Exchange{Operation: api.OpInitiate, Reference: "mine"})
	for i := range 5_000 {
		add(api.Exchange{Operation: api.OpTransactions, Bulk: true, Sent: int64(i)})
		if i%1000 == 0 {
			add(api.Exchange{Operation: api.OpTransaction, Reference: "watched"})
		}
	}
	got := l.Entries()
	if len(got) != 26 || got[25].Reference != "mine" || got[0].Sent != 4_999 || got[0].N != 5_006 {
		t.Errorf("%d entries, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	for range requests.Capacity {
		add(api.Exchange{})
	}
	for range 30 {
		add(api.Exchange{Bulk: true})
	}
	if got = l.Entries(); len(got) != requests.Capacity || !got[19].Bulk || got[20].Bulk {
		t.Errorf("%d entries", len(got))
	}
}

func TestTheBundleIsShownWholeBeforeItIsWritten(t *testing.T) {
	folder := t.TempDir()
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press(":").Type("diagn").Press("enter").Wait(time.Minute).Sees("All of this goes into the file", "── Versions ──")
		c.Press("w").Sees("paydesk-diagnostics-").Press("ctrl+u").Fill("Folder", folder).Press("ctrl+s").Sees("Written to")
	})
	if text := onlyFile(t, folder, "*"); !strings.HasPrefix(text, "# paydesk diagnostics, ") {
		t.Error(text)
	}
}
