package home

import (
	"charm.land/bubbles/v2/key"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// A menuItem is a screen that a key opens.
type menuItem struct {
	binding key.Binding
	to      nav.Route
	name    string
	about   string
}

// menu lists the screens that the options offer.
func menu(o Options) []menuItem {
	ways := []menuItem{
		{ui.Bind("c", "collect"), nav.Collect{}, "Collect a payment", "by card or bank transfer"},
		{ui.Bind("n", "new link"), nav.NewLink{}, "Create a payment link", "a page where the customer pays"},
		{ui.Bind("l", "look up"), nav.Payment{}, "Look up a payment", "check a status by reference"},
		{ui.Bind("2", "transactions"), nav.Transactions{}, "Transactions", "all of them, page by page"},
	}
	if o.Journal {
		ways = append(ways,
			menuItem{ui.Bind("3", "activity"), nav.Activity{}, "Activity", "everything sent from paydesk"},
			menuItem{ui.Bind("4", "links"), nav.Links{}, "Links", "payment links created here"})
	}
	if o.Profiles {
		ways = append(ways, menuItem{ui.Bind("6", "profiles"), nav.Profiles{}, "Profiles", "switch, add or change profiles"})
	}
	if o.Sandbox != nil && o.Sandbox() {
		ways = append(ways, menuItem{ui.Bind("5", "sandbox"), nav.Sandbox{}, "Sandbox", "decide how payments end"})
	}
	return ways
}
