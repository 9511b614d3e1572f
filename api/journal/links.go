package journal

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
)

// A LinkRecord is a link that was created with this journal, and the payments made through
// it with this journal.
type LinkRecord struct {
	ledger.Attempt                // the creation
	Paid           int            // payments through it that are SUCCESSFUL, without a mismatch
	Differ         int            // payments through it with a mismatch
	Accepted       int            // payments through it that the service accepted
	Total          []money.Amount // of the successful ones, one for each currency
	LastUsed       time.Time      // zero when it was never used
}

// unread is [ledger.Attempt.MustBeRead]; it has an index.
const unread = "made = 1 AND made_differs = 1 AND verdict <> '" + string(ledger.DifferenceRead) + "'"

// FindLinks returns the rows from..from+n of the links created at a destination that a query in [LinkLanguage] finds: those
// whose creation is unresolved, then those that must be read, then the others, newest first in each group. It makes one step
// of a search, as [Journal.Find] does.
func (j *Journal) FindLinks(ctx context.Context, d ledger.Destination, q query.Query, s Search, from, n int) (Page[LinkRecord], error) {
	asked := func(t *readTx) (quest, error) { return t.linkQuest(d, q) }
	return find(ctx, j, asked, s, from, n, goal(from, n), func(t *readTx, rows []ledger.Entry) ([]LinkRecord, error) {
		return t.linkRecords(d, rows)
	})
}

// linkQuest is the search of [Journal.FindLinks]. One that was sent and is lost is unresolved also where that cannot be written.
func (t *readTx) linkQuest(d ledger.Destination, q query.Query) (quest, error) {
	_, sent, err := t.orphans()
	if err != nil {
		return quest{}, err
	}
	unresolved := []ledger.ID{""} // which no row has
	for _, e := range sent {
		if t.asSeen(e).IsUnresolved() {
			unresolved = append(unresolved, e.ID)
		}
	}
	in := oneOf("id", unresolved)
	parts := []condition{
		{"kind = 'link' AND outcome IN ('unresolved', 'sent') AND verdict = '' AND (outcome <> 'sent' OR " + in.sql + ")", in.args},
		{sql: unread},
		{sql: "made = 1 AND NOT (" + unread + ")"},
	}
	for i := range parts {
		parts[i] = parts[i].and(atService, atArgs(d)...)
	}
	return t.newQuest(q, linkColumns(), parts...)
}

// EachLink returns all links at a destination that a query finds, in the order of [Journal.FindLinks].
func (j *Journal) EachLink(ctx context.Context, d ledger.Destination, q query.Query) iter.Seq2[LinkRecord, error] {
	return each(func(s Search, from, n int) (Page[LinkRecord], error) { return j.FindLinks(ctx, d, q, s, from, n) })
}

// linkRecords adds to links the payments made through them.
func (t *readTx) linkRecords(d ledger.Destination, rows []ledger.Entry) ([]LinkRecord, error) {
	var all []LinkRecord
	var aliases []string
	for _, a := range t.toAttempts(rows) {
		all, aliases = append(all, LinkRecord{Attempt: a}), append(aliases, string(a.Link))
	}
	if len(all) == 0 {
		return nil, nil
	}
	used := oneOf("link", aliases).and("kind = 'initiate' AND reference <> '' AND link <> '' AND "+atService, atArgs(d)...)
	const secured = "FILTER (WHERE status = 'SUCCESSFUL' AND mismatch = 0)"
	err := t.each(func(rows scanner) error {
		var alias, code string
		var accepted, differ, paid int
		var total, last int64
		err := rows.Scan(&alias, &code, &accepted, &differ, &paid, &total, &last)
		for i := range all {
			l := &all[i]
			if string(l.Link) != alias {
				continue
			}
			l.Accepted, l.Differ, l.Paid = l.Accepted+accepted, l.Differ+differ, l.Paid+paid
			if paid > 0 {
				l.Total = append(l.Total, amount(total, code))
			}
			if at := fromNano(last); at.After(l.LastUsed) {
				l.LastUsed = at
			}
		}
		return err
	}, "SELECT link, currency, count(*), count(*) FILTER (WHERE mismatch <> 0), count(*) "+secured+", CAST(coalesce(sum(minor) "+secured+", 0) AS BIGINT), max(at)"+
		" FROM attempts WHERE "+used.sql+" GROUP BY link, currency ORDER BY currency", used.args...)
	return all, sumProblem(err)
}

// Link returns the link with an alias that was created at a destination, or [ledger.ErrNotFound].
func (j *Journal) Link(ctx context.Context, d ledger.Destination, alias api.Alias) (LinkRecord, error) {
	return ask(ctx, j, func(t *readTx) (LinkRecord, error) {
		// These are the terms of the index.
		made, err := t.entries("attempts", "WHERE lower(link) = ? AND link <> '' AND kind <> 'payment' AND kind = 'link' AND made = 1 AND "+atService+newestFirst,
			append([]any{strings.ToLower(string(alias))}, atArgs(d)...)...)
		if err != nil {
			return LinkRecord{}, err
		}
		all, err := t.linkRecords(d, made)
		for _, l := range all {
			if l.CreatedLink.Alias == alias {
				return l, err
			}
		}
		return LinkRecord{}, cmp.Or(err, ledger.ErrNotFound)
	})
}
