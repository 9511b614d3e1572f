package links_test

import (
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/links"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestAnUnresolvedCreationOpensItsAttemptAndABlockedOneSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &network{broken: true}
		c, err := api.New(api.Config{BaseURL: "https://payments.example", ListURL: "https://list.example", Key: apiKey(key), Transport: l})
		if err != nil {
			t.Fatal(err)
		}
		j, err := journal.Open(t.Context(), journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		place := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}
		kept := journal.NewRecorder(c, j, place, nil, false)

		p := &harness{screentest.Open(t, links.NewForm(screentest.Theme, kept, test), 80, 24), l}
		p.fill().Press("ctrl+s")
		open, err := j.Unfinished(t.Context(), place)
		if err != nil || len(open) != 1 || len(l.sent) != 1 {
			t.Fatalf("unresolved are %v (%v), sent %s", open, err, l.sent)
		}
		p.Went(nav.Replace{To: nav.Attempt{ID: open[0].ID}})

		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		p = &harness{screentest.Open(t, links.NewForm(screentest.Theme, kept, test), 80, 24), l}
		p.fill().Press("ctrl+s").Sees("Nothing was sent", "Dues").Went()
		if len(l.sent) != 1 {
			t.Errorf("sent %s", l.sent)
		}
	})
}
