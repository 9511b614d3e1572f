package termtest

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// sizeClasses are bodies of every kind: none, the smallest that the console draws with one cell less
// each way, a usual one with one less, one with a preview beside the form, and large ones.
var sizeClasses = [][2]int{
	{0, 20}, {78, 0}, {1, 1}, {2, 2}, {1, 36}, {118, 1}, {13, 3}, {30, 6}, {57, 14}, {58, 13}, {58, 14}, {58, 36},
	{77, 20}, {78, 19}, {97, 26}, {98, 26}, {118, 36}, {130, 45}, {198, 56},
}

// shares is among how many drawings all widths and all heights are divided. A screen is looked at in about as many states.
const shares = 8

// Oversteps draws in a body of every class of size, and in every width at one height and every height at one width that is
// of the drawing's share: the states of a screen divide them. It returns the first drawing that is larger than its body, ""
// for none.
func Oversteps(draw func(w, h int) (string, *tea.Cursor)) string {
	sizes := slices.Clone(sizeClasses)
	usual, _ := draw(78, 20)
	begin := int(crc32.ChecksumIEEE([]byte(usual)) % shares)
	for w := begin; w < 131; w += shares {
		sizes = append(sizes, [2]int{w, 20})
	}
	for h := begin; h < 46; h += shares {
		sizes = append(sizes, [2]int{78, h})
	}
	for _, size := range sizes {
		body, cursor := draw(size[0], size[1])
		if why := overstep(body, cursor, size[0], size[1]); why != "" {
			return fmt.Sprintf("in %d×%d %s:\n%s", size[0], size[1], why, body)
		}
	}
	return ""
}

// overstep says where a drawing leaves w×h cells, "" if it does not.
func overstep(body string, cursor *tea.Cursor, w, h int) string {
	if n := strings.Count(body, "\n") + 1; body != "" && (n > h || w == 0) {
		return fmt.Sprintf("it has %d lines", n)
	}
	for line := range strings.SplitSeq(body, "\n") {
		if n := ansi.StringWidth(line); n > w {
			return fmt.Sprintf("a line has %d cells", n)
		}
	}
	if cursor != nil && (cursor.X < 0 || cursor.Y < 0 || cursor.X >= w || cursor.Y >= h) {
		return fmt.Sprintf("the cursor is at %d,%d", cursor.X, cursor.Y)
	}
	return ""
}
