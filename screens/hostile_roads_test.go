package screens_test

import (
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// A hostileRoad goes to where an operation is asked, lets its answer be filled, and then looks at
// every screen that shows something of the answer.
type hostileRoad struct {
	operation
	to      func(c *consoletest.Console)                       // up to the key that asks
	after   func(c *consoletest.Console, look func(...string)) // from that key on; it may meet anything
	options []consoletest.Option
	wait    time.Duration // for each answer; 400 ms unless said otherwise
	copies  int           // how often after presses a key that copies
}

// hostileRoads are all of them.
func hostileRoads() []hostileRoad {
	roads := []hostileRoad{
		{operation: opInitiate, to: cardQuestion, after: afterCard, copies: 2},
		{operation: opInitiate, to: transferQuestion, after: afterTransfer, copies: 2, options: []consoletest.Option{consoletest.WithSandbox(manual)}},
		{operation: opLink, to: linkForm, after: afterLink, copies: 2},
		{operation: opValidate, to: amountForm, after: afterChannels},
		{operation: opAuthenticate, to: bankCheck, after: afterCheck},
		{operation: opFinalize, to: finalizeQuestion, after: afterFinalize},
		{operation: opStatus, to: lookup, after: afterStatus, copies: 1},
		{operation: opList, to: home, after: afterList, copies: 2},
		{operation: opStatus.refused(404), to: lookup, after: afterStatus, copies: 1},
		{operation: opList.refused(400), to: home, after: afterList, copies: 1},
		{operation: opList.refused(401), to: keyForm, after: afterKey, options: []consoletest.Option{consoletest.Store(keystore.NewMemory("paper"))}},
	}
	for _, status := range []int{200, 502} {
		roads = append(roads,
			hostileRoad{operation: opInitiate.refused(status), to: cardQuestion, after: afterNo},
			hostileRoad{operation: opLink.refused(status), to: linkForm, after: afterNo},
			hostileRoad{operation: opValidate.refused(status), to: amountForm, after: afterChannels, wait: asked},
			hostileRoad{operation: opAuthenticate.refused(status), to: bankCheck, after: afterCheck, wait: asked},
			hostileRoad{operation: opFinalize.refused(status), to: finalizeQuestion, after: afterNo},
			hostileRoad{operation: opInitiate.reasonless(status), to: cardQuestion, after: afterNo},
		)
	}
	return roads
}

// asked is longer than a question takes that is asked again by itself.
const asked = 10 * time.Second

func home(*consoletest.Console) {}

func cardQuestion(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "challenge")
	c.Sees("Charge 12.50 GBP").Wait(time.Second)
}

func afterCard(c *consoletest.Console, look func(...string)) {
	look("y") // the bank's page
	look("tab", "z")
	look("z", "y")
	look("?")
	look("esc", "a")
	look("enter") // the payment
	look("v")
	look("esc", "c", "f3")
	everywhere(c, look)
}

func transferQuestion(c *consoletest.Console) {
	c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	c.Sees("into an account given next").Press("down", "enter")
	customer(c.Person)
	c.Press("ctrl+s").Sees("1,500.00 NGN   sent as 1500").Wait(time.Second)
}

func afterTransfer(c *consoletest.Console, look func(...string)) {
	look("y") // the account
	look("y")
	look("Y")
	look("?")
	look("esc", "enter") // the payment
	look("tab")
	everywhere(c, look)
}

func linkForm(c *consoletest.Console) {
	c.Press("n").Fill("Name", "Chairs").Fill("Description", "six oak chairs").Choose("Can be paid", "once").Choose("Currency", "GBP").Fill("Amount", "120.00")
}

func afterLink(c *consoletest.Console, look func(...string)) {
	look("ctrl+s") // the link to share
	look("v")
	look("esc")
	look("y")
	look("z")
	look("z", "Y")
	look("enter") // a payment of it
	look("enter")
	everywhere(c, look)
}

func amountForm(c *consoletest.Console) {
	c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50")
}

func afterChannels(c *consoletest.Console, look func(...string)) {
	look("enter")
	look("v")
	look("esc", "down")
	look("down")
	look("?")
	look("esc", "enter")
}

func bankCheck(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "challenge")
	c.Yes("Charge 12.50 GBP").Sees("The customer opens this URL")
}

func afterCheck(c *consoletest.Console, look func(...string)) {
	look("a")
	look("?")
	look("esc", "o")
	look("s")
	everywhere(c, look)
}

func finalizeQuestion(c *consoletest.Console) {
	createLink(c, "Chairs", "once", "GBP", "120.00")
	payLink(c, "approve")
	c.Yes("Charge 120.00 GBP").Press("f").Sees("Finalize").Wait(time.Second)
}

func afterFinalize(c *consoletest.Console, look func(...string)) {
	look("y")
	look("?")
	look("esc", "enter")
	everywhere(c, look)
}

func lookup(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "pending-long")
	c.Yes("Charge 12.50 GBP").Sees("PENDING")
}

func afterStatus(c *consoletest.Console, look func(...string)) {
	look("r")
	look("v")
	look("pgdown")
	look("esc", "?")
	look("esc", "c")
	everywhere(c, look)
}

func afterList(c *consoletest.Console, look func(...string)) {
	look("2")
	look("v")
	look("esc", "down")
	look("pgdown")
	look("enter")
	look("y")
	look("Y")
	look("enter")
	look("esc", "/", "J", "P", "Y")
	look("enter", "esc")
}

func keyForm(c *consoletest.Console) { c.Fill("Secret key", consoletest.Key) }

func afterKey(c *consoletest.Console, look func(...string)) {
	look("enter")
	look("f1")
}

// afterNo looks at where sending ends that was refused, or is unresolved.
func afterNo(c *consoletest.Console, look func(...string)) {
	if c.Has("six oak chairs") {
		look("ctrl+s")
	} else {
		look("y")
	}
	look("?")
	look("esc", "m")
	everywhere(c, look)
}

// everywhere leaves what is open, and looks at home, the links, what was done, and the demo's
// service.
func everywhere(c *consoletest.Console, look func(...string)) {
	for range 8 {
		if c.Has("paydesk ▸ Home ") {
			break
		}
		c.Press("esc").Wait(400 * time.Millisecond)
	}
	look()
	look("4")
	look("/", "a")
	look("esc", "esc", "3")
	look("enter")
	look("pgdown")
	look("esc", "esc", "f3")
	look("down")
}
