package script

// Narrow reports whether each character of a text takes one cell, however a terminal measures. Most
// pictures are such: for them go-runewidth need not build its tables, which are 2 MB and take 2 ms of the first frame.
func Narrow(text string) bool {
	for _, r := range text {
		if r > '~' && !NarrowRune(r) {
			return false
		}
	}
	return true
}

// NarrowRune is true of letters and signs beyond ASCII that stand alone: they join no others, and no terminal draws
// them as an emoji.
func NarrowRune(r rune) bool {
	switch {
	case r >= 0xc0 && r <= 0x17f, r >= 0x1e00 && r <= 0x1eff: // Latin letters
		return true
	case r >= 0x2010 && r <= 0x2027: // dashes, quotation marks, … and •
		return true
	case r >= 0x2190 && r <= 0x2193: // arrows
		return true
	case r >= 0x2500 && r <= 0x259f: // lines and blocks
		return true
	}
	switch r {
	case '·', '×', '‹', '›', '≠', '▪', '▲', '▸', '▾', '◌', '○', '●', '✓', '✗':
		return true
	}
	return false
}
