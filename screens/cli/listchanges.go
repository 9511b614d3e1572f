package cli

import (
	"context"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/mirror"
	"paydesk/screens"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/ui"
)

// changes prints what changed between the last two readings of the whole list; with --all between the last one and now.
func (l *lister) changes(ctx context.Context) error {
	if l.Mirror == nil {
		return exit(Failed, sentence(screens.NotRemembered(l.profile)))
	}
	var since time.Time
	if l.all {
		before, err := l.Mirror.Since(ctx, since)
		if err != nil {
			return l.mirrorProblem(ctx, err)
		}
		since = before.To.Ended
		if err := l.readToKeep(ctx); err != nil {
			return err
		}
	}
	h, err := l.Mirror.Since(ctx, since)
	if err != nil {
		return l.mirrorProblem(ctx, err)
	}
	found, err := l.printChanges(ctx, h)
	if err != nil {
		return err
	}
	return l.sayChanges(h, found)
}

func (l *lister) mirrorProblem(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return exit(Failed, sentence(present.MirrorProblem(err)))
}

const errNotKept sentence = "The list was read, and is not kept: what changed is not known."

// readToKeep reads the whole list, for what changed in it. It has to be kept for that.
func (l *lister) readToKeep(ctx context.Context) error {
	s, err := l.follow(ctx, nil)
	l.progress.clear()
	l.p.say("%s", verdict(s))
	if err != nil {
		return err
	}
	switch kept, err := l.waitKept(ctx, s); {
	case err != nil:
		return err
	case !kept:
		return exit(Failed, errNotKept)
	}
	return nil
}

// sayChanges says which readings were compared, and what that cannot tell.
func (l *lister) sayChanges(h mirror.History, found int) error {
	now := time.Now().Local()
	for _, words := range present.ChangesCompared(h, now) {
		l.p.say("%s", words)
	}
	for _, words := range present.ChangesDoubts(h, now) {
		l.p.say("%s", words)
	}
	switch {
	case h.To.N == 0:
		return exit(Failed, sentence("Nothing is kept of this service's list yet. Read all of it with --all: the next time shows what changed."))
	case h.From.N == 0 && !l.all:
		return exit(Failed, sentence("The list was kept once, at "+present.When(h.To.Ended, now)+". Add --all to read it again and compare."))
	case h.From.N == 0:
		return nil // it was said that it is the first
	case len(h.Groups) == 0:
		l.p.say("%s", present.NoChanges(h, now))
	case !l.query.Empty():
		l.p.say("%s found among them.", present.Count(found, "row was", "rows were"))
	}
	return nil
}

// changesAtOnce is how many rows that changed are in memory.
const changesAtOnce = 20_000

// A changedRow is a row that changed, with what is known here of its payment.
type changedRow struct {
	mirror.Change
	mismatch  journal.Mismatch
	unchecked bool
}

// now is the row as it is, or as it was where it is gone.
func (c changedRow) now() api.Row {
	if present.RowIsIn(c.Is) {
		return c.Is
	}
	return c.Was
}

// printChanges prints the rows that changed, and behind them the object about it.
func (l *lister) printChanges(ctx context.Context, h mirror.History) (found int, err error) {
	each := func(do func(changedRow) error) error {
		if h.From.N == 0 {
			return nil
		}
		var failed error
		err := l.Mirror.EachChange(ctx, h, changesAtOnce, func(some []mirror.Change) error {
			var n int
			n, failed = l.eachChange(ctx, some, do)
			found += n
			return failed
		})
		if err != nil && failed == nil {
			return l.mirrorProblem(ctx, err)
		}
		return failed
	}
	switch l.out.Format {
	case output.CSV:
		err = l.writeChanges(each)
	case output.JSON:
		if err = each(func(c changedRow) error { return l.out.Object(c.object()) }); err == nil {
			err = l.out.Object(l.changesObject(h, found))
		}
	default:
		table := l.out.Table(changeColumns...)
		err = each(func(c changedRow) error { return table.Row(l.changeCells(c)...) })
	}
	if err == nil {
		err = l.buffer.Flush()
	}
	return found, err
}

// writeChanges prints the rows as CSV.
func (l *lister) writeChanges(each func(do func(changedRow) error) error) (err error) {
	rows := func(yield func(changedRow, error) bool) {
		err = each(func(c changedRow) error {
			if !yield(c, nil) {
				return errNotTaken
			}
			return nil
		})
	}
	if _, written := export.Write(l.out, export.CSV, changesTable(), rows, nil); written != nil {
		return written
	}
	return err
}

// eachChange calls do with those of some rows that the query finds.
func (l *lister) eachChange(ctx context.Context, some []mirror.Change, do func(changedRow) error) (n int, err error) {
	rows := make([]api.Row, len(some))
	listed := map[api.Reference]bool{}
	for i, c := range some {
		rows[i] = changedRow{Change: c}.now()
		listed[api.Reference(c.ID.Line(0))] = true
	}
	numbers, err := listing.Select(rows).Rows.Match(ctx, l.query, listing.Order{})
	if err != nil {
		return 0, context.Cause(ctx)
	}
	m := l.marksAmong(ctx, func(r api.Reference) bool { return listed[r] })
	for _, i := range numbers {
		c := changedRow{Change: some[i]}
		c.mismatch, c.unchecked = m.about(c.ID)
		if err := do(c); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

var changeColumns = []output.Column{
	{Name: "What", Width: 10}, {Name: "From", Width: 12}, {Name: "To", Width: 12}, {Name: "Amount", Width: 14, Right: true}, {Name: "Cur", Width: 3}, {Name: "ID", Width: 36}, {Name: "Amount before"},
}

// changeCells are a row that changed, as the screens have it: what the list said before has never the colour of success.
func (l *lister) changeCells(c changedRow) []ui.Cell {
	row := c.now()
	cells := []ui.Cell{
		{Text: present.ChangeWord(c.Kind)}, {Text: "—"}, {Text: "—"}, {Text: l.amount(row)}, {Text: row.Currency.Line(8)}, {Text: export.Masked(c.ID)}, {},
	}
	if present.RowIsIn(c.Was) {
		cells[1].Text = present.ShortStatus(c.Was.Status)
	}
	if present.RowIsIn(c.Is) {
		cells[2] = listedRow{Transaction: export.Transaction{Row: c.Is}, mismatch: c.mismatch, unchecked: c.unchecked}.status()
	}
	if c.Kind == mirror.Amount {
		cells[6].Text = l.amount(c.Was) + " " + c.Was.Currency.Line(8)
	}
	return cells
}

// kindNames are the kinds of changes for programs.
var kindNames = map[mirror.Kind]string{
	mirror.Added: "new", mirror.Moved: "moved", mirror.Amount: "amount", mirror.Gone: "gone", mirror.Passed: "passed", mirror.Back: "back",
}

// object is the change as an object. A success that the list had before is none now.
func (c changedRow) object() shape.Change {
	o := shape.Change{
		Schema: shape.ChangeSchema, Change: kindNames[c.Kind], ID: export.Masked(c.ID), Mismatch: shape.NewMismatch(c.mismatch),
		Unchecked: c.unchecked, After: shape.Time(c.After), Before: shape.Time(c.Before),
	}
	if present.RowIsIn(c.Was) {
		was := listedObject(c.Was, true)
		o.Was = &was
	}
	if present.RowIsIn(c.Is) {
		is := listedObject(c.Is, !c.mismatch.IsZero() || c.unchecked)
		o.Is = &is
	}
	return o
}

// changesObject is the object behind the rows.
func (l *lister) changesObject(h mirror.History, found int) shape.Changes {
	o := shape.Changes{
		Schema: shape.ChangesSchema, New: h.Count(mirror.Added), Moved: h.Count(mirror.Moved), Amount: h.Count(mirror.Amount),
		Gone: h.Count(mirror.Gone), Passed: h.Count(mirror.Passed), Back: h.Count(mirror.Back),
		Why: present.ChangesDoubts(h, time.Now().Local()),
	}
	if !l.query.Empty() {
		o.Where, o.RowsFound = l.query.String(), &found
	}
	for _, s := range []struct {
		mirror.Scan
		to **shape.ListReading
	}{{h.From, &o.From}, {h.To, &o.To}} {
		if s.N != 0 {
			*s.to = &shape.ListReading{Began: shape.Time(s.Began), Ended: shape.Time(s.Ended), Rows: s.Rows, Trusted: s.Trusted}
		}
	}
	return o
}
