package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// HistoryLines returns what happened as a rail in at most h lines, and what it waits for: under a rule each event with its time, what it
// was, where it came from and how long after the one before, newest last. Where there is no room for all, the rule says so.
func (r Report) HistoryLines(t *ui.Theme, w, h int) []string {
	all := ledger.Lines(r.History)
	var stops []ui.Stop
	last := latest(all)
	for i, l := range all {
		s := r.historyStop(t, l, i < last, w)
		if i > 0 {
			s.After = later(all[i-1].Event, l.Event)
		}
		stops = append(stops, s)
	}
	if r.Ahead.What != "" && len(stops)+1 < h { // what was comes before what is ahead
		stops = append(stops, ui.Stop{At: r.Ahead.At, What: t.Muted.Render("  " + r.Ahead.What), Ahead: true})
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

// latest is the index of the last status. What another has taken the place of is drawn without colour.
func latest(all []ledger.Line) int {
	for i, l := range slices.Backward(all) {
		if _, reported := l.Status(); reported {
			return i
		}
	}
	return 0
}

// mark draws what an event was. Of one that is past only what is still in doubt has a colour.
func mark(t *ui.Theme, tone ui.Tone, word string, past bool) string {
	if past && tone < ui.ToneMismatch {
		return ansi.Strip(t.Mark(tone, word))
	}
	return t.Mark(tone, word)
}

func dayOf(e ledger.Event) string { return e.At.Local().Format("2006-01-02") }

// later returns how long after another event one was, with its day if that is another.
func later(than, e ledger.Event) string {
	words := []string{present.Lasted(e.At.Sub(than.At))}
	if day := dayOf(e); day != dayOf(than) {
		words = append(words, day)
	}
	return strings.Trim(strings.Join(words, " · "), " ·")
}

// historyStop is one event. What does not fit beside what it was moves to lines of its own.
func (r Report) historyStop(t *ui.Theme, l ledger.Line, past bool, w int) ui.Stop {
	word, tone := present.Event(l.Event, r.Differs)
	text, detail, from, room := mark(t, tone, word, past), r.eventDetail(l.Event), present.Plain(l.From), ui.RailText(w)
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
	s := ui.Stop{At: present.Clock(l.At.Local()), What: text}
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

// eventDetail is the rest of an event. The word of a status is told already, unless it is not in the specification, and so is what a
// fact has. A decision is named even so: the fact has only the latest. Where one was taken back, the word of the event says so.
func (r Report) eventDetail(e ledger.Event) string {
	detail := present.Plain(e.Detail)
	status, told := e.Status()
	if told = told && status.State != api.Unrecognised; !told && e.What != ledger.Decided {
		isFact := func(f Fact) bool { return f.Value == detail && f.In.has(OnPage) }
		told = slices.ContainsFunc(r.Sections, func(s Section) bool { return slices.ContainsFunc(s.Facts, isFact) })
	}
	if told || e.TakesBack() {
		return ""
	}
	return detail
}

// rail is the end of the history on one line: the latest events that have room.
func (r Report) rail(t *ui.Theme, w int) (line string) {
	const joint = " ─ "
	all := ledger.Lines(r.History)
	last := latest(all)
	for i, l := range slices.Backward(all) {
		word, tone := present.Event(l.Event, r.Differs)
		one := "● " + t.Muted.Render(present.Clock(l.At.Local())) + " " + mark(t, tone, word, i < last)
		if line != "" {
			one += t.Muted.Render(joint)
		}
		if ui.Width(one+line) > w {
			break
		}
		line = one + line
	}
	return line
}
