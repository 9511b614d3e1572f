package screens_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// arrives stores a webhook about a payment, as a receiver does.
func arrives(c *consoletest.Console, ref, status, amount string) {
	c.T.Helper()
	body := fmt.Sprintf(`{"event":"payment.%s","data":{"reference":"%s","status":"%s","amount":%s,"currency":"GBP"}}`,
		map[string]string{"SUCCESSFUL": "success", "FAILED": "failed"}[status], ref, status, amount)
	if _, err := c.Events.Keep(c.T.Context(), "demo", http.Header{"Content-Type": {"application/json"}}, []byte(body)); err != nil {
		c.T.Fatal(err)
	}
}

func TestAWebhookIsComparedWithWhatTheServiceSays(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("5 Inbox", "webhooks that arrived").Press("5").Wait(time.Second).Sees("No webhook has arrived yet").Golden("inbox/empty")
		c.Press("1")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		ref := reference(c)
		arrives(c, ref, "SUCCESSFUL", "12.5")
		c.Press("5").Wait(5*time.Second).Sees("1 event", "agrees", ref, "Service      ✓ SUCCESSFUL 12.50 GBP", "event (unverified): SUCCESSFUL 12.50 GBP").Golden("inbox/agrees")
		c.Press("s").Sees("Payment "+ref).Press("esc").Sees("Inbox", "agrees")
		c.Press("h").Wait(time.Second).Sees("Attempt").Press("esc").Sees("Inbox", "agrees")

		arrives(c, ref, "FAILED", "99.5")
		c.Wait(5*time.Second).Sees("2 events", "1 disagrees", "paused, 1 new")
		if at := c.Marked(); !strings.Contains(at, "agrees ") || strings.Contains(at, "disagrees") {
			t.Errorf("the mark went to %q", at)
		}
		c.Press("space").Wait(time.Second).Sees("✗ disagrees")
		c.Press("enter").Sees("✗ status, amount", "FAILED", "✓ SUCCESSFUL", "99.50 GBP").Golden("inbox/disagrees").Press("esc")
		c.Press("1").Wait(2 * time.Second).Sees("1 event disagrees").Golden("inbox/home")
		c.Press("tab").Wait(time.Second).Press("enter").Wait(2*time.Second).Sees("1 of 2 events: verdict:disagrees", "✗ disagrees").WaitsUntilGone(" agrees")
		c.Press("esc").Sees("Home", "1 event disagrees")
		c.Press("l").Type(ref).Press("enter").Wait(2 * time.Second).Sees("Payment " + ref).Press("h").Wait(2 * time.Second).Sees("2 of 2 events: reference:\"" + ref + `"`)
		c.Press("esc").Sees("Payment " + ref)
	}, consoletest.Inbox())
}

func TestAForgedWebhookIsOfNoPayment(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		arrives(c, "NOSUCHPAY1", "SUCCESSFUL", "1000000")
		c.Wait(10*time.Second).Sees("Home").WaitsUntilGone("disagree").Press("5").Wait(5*time.Second).
			Sees("unknown", "NOSUCHPAY1", "The service has no such payment", "Anybody who knows the address can post an").WaitsUntilGone("✓")
	}, consoletest.Inbox())
}
