package present

import (
	"strings"

	"paydesk/api/listing"
	"paydesk/ui"
)

// Kept says what became of the last scan in the mirror; "" before there is one.
func Kept(p listing.Progress) (ui.Tone, string) {
	switch p.Step {
	case listing.Keeping:
		return ui.ToneNone, "Saving these rows…"
	case listing.NotKept:
		return ui.ToneAct, "Not saved: " + MirrorProblem(p.Err)
	case listing.Kept:
		return keptTone(p.Summary), KeptWords(p.Summary, "Saved: since:last finds what changes from now on.")
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
