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
