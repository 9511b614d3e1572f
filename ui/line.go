package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/text"
)

// A lineEditor is the editor behind a text field. It inserts a key or paste whole or not at all:
// a text that was cut would look complete.
type lineEditor struct {
	text   []rune
	pos    int  // the cursor, an index in text
	limit  int  // runes
	masked bool // show a dot for each rune
	cards  cardGuard
	// whole is set when the field gets the focus or shows an error, until the first edit: a paste then replaces the text, and so does a
	// key where the text is not shown.
	whole bool
	// lacks tells why the text lacks something that was typed, until something is deleted: what follows
	// in the same breath would hide that.
	lacks string
}

const (
	lineLimit = 1000 // runes, unless the field sets a limit
	markLimit = 4    // combining marks on one letter, the same as for text from outside
)

// update handles a key or a paste, as [edited] reports it.
func (l *lineEditor) update(msg tea.Msg) (own, changed bool, refused string) {
	own, changed, refused = edited(msg, l.paste, l.typeText, l.edit)
	if own && refused == "" {
		l.whole = false
		if l.cards.caught = false; l.dropCards() { // deleting what stood between digits makes one, too
			return true, true, l.cards.words()
		}
	}
	return own, changed, refused
}

// typeText inserts what a key stands for. What is typed right after a card number was meant to
// follow it: the rest of a longer one, or of a paste that came as keys.
func (l *lineEditor) typeText(s string) (changed bool, refused string) {
	if l.cards.caught {
		return false, l.cards.words()
	}
	changed, refused = l.put(s, l.whole && l.masked)
	if refused != "" {
		l.lacks = strings.TrimSuffix(refused, ignored) + ": not taken. Delete what is wrong"
	}
	return changed, refused
}

func (l *lineEditor) paste(s string) (changed bool, refused string) {
	return l.put(strings.TrimRight(s, "\r\n"), l.whole)
}

// put inserts s at the cursor, or in place of the text, or returns why not.
func (l *lineEditor) put(s string, replace bool) (changed bool, refused string) {
	if replace && s != "" {
		if changed, refused = l.set(s); refused == "" {
			l.whole = false
			return changed, ""
		}
	}
	return l.insert(s)
}

// edit moves the cursor, or removes what is on one side of it.
func (l *lineEditor) edit(stroke string) (own, changed bool) {
	from, to := l.pos, l.pos
	switch stroke {
	case "left":
		l.pos = l.previousBoundary()
		return true, false
	case "right":
		l.pos = l.nextBoundary()
		return true, false
	case "home", "ctrl+a":
		l.pos = 0
		return true, false
	case "end", "ctrl+e":
		l.pos = len(l.text)
		return true, false
	case "backspace", "ctrl+h", "shift+backspace":
		if !l.cards.caught { // it has removed enough
			from = l.previousBoundary()
		}
	case "delete":
		to = l.nextBoundary()
	case "ctrl+u":
		from = 0
	case "ctrl+k":
		to = len(l.text)
	case "ctrl+w", "alt+backspace":
		from = l.wordStart()
	default:
		return false, false
	}
	l.remove(from, to)
	l.lacks = ""
	return true, to > from
}

// insert inserts s at the cursor or returns why not.
func (l *lineEditor) insert(s string) (changed bool, refused string) {
	if s == "" {
		return false, ""
	}
	n := utf8.RuneCountInString(s)
	if len(l.text)+n > l.limit {
		return false, fmt.Sprintf("More than %d characters (input ignored)", l.limit)
	}
	if refused := checkVisible(s, !l.masked); refused != "" {
		return false, refused
	}
	next := make([]rune, 0, len(l.text)+n)
	next = append(next, l.text[:l.pos]...)
	for _, r := range s {
		if unicode.Is(unicode.Zs, r) {
			r = ' '
		}
		next = append(next, r)
	}
	next = append(next, l.text[l.pos:]...)
	refused = cmp.Or(checkMarks(next), checkJoiners(next, l.pos, l.pos+n))
	if refused != "" {
		clear(next)
		return false, refused
	}
	if from, to := l.findCard(next); to > 0 {
		clear(next)
		before := len(l.text)
		was := func(at int) int { return min(at, max(l.pos, at-n)) } // in the text before
		l.remove(was(from), was(to))
		l.cards.caught = true
		l.dropCards()
		return len(l.text) != before, l.cards.words()
	}
	clear(l.text)
	l.text = next
	l.pos = l.boundaryFrom(l.pos + n)
	return true, ""
}

// set replaces the text or returns why not.
func (l *lineEditor) set(s string) (changed bool, refused string) {
	old := *l
	l.text, l.pos, l.cards.caught, l.lacks = nil, 0, false, ""
	if _, refused = l.insert(s); refused != "" {
		*l = old
		return false, refused
	}
	changed = string(old.text) != string(l.text)
	clear(old.text)
	return changed, ""
}

func (l *lineEditor) remove(from, to int) {
	l.text = slices.Delete(l.text, from, to) // which overwrites what it frees
	l.pos = l.boundaryFrom(from)
}

// wipe overwrites the text.
func (l *lineEditor) wipe() {
	l.cards.caught, l.lacks = false, ""
	clear(l.text)
	l.text, l.pos = l.text[:0], 0
}

// blank reports whether the text is empty or only spaces.
func (l *lineEditor) blank() bool {
	return !slices.ContainsFunc(l.text, func(r rune) bool { return r != ' ' })
}

// previousBoundary and nextBoundary are the neighbours of the cursor. They are grapheme
// boundaries: what a person sees as one character may be several runes.
func (l *lineEditor) previousBoundary() int {
	all := l.boundaries()
	at, _ := slices.BinarySearch(all, l.pos)
	return all[max(at-1, 0)]
}

func (l *lineEditor) nextBoundary() int { return l.boundaryFrom(l.pos + 1) }

// boundaryFrom returns the first boundary at or after i, or the last one.
func (l *lineEditor) boundaryFrom(i int) int {
	all := l.boundaries()
	at, _ := slices.BinarySearch(all, i)
	return all[min(at, len(all)-1)]
}

func (l *lineEditor) wordStart() int {
	i := l.pos
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}

// boundaries returns 0 and the index after each character. A masked text counts by runes, because
// it must never become a string.
func (l *lineEditor) boundaries() []int {
	all := make([]int, 1, len(l.text)+1)
	if l.masked {
		for i := range l.text {
			all = append(all, i+1)
		}
		return all
	}
	for s := string(l.text); s != ""; {
		c, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		all = append(all, all[len(all)-1]+utf8.RuneCountInString(c))
		s = s[len(c):]
	}
	return all
}

// shown returns the text, and the part before the cursor, as they are drawn.
func (l *lineEditor) shown() (all, before string) {
	if l.masked {
		return strings.Repeat("•", len(l.text)), strings.Repeat("•", l.pos)
	}
	return text.SplitEmoji(string(l.text)), text.SplitEmoji(string(l.text[:l.pos]))
}

// view draws at most w cells. With focus it draws the part around the cursor, which is in cell x.
func (l *lineEditor) view(w int, focused bool) (s string, x int) {
	all, before := l.shown()
	if w < 1 || !focused {
		return cut(all, w), -1
	}
	from := l.scrolled(w)
	if width(all) < w {
		return all, width(before)
	}
	return cellRange(all, from, from+w), width(before) - from
}

// scrolled is the first cell of the text that is drawn in w cells with focus, so that the cursor is seen.
func (l *lineEditor) scrolled(w int) int {
	all, before := l.shown()
	total, at := width(all), width(before)
	if total < w {
		return 0
	}
	return min(max(at-w*2/3, 0), total+1-w)
}

// cells returns how many cells the first n runes take.
func (l *lineEditor) cells(n int) int { return width(text.SplitEmoji(string(l.text[:n]))) }

// cellRange returns the cells of s in [from, to), with an ellipsis where text is left out and a
// blank for half of a wide character.
func cellRange(s string, from, to int) string {
	first, last := from, to
	head, tail := "", ""
	if from > 0 && to-from > 3 {
		head, first = "…", from+1
	}
	if width(s) > to && to-from > 3 {
		tail, last = "…", to-1
	}
	var b strings.Builder
	b.WriteString(head)
	at := 0
	for s != "" && at < last {
		c, n := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(c):]
		if at >= first && at+n <= last {
			b.WriteString(c)
		} else {
			b.WriteString(blanks(min(at+n, last) - max(at, first)))
		}
		at += n
	}
	return b.String() + tail
}
