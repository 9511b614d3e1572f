package screens_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/consoletest"
)

// A sale is what a journal has of one attempt.
type sale struct {
	amount, currency, status, name string // a name makes it a link
	who                            ledger.Payer
}

// sell records attempts, one an hour, the last of them now.
func sell(c *consoletest.Console, all ...sale) {
	c.T.Helper()
	here := ledger.Destination{Profile: "demo", Environment: "SANDBOX", Host: "127.0.0.1:8099"}
	for i, s := range all {
		currency, err := money.ParseCurrency(s.currency)
		must(c.T, err)
		amount, err := money.Parse(s.amount, currency)
		must(c.T, err)
		a := ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: amount, Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", 4242+i)}
		r := ledger.Result{Outcome: ledger.Unresolved, Why: "no answer came"}
		switch {
		case s.name != "":
			a = ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: amount, Draft: api.LinkDraft{Name: s.name, Amount: amount}}
			r = ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{
				Alias: api.Alias(fmt.Sprintf("0-abc%04d", i)), Name: api.Clean(s.name), Amount: amount, HasAmount: true,
			}}
		case s.status != "":
			r = ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(fmt.Sprintf("REF%04d", i)), Status: api.ParseStatus(s.status)}}
		}
		recorded(c, a, s.who, r)
	}
}

// desk is what a desk has sold.
func desk(c *consoletest.Console) {
	ada, ben := ledger.Payer{Email: "Ada@example.org", Phone: "+44 20 7946 0000"}, ledger.Payer{Email: "ben@example.org"}
	sell(c,
		sale{amount: "250.00", currency: "GBP", status: "FAILED", who: ada},
		sale{amount: "12.50", currency: "GBP", status: "FAILED", who: ben},
		sale{amount: "300.00", currency: "GBP", status: "SUCCESSFUL", who: ada},
		sale{amount: "4000", currency: "JPY", status: "FAILED", who: ben},
		sale{amount: "3.005", currency: "KWD", status: "PENDING", who: ada},
		sale{amount: "77.00", currency: "GBP"},
		sale{amount: "120.00", currency: "GBP", name: "Oak chairs"},
		sale{amount: "80.00", currency: "GBP", name: "Never failed dues"},
	)
}

func TestActivityIsSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3").Sees("8 attempts").Press("/").Type("failed gbp >100")
		c.Sees("1 attempt of this service", "status is FAILED · currency is GBP · amount over 100", "REF0000").WaitsUntilGone("REF0001", "REF0003").Golden("search/meaning")
		for query, want := range map[string]string{
			`"failed"`: "0-abc0007", "oak": "0-abc0006", "status:failed,pending amount:<20": "REF0004 REF0001",
			"-status:failed -status:successful -unresolved card:*": "REF0004", "12": "REF0001", "amount:=3.01": "", "operator:nobody": "",
		} {
			c.Press("ctrl+u").Type(query)
			if want == "" {
				c.Sees("0 attempts of this service", "No attempts match the search.")
			}
			if query == "12" {
				c.Sees("a field contains “12” or the amount is 12 to under 13")
			}
			c.Sees(strings.Fields(want)...)
		}
		c.Press("ctrl+u").Type("gbp stauts:failed")
		c.Sees("No such field. Did you mean status?", "^^^^^^", "currency is GBP").Golden("search/problem-80")
		c.Press("enter").Sees("No such field").Press("end", "ctrl+u").WaitsUntilGone("No such field")
		c.Type("day:7d -failed email:ada@example.org").Sees("e-mail is the same mailbox as what you typed", "2 attempts")
	})
}

// One search is on the screen: a facet shows the term that is typed, and writes the one that is chosen.
func TestAFacetAndATermAreOneSearch(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("failed oak").Press("enter").Sees("“oak”", "FAILED▾", "0 attempts")
		c.Press("tab", "tab", "right").Sees("‹PENDING›", "“oak”")
		if x, y, _ := c.Cursor(); ansi.Cut(strings.Split(c.Screen(), "\n")[y], x, x+8) != "‹PENDING" { // braille displays follow it
			t.Errorf("the cursor is at %d,%d of\n%s", x, y, c.Screen())
		}
		c.Press("enter", "/").Sees("Search oak status:PENDING")
		c.Press("ctrl+u").Type("refused").Press("enter").WaitsUntilGone("PENDING▾").Sees("REFUSED▾")
		c.Press("esc").Sees("8 attempts", "status▾", "outcome▾")
		c.Press("tab", "tab", "tab", "tab", "right").Sees("‹today›", "8 attempts").Press("tab", "right").Sees("‹GBP›", "6 attempts")
		c.Press("enter", "/").Type("oak").Sees("day:today currency:GBP oak", "1 attempt ").Press("enter").Sees("“oak”", "today▾", "GBP▾")
	})
}

// Who paid is compared by the journal's hash. What is typed stays in the line that it is typed in. A customer is found by a whole
// value alone: the field says so before an empty list would.
func TestACustomerIsSearchedWithoutBeingShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("email:ADA+shop@example.org").Sees("3 attempts", "e-mail is the same mailbox as what you typed", "Only payments sent with it")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("w").Sees("Export 3 attempts", "e-mail is the same mailbox as what you typed").WaitsUntilGone("example.org").Press("esc")
		c.Press("/", "ctrl+u").Type("ADA+shop@example.org").Sees("3 attempts", "e-mail is the same mailbox as what you typed")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("/", "ctrl+u").Type("+442079460000").Sees("3 attempts", "phone is the same number as what you typed")
		c.Press("enter").Sees("“phone:…”").WaitsUntilGone("2079460000")
		c.Press("/", "ctrl+u").Type("-email:ben@example.org phone:02079460000").Sees("3 attempts")
		c.Press("ctrl+u").Type("email=nobody@example.org").Press("enter").Sees("“email:…”", "0 attempts").WaitsUntilGone("nobody")
		c.Press("/", "ctrl+u").Type("4000 0566 5566 5556").Sees("Card number removed").WaitsUntilGone("5556")

		c.Press("ctrl+u").Sees("a customer's whole", "no name is kept")
		for typed, whole := range map[string]string{"ada@": "email:", "@example.org": "email:", "email:ada": "email:", "+4420": "phone:", "phone:0794": "phone:"} {
			c.Press("ctrl+u").Type(typed).Sees("! Only the whole of it can be found, as in "+whole, "This search cannot be read", "8 · 1 unresolved")
		}
		c.Press("ctrl+u").Type("ada@example.org +442079460000").Sees("3 attempts").WaitsUntilGone("Only the whole")
		c.Press("ctrl+u").Type("customer:ada").Sees("! A customer's name is not kept. The whole e-mail or phone finds them")
		c.Press("ctrl+u").Type("lovelace").Sees("0 attempts", "A customer's name is not", "kept: the whole e-mail or phone finds them.")
		c.Press("esc", "4", "/").Type("ada@example.org").Sees("! Links have no customer. Search Activity for it.")
	})
}

func TestLinksAreSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("4").Sees("2 links").Press("/").Type("gbp >100 name:oak*")
		c.Sees("1 of 2 links", "amount over 100", "link name begins with oak", "0-abc0006").WaitsUntilGone("0-abc0007").Golden("search/links-60")
		c.Press("ctrl+u").Type("-name:oak* day:today").Sees("1 of 2 links", "0-abc0007")
		c.Press("ctrl+u").Type("status:failed").Sees("Links have no status. Search Activity for it.", "^^^^^^^^^^^^^").Golden("search/links-problem-60")
	}, consoletest.Size(60, 18))
}
