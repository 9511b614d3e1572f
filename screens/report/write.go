package report

import (
	"io"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/text"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Pairs are the labels and values that a command prints, the history last.
func (r Report) Pairs() (all [][2]string) {
	add := func(label, value string) {
		if value != "" {
			all = append(all, [2]string{label, value})
		}
	}
	add("State", r.Status.Text)
	add("Amount", strings.TrimSpace(r.Amount+" "+r.Remark))
	means := ""
	for _, s := range r.Says {
		if s.In.has(InText) {
			means += " " + s.Text
		}
	}
	add("Means", strings.TrimSpace(means))
	for _, s := range r.Sections {
		for _, f := range s.Facts {
			if f.In.has(InText) {
				add(f.Label, f.words(present.DateTime))
			}
		}
	}
	for _, e := range r.History {
		words, _ := present.Event(e, r.Differs)
		add(present.DateTime(e.At), words)
	}
	return all
}

// WriteMarkdown writes it for a ticket. Every text from outside is a code span on one line, where it cannot be markup, a link
// or a mention. Each time has its offset from UTC: the reader may be in another zone than the operator.
func (r Report) WriteMarkdown(w io.Writer, now time.Time) error {
	var b strings.Builder
	kind, name, _ := strings.Cut(r.Title, " ")
	b.WriteString("# " + kind)
	if name != "" {
		b.WriteString(" " + codeSpan(name))
	}
	b.WriteString("\n\n" + r.summary() + "\n")
	for i, s := range r.Sections {
		var items []string
		if i == 0 && r.Amount != "" {
			items = append(items, "Amount: "+codeSpan(r.Amount))
		}
		for _, f := range s.Facts {
			if f.In.has(InFile) && !f.empty() {
				items = append(items, f.item())
			}
		}
		writeList(&b, s.Title, items, "Nothing is known.")
	}
	writeList(&b, "Not known", r.Unknown, "Nothing is missing.")
	var events []string
	for _, l := range ledger.Lines(r.History) {
		events = append(events, eventItem(l))
	}
	writeList(&b, "History", events, "No events were recorded.")
	b.WriteString("\nWritten by paydesk at " + stamp(now) + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// summary is the paragraph that a reader in a hurry needs, loud where something is in doubt.
func (r Report) summary() string {
	words := []string{r.Status.Text + ":"}
	for _, s := range r.Says {
		switch {
		case !s.In.has(InFile):
		case s.Quoted:
			words = append(words, codeSpan(s.Text))
		default:
			words = append(words, s.Text)
		}
	}
	if r.Status.Tone < ui.ToneMismatch {
		return codeSpan(r.Status.Text) + ": " + strings.Join(words[1:], " ")
	}
	loud := min(len(words), 2)
	return strings.TrimSpace("**" + strings.Join(words[:loud], " ") + "** " + strings.Join(words[loud:], " "))
}

func writeList(b *strings.Builder, title string, items []string, none string) {
	b.WriteString("\n## " + title + "\n\n")
	for _, item := range items {
		b.WriteString("- " + item + "\n")
	}
	if len(items) == 0 {
		b.WriteString(none + "\n")
	}
}

// item is a fact in a list.
func (f Fact) item() string {
	words := f.Label + ":"
	if f.Value != "" {
		words += " " + codeSpan(f.Value)
	}
	switch {
	case f.At.IsZero():
	case f.Value == "":
		words += " " + stamp(f.At)
	default:
		words += " at " + stamp(f.At)
	}
	if f.By != "" {
		words += " by " + codeSpan(f.By)
	}
	return words
}

// eventItem is an event with when, what, from where and by whom, each left out where it is not known.
func eventItem(l ledger.Line) string {
	words := stamp(l.At)
	if l.Until.After(l.At) {
		words += " to " + stamp(l.Until)
	}
	words += ": " + codeSpan(outcomeWord(ledger.Outcome(l.What)))
	if l.Detail != "" {
		words += " " + codeSpan(l.Detail)
	}
	if l.Times > 1 {
		words += ", " + strconv.Itoa(l.Times) + " times"
	}
	by := l.By.String()
	if l.From != "" && l.From != by {
		words += ", from " + codeSpan(l.From)
	}
	if l.AfterFinal {
		words += ", after a final status"
	}
	if by != "" {
		words += ", " + codeSpan(by)
	}
	return words
}

// stamp is a time as files have all of them, to the second.
func stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 -07:00") }

var backticks = text.Pattern("`+")

// codeSpan returns a text as a code span on one line, fenced by more backticks than it has in a row.
func codeSpan(s string) string {
	s = api.Clean(s).Line(0)
	if s == "" {
		return "(none)"
	}
	longest := 0
	for _, run := range backticks().FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	fence := strings.Repeat("`", longest+1)
	// A code span of spaces keeps them all; of another, the outermost space on either side is not part of the text.
	spaced := strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.Trim(s, " ") != ""
	if spaced || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
