package cli

import (
	"context"
	"errors"
	"strings"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/mirror"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
)

// whole reads the whole list, and prints its rows as they come, or its totals at the end.
func (l *lister) whole(ctx context.Context) (err error) {
	found, last := 0, listing.State{}
	if l.totals {
		if last, err = l.follow(ctx, nil); err == nil {
			var rows listing.Selection
			if rows, err = l.selection(ctx, last); err == nil {
				found = rows.Len()
				err = l.printTotals(ctx, rows, l.reading(last, found))
			}
		}
	} else {
		err = l.print(func(yield func(listedRow) bool) error {
			from := 0
			var failed error
			last, failed = l.follow(ctx, func(s listing.State) error {
				n, err := l.batch(ctx, s, from, yield)
				found, from = found+n, s.Read
				return err
			})
			return failed
		})
	}
	return l.endList(ctx, last, found, err)
}

// batch prints the rows from one on that were read meanwhile, and returns how many.
func (l *lister) batch(ctx context.Context, s listing.State, from int, yield func(listedRow) bool) (n int, err error) {
	if s.Read == from {
		return 0, nil
	}
	numbers, err := s.Rows.MatchBetween(ctx, l.query, from, s.Read)
	if err != nil {
		return 0, context.Cause(ctx)
	}
	m := l.marksOf(ctx, s.Rows, numbers)
	if len(numbers) > 0 {
		l.progress.clear()
	}
	for _, i := range numbers {
		if !yield(m.row(s.Rows.At(int(i)), int(i)+1)) {
			return n, errNotTaken
		}
		n++
	}
	return n, l.buffer.Flush()
}

// follow reads the whole list, says how far it is, and calls grown with each state that has more rows; nil for nothing.
// It ends with the last state.
func (l *lister) follow(ctx context.Context, grown func(listing.State) error) (s listing.State, err error) {
	l.Scans.Start()
	for since := -1; ; since = s.N {
		if s, err = l.Scans.Changed(ctx, since); err != nil || ctx.Err() != nil {
			l.Scans.Pause()
			return l.Scans.State(), context.Cause(ctx)
		}
		if grown != nil {
			if err := grown(s); err != nil {
				l.Scans.Pause()
				return s, err
			}
		}
		switch s.Phase {
		case listing.Done:
			return s, nil
		case listing.Paused:
			if err := l.goOn(ctx, s); err != nil {
				return s, err
			}
			l.Scans.Resume()
		default:
			if err := l.tooLong(s); err != nil {
				l.Scans.Pause()
				return s, err
			}
			l.showProgress(s)
		}
	}
}

// showProgress says how far the scan is, or what it waits for.
func (l *lister) showProgress(s listing.State) {
	switch {
	case s.Phase == listing.Waiting:
		why := "the service asks to wait"
		if s.Err != nil {
			why = strings.TrimSuffix(present.Error(s.Err, present.Reading).What, ".")
		}
		l.progress.show("Waiting until "+present.Clock(s.Until.Local())+": "+why+".", !s.Until.Equal(l.until))
		l.until = s.Until
	case s.Pages == 0:
		l.progress.show("Reading the first page…", false)
	default:
		l.progress.show(strings.Join(present.ScanProgress(s), " · "), false)
	}
}

// tooLong ends the reading of a list that nobody can be asked about, as soon as that is known.
func (l *lister) tooLong(s listing.State) error {
	if s.Of <= listing.MostPages || l.yes || l.p.ask.Available() {
		return nil
	}
	return usage("The service reports " + present.Count(s.Of, "page", "pages") + ". Add --yes to read more than " +
		present.Thousands(listing.MostPages) + " without a question.")
}

// goOn decides whether reading goes on after it stopped by itself: somebody is asked where that is possible.
func (l *lister) goOn(ctx context.Context, s listing.State) error {
	l.progress.clear()
	switch {
	case s.Why == listing.AtLimit && l.yes:
		return nil
	case s.Why == listing.AtLimit && !l.p.ask.Available():
		return usage(present.Count(s.Pages, "page was", "pages were") + " read. Add --yes to read more without a question.")
	case s.Why == listing.AtLimit:
		l.p.say("%s were read: %s.", present.Count(s.Pages, "page", "pages"), present.Count(s.Read, "row", "rows"))
		if s.Of > s.Pages {
			l.p.say("The service reports %s.", present.Count(s.Of-s.Pages, "more page", "more pages"))
		}
		return l.asked(ctx, "Read more than "+present.Thousands(s.Pages)+" pages?", exit(Failed, nil))
	case s.Why == listing.ByFull:
		return exit(Failed, errFull)
	case s.Err == nil:
		return exit(Failed, nil)
	}
	err := l.p.problem(s.Err, present.Reading, "")
	if _, refused := errors.AsType[*api.Refusal](s.Err); refused && !api.Temporary(s.Err) || !l.p.ask.Available() {
		return err
	}
	return l.asked(ctx, "Try page "+present.Thousands(s.Page)+" again?", err)
}

const errFull sentence = "The rows take as much memory as they may: the rest of the list was not read."

// asked asks a question; no is the error where the answer is no.
func (l *lister) asked(ctx context.Context, question string, no error) error {
	err := l.p.yes(ctx, question)
	switch {
	case errors.Is(err, errDeclined):
		return no
	case isSignal(err):
		l.p.say("") // what follows is not said behind the question
	}
	return err
}

// selection are the rows that were read, or those that the query finds.
func (l *lister) selection(ctx context.Context, s listing.State) (rows listing.Selection, err error) {
	rows = listing.Selection{Rows: s.Rows, N: s.Read}
	if !l.query.Empty() {
		if rows.Numbers, err = s.Rows.MatchBetween(ctx, l.query, 0, s.Read); err != nil {
			return rows, context.Cause(ctx)
		}
	}
	return rows, nil
}

// endList says how the reading ended: what speaks for these rows being all, or how far it came. ended is the error that
// ended it.
func (l *lister) endList(ctx context.Context, s listing.State, found int, ended error) error {
	l.progress.clear()
	if gone(ended) { // nobody reads what would be printed
		return ended
	}
	if !l.totals {
		if err := l.printReading(l.reading(s, found)); err != nil {
			return err
		}
	}
	if !l.query.Empty() {
		l.p.say("%s found in %s read.", present.Count(found, "row was", "rows were"), present.Thousands(s.Read))
	}
	l.p.say("%s", verdict(s))
	if ended == nil && s.Phase == listing.Done {
		_, ended = l.waitKept(ctx, s)
		if ended == nil && !s.Verdict.Trusted {
			ended = exit(NotFinal, nil) // the verdict has said why
		}
	}
	return ended
}

// verdict says what a scan found out about the list, or how far it came.
func verdict(s listing.State) string {
	if s.Phase != listing.Done {
		words := "Stopped at row " + present.Thousands(s.Read)
		if s.Counted {
			words += " of " + present.Thousands(max(s.Total, s.Read))
		}
		words += ", page " + present.Thousands(s.Pages)
		if s.Of > 0 {
			words += " of " + present.Thousands(max(s.Of, s.Pages))
		}
		return words + ": the list was not read to its end."
	}
	words := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended.Local()) + present.Verdict(s.Verdict)
	if !s.Verdict.Trusted {
		words += ": " + strings.Join(present.VerdictFacts(s), "; ") + ". Read it again to have all of it"
	}
	return words + "."
}

// reading is how much of the list a scan has read.
func (l *lister) reading(s listing.State, found int) shape.Reading {
	r := shape.Reading{
		RowsRead: s.Read, PagesRead: s.Pages, Complete: s.Phase == listing.Done, Trusted: s.Phase == listing.Done && s.Verdict.Trusted,
		Began: shape.Time(s.Began), Ended: shape.Time(s.Ended),
	}
	if s.Counted {
		r.Total = &s.Total
	}
	if s.Of > 0 {
		r.PageCount = &s.Of
	}
	if why := present.NotWhole(s); why != "" {
		r.Why = append(r.Why, why)
	}
	if r.Complete && !r.Trusted {
		r.Why = append(r.Why, present.VerdictFacts(s)...)
	}
	return l.searched(r, found)
}

// waitKept waits until a list that was read to its end is kept, since the program ends with the command, and says what
// became of it. That it is not kept is no error of the list.
func (l *lister) waitKept(ctx context.Context, s listing.State) (kept bool, err error) {
	if l.Mirror == nil {
		return false, nil
	}
	for since := -1; ; {
		p, _ := l.Mirror.Changed(ctx, since)
		since = p.N
		switch {
		case ctx.Err() != nil:
			l.progress.clear()
			l.p.say("Stopped before it was kept: the next time compares with what was kept before.")
			return false, context.Cause(ctx)
		case p.Rows != s.Rows || p.Step == mirror.Keeping || p.Step == mirror.Held:
			l.progress.show("Keeping what was read…", false)
			continue
		case p.Step == mirror.NotKept:
			l.progress.clear()
			l.p.say("Not kept: %s", present.MirrorProblem(p.Err))
			return false, nil
		}
		l.progress.clear()
		l.p.say("%s", present.KeptWords(p.Summary, "Kept: from the next time on, --since-last prints what changes."))
		return true, nil
	}
}
