package present

import (
	"fmt"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/ui"
)

// ScanProgress returns how far a scan that is under way has come, how fast, and how long it will take; or what it waits for.
func ScanProgress(s listing.State) string {
	switch {
	case s.Phase == listing.Waiting && s.Err != nil:
		return ScanWaits(s) + ": " + strings.TrimSuffix(Error(s.Err, Reading).What, ".")
	case s.Phase == listing.Waiting:
		return ScanWaits(s) + ": the service asks to wait"
	case s.Pages == 0:
		return "Reading the first page…"
	}
	page := "page " + Thousands(s.Pages)
	if s.Of > 0 {
		page += " of " + Thousands(max(s.Of, s.Pages))
	}
	words := []string{page}
	if s.Rate > 0 {
		words = append(words, Thousands(s.Rate)+" rows/s")
	}
	if s.Left >= time.Second {
		words = append(words, Age(s.Left)+" left")
	}
	return strings.Join(words, " · ")
}

// ScanWaits returns until when a scan waits.
func ScanWaits(s listing.State) string { return "Waiting until " + Clock(s.Until) }

// NotWhole returns why the rows of a scan are not the list as it was at one time; "" where they are.
func NotWhole(s listing.State) string {
	switch {
	case s.Stale():
		return "The rows were read before the key was entered: the list may be a different one now."
	case s.Phase != listing.Done && s.Counted && s.Total > s.Read:
		return "The list was not read to its end: " + Thousands(s.Total-s.Read) + " of " + Count(s.Total, "row", "rows") + " are missing."
	case s.Phase != listing.Done:
		return "The list was not read to its end."
	case s.Verdict.Trusted:
		return ""
	case s.Verdict.Changed():
		return "The list changed while it was read: rows may be missing or out of date."
	}
	return "These may not be all rows of the list: it could not be checked."
}

// VerdictFacts returns what speaks against the rows of a scan that has reached the end being all of the list: how it changed
// meanwhile, and what was strange about its pages.
func VerdictFacts(s listing.State) []string { return append(listChanges(s.Verdict), oddities(s)...) }

// listChanges returns how the list differed from itself while it was read.
func listChanges(v listing.Verdict) (all []string) {
	if v.Counted && v.Before != v.After {
		all = append(all, Thousands(v.Before)+" rows became "+Thousands(v.After))
	}
	if v.FirstDiffers {
		all = append(all, "the first page differs now")
	}
	if v.Repeated > 0 {
		all = append(all, Count(v.Repeated, "row", "rows")+" came twice, listed once")
	}
	if v.Differing > 0 {
		all = append(all, Count(v.Differing, "row", "rows")+" came again with other values, listed too")
	}
	return all
}

// strange words what was strange about some pages, which %s names.
var strange = map[listing.Strange]string{
	listing.WrongNumber:  "%s came with the number of another",
	listing.EmptyPage:    "%s was empty before the end",
	listing.NothingNew:   "%s repeated rows of others",
	listing.MorePages:    "pages were added after %s",
	listing.FewerPages:   "there were fewer pages after %s",
	listing.NoCount:      "%s did not say how many there are",
	listing.FewTotal:     "%s had more rows than the service reports in all",
	listing.LargePage:    "%s had more rows than were asked for",
	listing.OtherTotal:   "%s reported another total than the first",
	listing.KeepsGrowing: "reading ended at %s, since the list kept growing",
	listing.NeverEnds:    "reading ended at %s, after pages that brought nothing new",
}

// oddities returns what was strange about the pages and the rows.
func oddities(s listing.State) (all []string) {
	v := s.Verdict
	switch {
	case !v.Counted:
		all = append(all, "the service does not say how many there are")
	case v.Unique != v.After:
		all = append(all, Count(v.Unique, "different ID", "different IDs")+" for "+Count(v.After, "row", "rows")+" reported")
	}
	if v.Nameless > 0 {
		all = append(all, Count(v.Nameless, "row", "rows")+" without an ID")
	}
	return append(all, OddPages(s)...)
}

// OddPages returns what was strange about the pages that were read.
func OddPages(s listing.State) (all []string) {
	for _, o := range s.Verdict.Odd {
		pages := "page " + Thousands(o.Page)
		if o.Pages > 1 {
			pages += " and " + Thousands(o.Pages-1) + " more"
		}
		all = append(all, fmt.Sprintf(strange[o.What], pages))
	}
	return all
}

// Verdict words whether the rows of a scan that reached the end of the list are all of it, as the end of a sentence about
// those rows. It says that the list changed only where that was seen.
func Verdict(v listing.Verdict) string {
	switch {
	case v.Trusted:
		return ", no change seen while it was read"
	case v.Changed():
		return ", but the list changed while it was read"
	}
	return ", which may not be all"
}

// ClassOf returns how a class of rows is shown: by what the status means, and the service's own word where that is not known.
func ClassOf(c listing.Class) (ui.Tone, string) {
	switch {
	case c.Differs:
		return ui.ToneMismatch, Mismatch
	case c.State == api.Unrecognised:
		return ui.ToneUnknown, Quoted(c.Text, "NO STATUS")
	}
	s := api.Status{State: c.State}
	return Tone(s), ShortStatus(s)
}

// Quoted is a word as the service sent it, and none where it sent none.
func Quoted(word api.Text, none string) string {
	if word.Empty() {
		return none
	}
	return `"` + word.Line(20) + `"`
}

// Kept says what became of the last scan in the mirror; "" before there is one.
func Kept(p listing.Progress) (ui.Tone, string) {
	switch p.Step {
	case listing.Keeping:
		return ui.ToneNone, "Saving these rows…"
	case listing.NotKept:
		return ui.ToneAct, "Not saved: " + MirrorProblem(p.Err)
	case listing.Kept:
		return keptTone(p.Summary), KeptWords(p.Summary, "Saved. Search since:last to see what changes from now on.")
	}
	return ui.ToneNone, ""
}

func keptTone(s listing.Summary) ui.Tone {
	if s.SetAside != "" || s.NoLog || s.Unkept > 0 || s.Doubled > 0 {
		return ui.ToneAct
	}
	return ui.ToneNone
}

// KeptWords say what a scan that was kept found changed, and what was not kept or is in doubt; first is said of the
// first scan of a service.
func KeptWords(s listing.Summary, first string) string {
	words := []string{first}
	if !s.First {
		words[0] = "Saved. " + Since(s)
		if s.Trusted || s.New+s.Moved+s.Gone > 0 {
			words[0] += " since the scan before"
		}
		words[0] += "."
	}
	add := func(is bool, sentence string) {
		if is {
			words = append(words, sentence)
		}
	}
	add(s.SetAside != "", "The saved list was damaged. It was set aside as "+Plain(s.SetAside)+", and a new one was started.")
	add(s.Missing == 1, "1 row that was saved before was not read in this scan, which does not prove it gone.")
	add(s.Missing > 1, Thousands(s.Missing)+" rows that were saved before were not read in this scan, which does not prove them gone.")
	add(s.Doubled > 0, Count(s.Doubled, "ID", "IDs")+" came with different values, which is not recorded as a change.")
	add(s.Unkept > 0, Count(s.Unkept, "row is", "rows are")+" not saved, because the ID is too long, has characters that cannot be shown, or looks like a card number.")
	add(s.NoLog, "There were too many changes to save.")
	add(s.Dropped > 0 && !s.NoLog, "The oldest changes were dropped to make room.")
	return strings.Join(words, " ")
}

// Since returns what a scan found changed, in numbers: "3 new, 2 changed, 1 gone". A scan that is not trusted says
// nothing of the rows that it did not read.
func Since(s listing.Summary) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{s.New, "new"}, {s.Moved, "changed"}, {s.Gone, "gone"}} {
		if c.n > 0 {
			parts = append(parts, Thousands(c.n)+" "+c.word)
		}
	}
	switch {
	case parts != nil:
	case !s.Trusted:
		return unchanged(s.Scan)
	default:
		return "Nothing changed"
	}
	return strings.Join(parts, ", ")
}

// unchanged says that a scan that is not trusted found nothing changed.
func unchanged(s listing.Scan) string {
	return "Nothing changed among the " + Count(s.Rows, "row", "rows") + " read"
}

// MirrorProblem returns why the mirror could not be read or written.
func MirrorProblem(err error) string { return Sentence(err.Error()) }
