package ui

// HighContrast makes the theme draw everything in the terminal's own foreground: nothing is
// faint and nothing coloured, so all of it has the contrast that the person gave the terminal. What was
// coloured is bold, and what had the accent underlined as well; glyphs and words say the rest, as
// they always do. It is for the start, before anything is drawn, and undoes [Theme.On].
func (t *Theme) HighContrast() *Theme {
	t.Muted = t.Plain
	t.Accent = t.Plain.Bold(true).Underline(true)
	t.Error = t.Plain.Bold(true)
	for tone := range t.tones {
		t.tones[tone] = t.Plain.Bold(Tone(tone) != ToneNone)
	}
	return t
}
