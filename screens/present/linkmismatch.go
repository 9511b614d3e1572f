package present

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// linkMismatch is the sentence beside [Mismatch] for a link.
const linkMismatch = "The link was created, but not as it was asked for."

// LinkMismatchHeading is [Mismatch] with its sentence, on one line where both fit in w cells.
func LinkMismatchHeading(t *ui.Theme, w int) []string {
	return Heading(t.Chip(ui.ToneMismatch, Mismatch), linkMismatch, w)
}

// LinkDifferences returns how a link differs from what was asked, part by part: what was asked beside
// what was answered on a line each, or one below the other where w cells are too narrow for that.
func LinkDifferences(t *ui.Theme, l api.Link, w int) []string {
	const label, gap = 13, 2
	wide := len("asked")
	for _, d := range l.Differs {
		wide = max(wide, ansi.StringWidth(d.Asked.Line(0)))
	}
	narrow := slices.ContainsFunc(l.Differs, func(d api.LinkDifference) bool {
		return label+wide+gap+ansi.StringWidth(d.Answered.Line(0)) > w
	})
	var lines []string
	if !narrow {
		lines = append(lines, t.Muted.Render(strings.Repeat(" ", label)+ui.Fit("asked", wide+gap)+"answered"))
	}
	for _, d := range l.Differs {
		part, room := capital(d.Part.Line(0)), max(w-label-len("answered  "), 1)
		if narrow {
			lines = append(lines, t.Fact(part, t.Muted.Render("asked     ")+d.Asked.Line(room), label),
				t.Fact("", t.Muted.Render("answered  ")+t.Strong.Render(d.Answered.Line(room)), label))
			continue
		}
		lines = append(lines, t.Fact(part, ui.Fit(d.Asked.Line(0), wide+gap)+t.Strong.Render(d.Answered.Line(0)), label))
	}
	return lines
}

// capital is an English word with a capital.
func capital(word string) string { return strings.TrimSuffix(Sentence(word), ".") }

// NotAnswered says what the answer about a created link does not name; "" when it names all that is
// compared.
func NotAnswered(l *api.Link) string {
	if l == nil || len(l.Lacks) == 0 {
		return ""
	}
	var parts []string
	for _, p := range l.Lacks {
		parts = append(parts, p.Line(0))
	}
	last := len(parts) - 1
	if last > 0 {
		parts = []string{strings.Join(parts[:last], ", "), parts[last]}
	}
	return "the answer does not name the " + strings.Join(parts, " and ")
}

// ReadFirst says why nothing can be done with a link that must be read.
const ReadFirst = "Read first how this link differs: press enter."

// LinkFacts returns what was asked of a link, with their labels; none where that was not recorded.
func LinkFacts(a ledger.Attempt) [][2]string {
	d := a.Draft
	if d.Name == "" {
		return nil
	}
	return [][2]string{
		{"Name", Plain(d.Name)}, {"Description", Plain(d.Description)},
		{"Can be paid", d.Type.String() + " · the amount is " + d.AmountType.String()},
	}
}
