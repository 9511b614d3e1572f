package present

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// History returns what happened to a payment, or to another attempt, as a rail in at most h lines: under a rule each
// event with its time, what it was, where it came from and how long after the one before, newest last. ahead
// lists what is still to come. Where there is no room for all, the rule says so. It is the same on every
// screen. differs is set for a payment with a mismatch.
func History(t *ui.Theme, events []ledger.Event, differs bool, w, h int, ahead ...ui.Stop) []string {
	all := ledger.Lines(events)
	var stops []ui.Stop
	for i, l := range all {
		s := historyStop(t, l, differs, w)
		if i > 0 {
			s.After = later(all[i-1].Event, l.Event)
		}
		stops = append(stops, s)
	}
	if len(stops)+len(ahead) < h { // what was comes before what is ahead
		stops = append(stops, ahead...)
	}
	rail, shown := t.Rail(stops, w, h-1)
	left := len(stops) - shown
	if len(all) == 0 || shown == 0 {
		return nil
	}
	note := "newest last"
	if left > 0 {
		note = "the latest " + strconv.Itoa(len(all)-left) + " of " + strconv.Itoa(len(all))
	}
	return append([]string{t.Rule("History", dayOf(all[left].Event)+" · "+note, w)}, rail...)
}

func dayOf(e ledger.Event) string { return e.At.Local().Format("2006-01-02") }

// later returns how long after another event one was, with its day if that is another.
func later(than, e ledger.Event) string {
	words := []string{Lasted(e.At.Sub(than.At))}
	if day := dayOf(e); day != dayOf(than) {
		words = append(words, day)
	}
	return strings.Trim(strings.Join(words, " · "), " ·")
}

// historyStop is one event. What does not fit beside what it was moves to lines of its own.
func historyStop(t *ui.Theme, l ledger.Line, differs bool, w int) ui.Stop {
	word, tone := Event(l.Event, differs)
	text, detail, from, room := t.Mark(tone, word), eventDetail(l.Event), Plain(l.From), ui.RailText(w)
	if tone == ui.ToneNone {
		text = "  " + text // in line with those that have a glyph
	}
	column := min(max(w-30, 17), 36)
	if detail != "" && ansi.StringWidth(text)+1+ansi.StringWidth(detail) <= column {
		text, detail = text+" "+detail, ""
	}
	style := t.Muted
	if l.AfterFinal {
		from, style = from+", after final", t.Error
	}
	s := ui.Stop{At: Clock(l.At.Local()), What: text}
	if beside := ui.Fit(text, max(column, ansi.StringWidth(text))) + "  " + style.Render(from); ansi.StringWidth(beside) <= room {
		s.What, from = strings.TrimRight(beside, " "), ""
	} else if ansi.StringWidth(text) > room {
		lines := t.MarkLines(tone, word, room)
		s.What, s.More = lines[0], lines[1:]
	}
	for _, more := range []string{detail, from} {
		if more == "" {
			continue
		}
		for _, line := range ui.Wrap(more, max(room-2, 1)) {
			s.More = append(s.More, "  "+style.Render(line))
		}
	}
	return s
}

// Event returns what an event of a history was. Only a status has a tone of its own, and that of success
// only without a mismatch.
func Event(e ledger.Event, differs bool) (string, ui.Tone) {
	s, reported := e.Status()
	switch {
	case e.What == ledger.Differed:
		return Mismatch, ui.ToneMismatch
	case reported && Tone(s) == ui.ToneGood && differs:
		return OwnWord(s), ui.ToneMismatch
	case reported:
		return OwnWord(s), Tone(s)
	}
	if call, ok := strings.CutSuffix(e.What, string(ledger.Unresolved)); ok {
		return Plain(call + Unresolved), ui.ToneUnknown
	}
	return Plain(e.What), ui.ToneNone
}

// eventDetail is the rest of an event. The word of a status is told already, unless it is not in the
// specification.
func eventDetail(e ledger.Event) string {
	if s, reported := e.Status(); reported && s.State != api.Unrecognised {
		return ""
	}
	return Plain(e.Detail)
}
