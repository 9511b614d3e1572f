package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// WriteText writes the report as text, wrapped to width cells.
func (r Report) WriteText(w io.Writer, width int) error {
	var b strings.Builder
	column := 0
	for _, s := range r.Checks {
		column = max(column, ansi.StringWidth(s.Name))
	}
	indent := len("warning") + 2 + column + 2
	for _, s := range r.Checks {
		fmt.Fprintf(&b, "%-7s  %-*s  %s\n", s.State, column, s.Name, hanging(s.Words, width, indent))
		if s.Do != "" {
			fmt.Fprintf(&b, "%*s%s\n", indent, "", hanging("-> "+s.Do, width, indent+3))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", r.summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// hanging wraps text and indents all lines but the first.
func hanging(text string, width, indent int) string {
	lines := ansi.Wrap(text, max(width-indent, 30), "/")
	return strings.ReplaceAll(lines, "\n", "\n"+strings.Repeat(" ", indent))
}

func (r Report) summary() string {
	failed, warnings := r.Count(Failed), r.Count(Warning)
	if failed+warnings == 0 {
		return "No problems were found."
	}
	return fmt.Sprintf("Failed: %d. Warnings: %d.", failed, warnings)
}

// WriteJSON writes the report as one JSON document.
func (r Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Profile  string  `json:"profile"`
		Failed   int     `json:"failed"`
		Warnings int     `json:"warnings"`
		Steps    []Check `json:"steps"`
	}{r.Profile, r.Count(Failed), r.Count(Warning), r.Checks})
}
