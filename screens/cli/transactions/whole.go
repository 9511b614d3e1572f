package transactions

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// whole reads the whole list, and prints its rows as they come; its totals, or what it is compared with, at the end.
func (l *lister) whole(ctx context.Context) (err error) {
	found, kept, last := 0, false, listing.State{}
	atTheEnd := l.totals || l.asked != "" || listing.AsksLedger(l.query)
	if atTheEnd {
		last, err = l.follow(ctx, nil)
	} else {
		if l.p.Getenv("GOGC") == "" && l.p.Getenv("GOMEMLIMIT") == "" {
			defer collectSeldom()()
		}
		l.begin()
		last, err = l.follow(ctx, func(s listing.State, from int) error {
			n, err := l.print(ctx, s.Rows, listing.Search{Query: l.query, From: from, To: s.Read, First: 1})
			found += n
			return err
		})
		l.end()
	}
	l.readList(last)
	if err == nil {
		kept, err = l.waitKept(ctx, last)
	}
	if err == nil && atTheEnd {
		found, err = l.compared(ctx, last, kept)
	}
	return l.endList(ctx, last, found, err)
}

// collectSeldom lets the heap grow to four times what is in use, and to 30 MB at most where that suffices, until done is called. Rows
// pass through: kept near to what is in use, collecting them takes a quarter of the time.
func collectSeldom() (done func()) {
	percent, limit := debug.SetGCPercent(300), debug.SetMemoryLimit(30<<20)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// compared prints what the query finds in a list that was read to its end, and kept or not.
func (l *lister) compared(ctx context.Context, s listing.State, kept bool) (found int, err error) {
	if l.asked != "" {
		if !kept {
			return 0, command.Sentence("The list was read but not saved: what changed is not known.")
		}
		_, h, err := l.compare(ctx, s.Rows)
		if err != nil {
			return 0, err
		}
		l.sayCompared(h)
	}
	return l.printKnown(ctx, s, 1)
}

// compare puts beside rows what changed since the earlier reading that is asked about; without any it returns those that changed.
func (l *lister) compare(ctx context.Context, rows *listing.Rows) (*listing.Rows, listing.History, error) {
	changed, h, err := l.Mirror.Compare(ctx, l.asked, rows)
	switch {
	case err != nil:
		err = l.mirrorProblem(ctx, err)
	case h.To.N == 0:
		err = command.Toward(command.WhyFailed, "This service's list is not saved yet.", "paydesk transactions --all", "saves it; the next time shows what changed")
	case h.From.N == 0:
		err = command.Toward(command.WhyFailed, "The list was saved once, at "+present.When(h.To.Ended, time.Now().Local())+": there is no earlier scan to compare with.",
			"paydesk transactions --all", "reads it again; --where since:last then finds what has changed")
	}
	return changed, h, err
}

// changed prints what changed between the last two readings of the whole list, or since an earlier one, without reading it.
func (l *lister) changed(ctx context.Context) error {
	rows, h, err := l.compare(ctx, nil)
	if err != nil {
		return err
	}
	l.read = output.Reading{RowsRead: h.To.Rows, Complete: true, Trusted: h.To.Trusted, Began: output.Time(h.To.Began), Ended: output.Time(h.To.Ended)}
	l.sayCompared(h)
	found, err := l.printKnown(ctx, listing.State{Rows: rows, Began: h.To.Began}, 0)
	if err != nil || l.totals {
		return err
	}
	l.p.Say("%s found.", present.Count(found, "row was", "rows were"))
	l.printReading(found)
	return nil
}

// sayCompared says which readings were compared, and what that cannot tell.
func (l *lister) sayCompared(h listing.History) {
	says, doubts := present.ChangesCompared(h, time.Now().Local())
	for _, words := range says {
		l.p.Say("%s", words)
	}
	l.doubt(doubts)
	l.read.Since = &output.ListReading{Began: output.Time(h.From.Began), Ended: output.Time(h.From.Ended), Rows: h.From.Rows, Trusted: h.From.Trusted}
}

// knowLedger puts the payments made from here beside the rows, where the query asks about them.
func (l *lister) knowLedger(ctx context.Context, s listing.State) error {
	if !listing.AsksLedger(l.query) {
		return nil
	}
	compared, err := s.Rows.KnowLedger(ctx, s, l.Recorder.EachPayment)
	if err != nil {
		return err
	}
	says, doubts := present.LedgerCompared(compared, s.Phase == listing.Done && s.Verdict.Trusted)
	for _, words := range says {
		l.p.Warn("%s", words)
	}
	l.doubt(doubts)
	return nil
}

// doubt says what a comparison cannot tell, also in the object behind the rows.
func (l *lister) doubt(all []string) {
	l.read.Why = append(l.read.Why, all...)
	for _, words := range all {
		l.p.Warn("%s", words)
	}
}

func (l *lister) mirrorProblem(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return command.Sentence(present.MirrorProblem(err))
}

// follow reads the whole list, says how far it is, and calls each where rows came, with the place of the first of them; nil for nothing.
// It ends with the last state.
func (l *lister) follow(ctx context.Context, each func(s listing.State, from int) error) (s listing.State, err error) {
	l.Scans.Start()
	s.N = -1
	for printed := 0; s.Phase != listing.Done; {
		if s, err = l.Scans.Changed(ctx, s.N); err == nil {
			err = l.tooLong(s) // before the first row is printed
		}
		if err == nil && each != nil && s.Read > printed {
			err = each(s, printed)
			printed = s.Read
			l.p.Data.Flush()
		}
		if err == nil && ctx.Err() == nil {
			err = l.at(ctx, s)
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			l.Scans.Pause()
			return l.Scans.State(), err
		}
	}
	return s, nil
}

// at says how far the scan is, or decides whether it goes on.
func (l *lister) at(ctx context.Context, s listing.State) (err error) {
	switch s.Phase {
	case listing.Done:
	case listing.Paused:
		if err = l.goOn(ctx, s); err == nil {
			l.Scans.Resume()
		}
	default:
		l.p.Progress(present.ScanProgress(s), !s.Until.IsZero() && !s.Until.Equal(l.until))
		l.until = s.Until
	}
	return err
}

// tooLong ends the reading of a list that needs a yes where no question can be put, as soon as the service tells its length.
func (l *lister) tooLong(s listing.State) error {
	if s.Of <= listing.MostPages || l.yes || l.p.Ask.Available() {
		return nil
	}
	return command.Refuse(command.WhyUnconfirmed, "The service reports "+present.Count(s.Of, "page", "pages")+".",
		"Add --yes to read more than "+present.Thousands(listing.MostPages)+" pages.")
}

// goOn decides whether reading goes on after it stopped by itself: it asks a person where that is possible.
func (l *lister) goOn(ctx context.Context, s listing.State) error {
	switch {
	case s.Why == listing.AtLimit && l.yes:
		return nil
	case s.Why == listing.AtLimit && !l.p.Ask.Available():
		return command.Refuse(command.WhyUnconfirmed, present.Count(s.Pages, "page was", "pages were")+" read.", "Add --yes to read more.")
	case s.Why == listing.AtLimit:
		l.p.Say("%s were read: %s.", present.Count(s.Pages, "page", "pages"), present.Count(s.Read, "row", "rows"))
		if s.Of > s.Pages {
			l.p.Say("The service reports %s.", present.Count(s.Of-s.Pages, "more page", "more pages"))
		}
		return l.confirmed(ctx, "Read more than "+present.Thousands(s.Pages)+" pages?", command.EndedBy(command.WhyDeclined))
	case s.Why == listing.ByFull:
		return command.Sentence("There is no room for more rows: the rest of the list was not read.")
	case s.Err == nil:
		return command.EndedBy(command.WhyFailed)
	}
	err := command.Problem(s.Err, present.Reading, "")
	if _, refused := errors.AsType[*api.Refusal](s.Err); refused && !api.Temporary(s.Err) || !l.p.Ask.Available() {
		return err
	}
	return l.confirmed(ctx, "Try page "+present.Thousands(s.Page)+" again?", l.p.Tell(err))
}

// confirmed asks a question; no is the error where the answer is no.
func (l *lister) confirmed(ctx context.Context, question string, no error) error {
	err := l.p.Yes(ctx, question)
	switch {
	case errors.Is(err, command.ErrDeclined):
		return no
	case command.IsSignal(err):
		l.p.Say("") // what follows is not said behind the question
	}
	return err
}

// endList says how the reading ended: what speaks for these rows being all, or how far it came. ended is the error that
// ended it.
func (l *lister) endList(ctx context.Context, s listing.State, found int, ended error) error {
	if l.printReading(found); l.p.Unprinted != nil { // nothing that is said is about what was printed
		return ended
	}
	if !l.query.Empty() {
		l.p.Say("%s found in %s read.", present.Count(found, "row was", "rows were"), present.Thousands(s.Read))
	}
	switch whole := s.Phase == listing.Done; {
	case !whole:
		l.p.Warn("%s", verdict(s))
	case s.Verdict.Trusted || ended != nil:
		l.p.Say("%s", verdict(s))
	}
	if ended == nil && !s.Verdict.Trusted {
		ended = command.Refuse(command.WhyListChanged, verdict(s), "Read it again to have all of it.")
	}
	return ended
}

// verdict says what a scan found out about the list, or how far it came.
func verdict(s listing.State) string {
	if s.Phase != listing.Done {
		return "Stopped at row " + present.Thousands(s.Read) + ". " + present.NotWhole(s)
	}
	words := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended.Local()) + present.Verdict(s.Verdict)
	if !s.Verdict.Trusted {
		words += ": " + strings.Join(present.VerdictFacts(s), "; ")
	}
	return words + "."
}

// readList notes how much of the list a scan has read.
func (l *lister) readList(s listing.State) {
	done := s.Phase == listing.Done
	l.read = output.Reading{
		RowsRead: s.Read, PagesRead: s.Pages, Complete: done && !s.Verdict.GaveUp(), Trusted: done && s.Verdict.Trusted,
		Began: output.Time(s.Began), Ended: output.Time(s.Ended),
	}
	if s.Counted {
		l.read.Total = &s.Total
	}
	if s.Of > 0 {
		l.read.PageCount = &s.Of
	}
	if why := present.NotWhole(s); why != "" {
		l.read.Why = append(l.read.Why, why)
	}
	if done && !l.read.Trusted {
		l.read.Why = append(l.read.Why, present.VerdictFacts(s)...)
	}
}

// waitKept waits until a list that was read to its end is kept, since the program ends with the command, and says what
// became of it. That it is not kept is no error of the list.
func (l *lister) waitKept(ctx context.Context, s listing.State) (kept bool, err error) {
	if l.Mirror == nil {
		return false, nil
	}
	for err == nil && s.Kept.Step == listing.Keeping {
		l.p.Progress("Saving what was read…", false)
		s, err = l.Scans.Changed(ctx, s.N)
	}
	switch {
	case ctx.Err() != nil:
		l.p.Warn("Stopped before it was saved: the next time compares with what was saved before.")
		return false, context.Cause(ctx)
	case s.Kept.Step == listing.NotKept:
		l.p.Warn("Not saved: %s", present.MirrorProblem(s.Kept.Err))
		return false, nil
	}
	l.p.Say("%s", present.KeptWords(s.Kept.Summary, "Saved: from the next time on, --where since:last finds what changed."))
	return true, nil
}
