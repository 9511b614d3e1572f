package screens_test

import (
	"strings"
	"testing"
)

// card fills the steps between the amount and the question, with a test card.
func (r *road) card(name string) {
	r.t.Helper()
	r.sees("These channels accept")
	r.press("enter")
	r.fill("First name", "Ada")
	r.fill("Last name", "Obi")
	r.fill("E-mail", "ada@example.org")
	r.fill("Phone", "+44 20 7946 0000")
	r.press("enter")
	r.sees("CVV")
	r.press("ctrl+t")
	r.sees("declined even when approved")
	for range 12 {
		at := r.line("› ")
		if strings.Contains(at, "› "+name+" ") {
			break
		}
		r.press("down")
		r.changed("› ", at)
	}
	r.press("enter")
	r.seesNo("declined even when approved")
	r.fill("Return URL", "https://shop.example/done")
	r.press("ctrl+s")
}

// reference is the reference on the screen.
func (r *road) reference() string {
	r.t.Helper()
	r.sees("Reference")
	words := strings.Fields(r.line("Reference"))
	if len(words) != 2 {
		r.t.Fatalf("no reference:\n%s", r.screen())
	}
	return words[1]
}

func TestTheRoadOfACardThroughItsBankToItsFinalStatus(t *testing.T) {
	t.Parallel()
	r := begin(t)
	r.press("c")
	r.choose("Currency", "GBP")
	r.fill("Amount", "12.50")
	r.press("enter")
	r.card("challenge")
	r.yes("Charge 12.50 GBP to •••• 1019?")
	r.reads("The customer opens this URL")
	r.press("c")
	r.sees("sent to your terminal's clipboard")
	until(t, func() bool { r.screen(); return r.display.clipboard() != "" }, func() string { return "nothing was copied" })
	r.approve(r.display.clipboard())
	r.press("enter")
	r.sees("✓ SUCCESSFUL", "Provide the goods or service")
	if r.sandbox.Accepted() != 1 {
		t.Errorf("the service took %d payments", r.sandbox.Accepted())
	}
	r.end("✓ SUCCESSFUL", "12.50 GBP")
}

func TestTheRoadOfALinkThroughItsPaymentToFinalize(t *testing.T) {
	t.Parallel()
	r := begin(t)
	r.press("l")
	r.fill("Name", "Chairs")
	r.fill("Description", "six oak chairs")
	r.choose("Currency", "GBP")
	r.fill("Amount", "120.00")
	r.press("ctrl+s")
	r.sees("/pay/", "120.00 GBP", "collect payment")
	r.press("enter")
	r.sees("The link fixes amount and currency")
	r.press("enter")
	r.card("approve")
	r.yes("Charge 120.00 GBP to •••• 4242?")
	r.sees("must be finalized: press f")
	ref := r.reference()
	r.press("f")
	r.yes("Finalize " + ref + "?")
	r.reads("completed")
	r.press("enter")
	r.sees("✓ SUCCESSFUL")
	r.end("✓ SUCCESSFUL", "120.00 GBP")
}

func TestTheRoadOfALookUpThatSettlesWhileItIsWatched(t *testing.T) {
	t.Parallel()
	r := begin(t)
	r.press("c")
	r.choose("Currency", "GBP")
	r.fill("Amount", "7")
	r.press("enter")
	r.card("pending-long")
	r.yes("Charge 7.00 GBP to •••• 4444?")
	r.sees("PENDING")
	ref := r.reference()
	r.press("esc")
	r.sees("Menu")
	r.press("p")
	r.sees("look it up")
	r.press(ref)
	r.press("enter")
	r.sees(ref, "PENDING")
	if !r.sandbox.Settle(ref) {
		t.Fatal("the payment could not be settled")
	}
	r.sees("✓ SUCCESSFUL") // by itself: no key was pressed
	r.end(ref, "✓ SUCCESSFUL")
}

func TestTheRoadThroughTheTransactionsToTheLastPageAndBack(t *testing.T) {
	t.Parallel()
	r := begin(t)
	r.press("t")
	r.sees("Page 1 of 61 · rows 1–20 of 1,204")
	r.press("n")
	r.sees("Page 2 of 61 · rows 21–40 of 1,204")
	r.press("]")
	r.sees("Page 61 of 61 · rows 1,201–1,204 of 1,204")
	r.press("p")
	r.sees("Page 60 of 61")
	r.press("[")
	r.sees("Page 1 of 61")
	r.press("down", "enter")
	r.sees(`"currency":`)
	r.press("esc")
	r.sees("Page 1 of 61")
	r.end("Page 1 of 61")
}
