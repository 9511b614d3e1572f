package home

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"paydesk/api/session"
	"paydesk/screens/present"
)

// A section is a part of the list, in the order in which they are listed.
type section uint8

const (
	needsYou section = iota // unresolved, or the customer or a person must do something
	underWay
	pinned
	settledToday
	lookedUp
	earlier
	sectionTour // the lines of the demo
	sectionMenu // what begins something
)

var sectionTitles = [...]string{
	needsYou: "Needs you", underWay: "Under way", pinned: "Pinned", settledToday: "Settled today", lookedUp: "Looked up", earlier: "Earlier",
	sectionTour: "Try these", sectionMenu: "Menu",
}

// A listing is a payment with the section that it was sorted into. It stays there until the list is sorted the next
// time: rows that move by themselves would be opened by mistake.
type listing struct {
	session.Entry
	in section
}

// sectionOf returns where a payment belongs now. What needs a person comes first, even if it is pinned.
func sectionOf(e session.Entry, now time.Time, failed bool) section {
	waits := e.CustomerMustAct() || e.NeedsFinalize() || !e.FinalizeLostAt().IsZero()
	switch r := rank(e); {
	case r <= rankDiffers, failed, r == rankOpen && waits:
		return needsYou
	case e.IsPinned():
		return pinned
	case r == rankOpen:
		return underWay
	case e.IsElsewhere():
		return lookedUp
	case sameDay(e.StatusAt, now):
		return settledToday
	}
	return earlier
}

// sameDay reports whether a time is on the day of now.
func sameDay(t, now time.Time) bool {
	from := day(now)
	return !t.Before(from) && t.Before(from.AddDate(0, 0, 1))
}

// day returns when the day of a time began.
func day(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, now.Location())
}

// The ranks of payments: see [rank].
const (
	rankUnresolved = iota
	rankDiffers
	rankOpen
	rankRest
)

// rank returns how urgently a payment needs a person. The unresolved ones come first: they may have been
// made, and charging again would charge twice. Those with a mismatch follow.
func rank(e session.Entry) int {
	switch {
	case e.IsElsewhere() && e.IsPinned() && !e.Mismatch.IsZero(): // until it is unpinned
		return rankDiffers
	case e.IsElsewhere(): // nothing was asked here, so there is nothing to decide
		return rankRest
	case e.IsUnresolved():
		return rankUnresolved
	case e.MustBeRead(), e.Mismatch.Undecided():
		return rankDiffers
	case e.Open():
		return rankOpen
	}
	return rankRest
}

// needsAttention reports whether a payment needs a person, or is under way.
func (m *Model) needsAttention(e session.Entry) bool { return rank(e) < rankRest || m.fails(e) }

// sorted lists payments by section, in it by rank, and of those the newest first. Those that are pinned keep the order in
// which a person pinned them, whatever becomes of them.
func (m *Model) sorted(all []session.Entry, now time.Time) []listing {
	m.findFailing(all)
	listed := make([]listing, len(all))
	for i, e := range all {
		listed[i] = listing{e, sectionOf(e, now, m.fails(e))}
	}
	slices.SortStableFunc(listed, func(a, b listing) int {
		if by := int(a.in) - int(b.in); by != 0 {
			return by
		}
		if a.in == pinned {
			return byPin(a.Entry, b.Entry)
		}
		if by := rank(a.Entry) - rank(b.Entry); by != 0 {
			return by
		}
		return b.At.Compare(a.At)
	})
	return listed
}

// byPin compares payments by when they were pinned.
func byPin(a, b session.Entry) int {
	return cmp.Or(a.PinnedAt.Compare(b.PinnedAt), cmp.Compare(a.Reference, b.Reference))
}

// merged puts what is known now into the rows where it stands; what is no longer listed goes, and what is new goes to the end of its
// section.
func (m *Model) merged(listed []listing, all []session.Entry, now time.Time) []listing {
	added := m.sorted(all, now)
	rows, found := slices.Clone(listed), make([]bool, len(listed))
	for _, is := range []func(e, o session.Entry) bool{isRow, session.Entry.Is} { // a row takes by its payment only what no other is
		for i, l := range listed {
			at := slices.IndexFunc(added, func(o listing) bool { return is(l.Entry, o.Entry) })
			if found[i] || at < 0 {
				continue
			}
			rows[i].Entry, found[i] = added[at].Entry, true
			added = slices.Delete(added, at, at+1)
		}
	}
	var kept []listing
	for i, l := range rows {
		if found[i] {
			kept = append(kept, l)
		}
	}
	for _, one := range added {
		at := slices.IndexFunc(kept, func(l listing) bool { return l.in > one.in })
		if at < 0 {
			at = len(kept)
		}
		kept = slices.Insert(kept, at, one)
	}
	return kept
}

// isRow reports whether two entries have the same row: a payment that was looked up before it was found to be that of an attempt has
// two, of which one has no ID.
func isRow(e, o session.Entry) bool { return e.ID == o.ID && e.Is(o) }

// indexOf returns where an attempt, or else its payment, is among others.
func indexOf(e session.Entry, all []listing) int {
	if at := slices.IndexFunc(all, func(l listing) bool { return isRow(e, l.Entry) }); at >= 0 {
		return at
	}
	return slices.IndexFunc(all, func(l listing) bool { return e.Is(l.Entry) })
}

// sectionAt returns the section of a row of the table.
func (m *Model) sectionAt(row int) section {
	if one, ok := m.item(row); ok {
		return one.in
	}
	return m.entries[row-m.lead].in
}

// continues reports whether a row is in the section of the one before it.
func (m *Model) continues(row int) bool { return row > 0 && m.sectionAt(row) == m.sectionAt(row-1) }

// group returns the title of the section of a row, and how many are in it, or how many lines of the tour are ticked.
func (m *Model) group(row int) (title, note string) {
	in, n, needed := m.sectionAt(row), 0, false
	if in == needsYou && m.lead > 0 { // events do, whatever the payments there
		n, needed = m.lead, true
	}
	for _, l := range m.entries {
		if l.in == in {
			n, needed = n+1, needed || m.needsAttention(l.Entry)
		}
	}
	title, note = sectionTitles[in], present.Thousands(n)
	switch {
	case in == sectionMenu:
		note = ""
	case in == sectionTour && m.options.Tour.done.all():
		note = "all done: x takes these off"
	case in == sectionTour:
		note = strconv.Itoa(m.options.Tour.done.count()) + " of 4 done"
	case in <= underWay && !needed:
		title = "Just settled" // they stay where they were until the list is sorted again
	case in == pinned && !m.options.Journal:
		title = "Pinned for this run, journal off"
	}
	return title, note
}
