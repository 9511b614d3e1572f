package collect

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

func TestTheJSONBesideTheFormHoldsNoSecretAndIsNotBuiltUnseen(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.Sees("What will be sent").Type("g").Press("enter").Type("12.50").Sees(`"amount": 12.5`, `"currency": "GBP"`)
		c.Press("enter", "enter")
		c.customer().card(visa, "987").Sees(`"•••• 4242"`, `"emailAddress": "ada@example.com"`, `"narration": "Order 7"`)
		c.WaitsUntilGone("42424", "987", secret)
		if strings.Contains(string(c.Bytes()), "987") {
			t.Error("the CVV was written to the terminal")
		}
	})
	withScreen(t, 97, 36, Options{}, nil, func(c *harness) {
		c.toReview().WaitsUntilGone("What will be sent")
		if c.f.bodies != 0 {
			t.Errorf("built %d times without being shown", c.f.bodies)
		}
	})
}

func TestTheJSONBesideTheFormHasNothingThatWasNotTyped(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.Sees("What will be sent").WaitsUntilGone(`"amount"`)
		c.Type("g").Press("enter").Type("12.505").Sees(`"currency": "GBP"`).WaitsUntilGone(`"amount"`)
		c.Press("ctrl+u").Type("12.50").Sees(`"amount": 12.5`).Press("enter", "enter")
		c.customer().Sees(`"number": ""`, `"cvv": ""`)
		c.card(visa, "987").Sees(`"•••• 4242"`, `"cvv": "•••"`)
	})
}

func TestDisabledKeysDoNothing(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.m.Update(tea.PasteMsg{Content: "x"})
		c.m.Update(nil)
		if c.m.WhyStay() != "" || c.m.stage != stageAmount {
			t.Error("a paste or nothing changed the stage")
		}
	})
	var _ ui.Leaver = (*Model)(nil)
}

func TestTheRequestBesideTheFormMarksWhatTheFieldInFocusFeeds(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		marked := func(field, line string) {
			t.Helper()
			if _, pane, _ := strings.Cut(c.To(field).Line(line), " │ "); !strings.HasPrefix(pane, "▌") {
				t.Errorf("at %s the line is %q", field, pane)
			}
		}
		c.Type("g")
		marked("Currency", `"currency"`)
		c.To("Amount").Type("12.50")
		marked("Amount", `"amount"`)
		c.Press("enter")
		if _, pane, _ := strings.Cut(c.Line(`"channel"`), " │ "); !strings.HasPrefix(pane, "▌") {
			t.Errorf("at the channels: %q", pane)
		}
		c.Press("enter")
		for field, line := range map[string]string{"First name": `"firstName"`, "Last name": `"lastName"`, "E-mail": `"emailAddress"`, "Phone": `"phone"`} {
			marked(field, line)
		}
		c.To("First name")
		c.customer()
		marked("Card number", `"number"`)
		marked("CVV", `"cvv"`)
		marked("Expiry", `"expYear"`)
		c.Fill("Return URL", "https://shop.example/done").Fill("Narration", "Order 7").Fill("Metadata", "order=7").Fill("Link alias", "0-abcdefg")
		marked("Return URL", `"returnUrl"`)
		marked("Narration", `"narration"`)
		marked("Metadata", `"order"`)
		marked("Link alias", `"alias"`)
	})
}

// The request is drawn for each frame, with the card as far as it was typed.
func TestNoFrameOfACardHasItsCVV(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer()
		c.Type(visa).Press("enter")
		for _, digit := range "937" {
			c.Type(string(digit))
			for _, shown := range []string{"93", "37", `"cvv": "9`} {
				if c.Has(shown) {
					t.Fatalf("%s is on the screen", shown)
				}
			}
		}
		c.Press("enter").Type("1234").Sees(`"cvv": "•••"`, `"number": "•••• 4242"`).Press("up", "backspace").Sees("•• ")
		if strings.Contains(string(c.Bytes()), "937") {
			t.Error("a frame has the CVV")
		}
	})
}

func TestWhatWasEnteredBeforeStaysInView(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.Sees("── Amount ─", "─ not sent yet ─")
		c.amount("g", "12.50").Sees("── 12.50 GBP ─").Press("enter").Sees("── 12.50 GBP · Card ─")
		c.customer().Sees("── 12.50 GBP · Card · Ada Okafor ─", "─ not sent yet ─")
		c.f.failed = &api.Refusal{HTTP: 422, Kind: api.KindHTTP, Failures: []api.Text{api.Clean("narration is too long")}}
		c.card(visa, "123").yes()
		c.Sees("narration is too long").WaitsUntilGone("not sent yet")
	})
}

func TestAPhoneNumberIsWholeOnALine(t *testing.T) {
	for _, size := range [][2]int{{58, 14}, {78, 20}, {118, 36}} {
		withScreen(t, size[0], size[1], Options{}, nil, func(c *harness) {
			c.amount("g", "12.50").Press("enter")
			c.customer()
			if size[0] == 118 {
				c.Sees("+44 20 7946 0000", "── So far ─")
			}
			c.card(visa, "123").Sees("Charge 12.50 GBP", "+44 20 7946 0000")
		})
	}
}
