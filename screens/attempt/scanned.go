package attempt

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// scanPage sets how many rows a scan asks for per page.
const scanPage = api.MaxPerPage

// Over makes the search for matches use the rows of a scan, where one has read the list to its end. It returns the screen.
func (m *Model) Over(scan func() listing.State) *Model {
	m.scan = scan
	return m
}

// scanned is a scan that has read the list to its end since the attempt was answered, or can no longer be under way: one
// that began earlier may have passed the row by before it was there.
func (m *Model) scanned() (st listing.State, is bool) {
	if m.scan == nil {
		return st, false
	}
	st = m.scan()
	return st, st.Phase == listing.Done && journal.PaymentRecord{Attempt: m.record.Attempt}.LatestMade().Before(st.Began)
}

// searchScanned searches all rows of a scan, without a request.
func (m *Model) searchScanned(st listing.State) tea.Cmd {
	s, of := &m.search, m.record.Amount
	all := "all "
	if !st.Verdict.Trusted {
		all = ""
	}
	s.rows = st.Read
	s.scanned = "Searched " + all + present.Count(st.Read, "row", "rows") + ", read at " + present.Clock(st.Ended.Local()) + present.Verdict(st.Verdict) + "."
	q, _ := listing.Language().Parse("amount:" + of.Major() + " currency:" + strings.ToLower(of.Currency.Code()))
	return s.scan.Then(func(a ui.Result[[]match]) tea.Cmd {
		s.found = a.Value
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (all []match, err error) {
		err = st.Rows.Each(ctx, listing.Search{Query: q, To: st.Read}, func(i int, r api.Transaction) error {
			if r.Known && r.Amount == of {
				all = append(all, match{Transaction: r, Page: i/scanPage + 1})
			}
			return nil
		})
		return all, err
	})
}
