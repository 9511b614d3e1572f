package present

import "unicode/utf8"

// PathEnd is a path in at most n cells. A long one is cut at its beginning, because its end tells more.
func PathEnd(path string, n int) string {
	path = Plain(path)
	if over := utf8.RuneCountInString(path) - max(n, 1); over > 0 {
		return "…" + string([]rune(path)[over+1:])
	}
	return path
}
