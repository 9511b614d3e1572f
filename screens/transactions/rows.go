package transactions

import (
	"context"
	"math"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/list"
)

// A basis is what rows are listed of. They are read again once it is another.
type basis struct {
	page     *page // that is shown
	cache    *pageCache
	stored   int // pages that came into the cache
	bySearch bool

	rows *listing.Rows // of a scan
	read int
	kept bool
}

func (m *Model) basis() basis {
	if l := m.long; l != nil {
		return basis{rows: l.state.Rows, read: l.state.Read, kept: m.isKept() && m.asked() != ""}
	}
	b := basis{page: m.shown, bySearch: m.Searched()}
	if b.bySearch {
		b.cache, b.stored = m.cache, m.cache.stored
	}
	return b
}

// read reads the rows of the page that is shown, or those that are found in the loaded pages or in what a scan has read.
func (m *Model) read(w list.Want[listing.Listed]) list.Reading[listing.Listed] {
	m.based = m.basis()
	if m.long != nil {
		return m.readScan(w)
	}
	var all []listing.Listed
	var out list.Rows[listing.Listed]
	find := func(ctx context.Context, all []listing.Listed) ([]listing.Listed, error) {
		return slices.Clone(all), nil
	}
	switch {
	case m.Searched():
		rows, table := m.cache.loaded()
		all = rows
		if !w.Query.Empty() {
			find = func(ctx context.Context, all []listing.Listed) (some []listing.Listed, err error) {
				places, err := table().Find(ctx, listing.Search{Query: w.Query})
				for _, at := range places {
					some = append(some, all[at])
				}
				return some, err
			}
		}
	case m.shown != nil:
		all = m.shown.listed()
		if m.cache.latest.HasMeta {
			out.Before, out.All = m.shown.firstRow(), m.cache.latest.Meta.Total
		}
	}
	lister := m.lister
	return func(ctx context.Context) (list.Rows[listing.Listed], error) {
		rows, err := find(ctx, all)
		if err != nil {
			return out, err
		}
		blind := know(ctx, lister, rows)
		out.Page = list.All(rows).Page
		out.Keep = func() { m.searched, m.blind = len(all), blind }
		return out, ctx.Err()
	}
}

// relist reads the rows again where they are of something else now.
func (m *Model) relist() tea.Cmd {
	now, was, to := m.basis(), m.based, max(m.selectRow, 0)
	switch {
	case now == was:
		return nil
	case m.long != nil:
		return m.relistScan(now, was)
	case m.shown == nil:
		return nil
	case now.bySearch && m.onward != 0 && m.Count() > 0, now.page == was.page:
		return m.Refresh()
	case m.onward > 0, m.onward < 0:
		if to = 0; m.onward < 0 {
			to = math.MaxInt
		}
		m.onward = 0
	case now.bySearch || was.bySearch:
		return m.Refresh()
	}
	m.selectRow = -1
	return m.Turn(to)
}

// listed goes on once rows were read: to the next one where a key led past the last of those that a search had found. What is known
// of the open row now is shown there too.
func (m *Model) listed() tea.Cmd {
	var move tea.Cmd
	if open, is := m.Opened(); is {
		for _, l := range m.Loaded() {
			if rowID(l) == rowID(open) {
				open.Mismatch, open.Differs, open.Unchecked = l.Mismatch, l.Differs, l.Unchecked
			}
		}
		m.Renew(open)
	}
	if by := m.onward; by != 0 && m.pending == 0 {
		m.onward = 0
		move = m.Move(by)
	}
	return tea.Batch(move, m.relist(), m.countAgain())
}

// rowID tells a row from the others. One without an ID has its place.
func rowID(l listing.Listed) string {
	if l.ID.Empty() {
		return "#" + strconv.Itoa(l.Position)
	}
	return l.ID.Line(0)
}

// reference is the ID of a row as a reference, if it has the form of one: the specification does not say that it is one.
func reference(row api.Transaction) (api.Reference, bool) {
	r, err := api.ParseReference(row.ID.Line(0))
	return r, err == nil && r != ""
}

// know notes about which payments of some rows an answer differed. Where the journal cannot be read, which it returns, no success is
// shown as one: what this run knows is known even so.
func know(ctx context.Context, payments listing.Differing, rows []listing.Listed) (blind bool) {
	if len(rows) == 0 {
		return false
	}
	known := listing.MismatchesOf(ctx, payments)
	for i := range rows {
		known.Mark(&rows[i])
	}
	return known.Err != nil
}
