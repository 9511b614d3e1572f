package present

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/ui"
)

// timeWidth is the time of day in a history, and a gap.
const timeWidth = 10

// History is the history of a payment, or of another attempt, in at most h lines: a heading, then each
// event with its time, what it was and where it came from, newest first. Where there is no room for all,
// the heading says so. It is the same on every screen. differs is whether the payment has a mismatch.
func History(t *ui.Theme, events []journal.Event, differs bool, w, h int) []string {
	all := journal.Lines(events)
	if len(all) == 0 {
		return nil
	}
	day, shown := dayOf(all[len(all)-1].Event), 0
	lines := []string{t.Strong.Render("History") + "  " + t.Muted.Render(day)}
	for i := len(all) - 1; i >= 0 && len(lines) < h; i-- {
		var next []string
		if on := dayOf(all[i].Event); on != day {
			day, next = on, []string{t.Muted.Render(on)}
		}
		head := len(next) + 1
		if next = append(next, historyLines(t, all[i], differs, w)...); len(lines)+len(next) > h {
			next = next[:head] // the event without its details
		}
		if len(lines)+len(next) > h {
			break
		}
		lines = append(lines, next...)
		shown++
	}
	if shown < len(all) {
		lines[0] += t.Muted.Render(" · the latest " + strconv.Itoa(shown) + " of " + strconv.Itoa(len(all)))
	}
	return lines
}

func dayOf(e journal.Event) string { return e.At.Local().Format("2006-01-02") }

// historyLines are one event. What does not fit beside the time moves to lines of its own.
func historyLines(t *ui.Theme, l journal.Line, differs bool, w int) []string {
	word, tone := Event(l.Event, differs)
	text, detail, from := t.Mark(tone, word), eventDetail(l.Event), Plain(l.From)
	if tone == ui.ToneNone {
		text = "  " + text // in line with those that have a glyph
	}
	column := min(max(w-30, 17), 36)
	if detail != "" && ansi.StringWidth(text)+1+ansi.StringWidth(detail) <= column {
		text, detail = text+" "+detail, ""
	}
	line := t.Muted.Render(Clock(l.At.Local())) + "  " + text
	style := t.Muted
	if l.AfterFinal {
		from, style = from+", after final", t.Error
	}
	var lines []string
	beside := ui.Fit(line, max(timeWidth+column, ansi.StringWidth(line))) + "  " + style.Render(from)
	if ansi.StringWidth(beside) <= w {
		lines, from = []string{strings.TrimRight(beside, " ")}, ""
	} else {
		lines = ui.Wrap(line, w)
	}
	for _, more := range []string{detail, from} {
		if more == "" {
			continue
		}
		for _, s := range ui.Wrap(more, max(w-timeWidth-2, 1)) {
			lines = append(lines, strings.Repeat(" ", timeWidth+2)+style.Render(s))
		}
	}
	return lines
}

// Event is what an event of a history was. Only a status has a tone of its own, and that of success
// only without a mismatch.
func Event(e journal.Event, differs bool) (string, ui.Tone) {
	s, reported := e.Status()
	switch {
	case e.What == journal.Differed:
		return Mismatch, ui.ToneMismatch
	case reported && Tone(s) == ui.ToneGood && differs:
		return OwnWord(s), ui.ToneMismatch
	case reported:
		return OwnWord(s), Tone(s)
	}
	if call, ok := strings.CutSuffix(e.What, string(journal.Unresolved)); ok {
		return Plain(call + Unresolved), ui.ToneUnknown
	}
	return Plain(e.What), ui.ToneNone
}

// eventDetail is the rest of an event. The word of a status is told already, unless it is not in the
// specification.
func eventDetail(e journal.Event) string {
	if s, reported := e.Status(); reported && s.State != api.Unrecognised {
		return ""
	}
	return Plain(e.Detail)
}
