package ui

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheRuleOfAGroupIsAboveItsFirstVisibleRow(t *testing.T) {
	table := newTable(6, 72, 5)
	table.Grouped(func(i int) (string, string) { return fmt.Sprintf("Day %d", i/3), "3" }, func(i int) bool { return i%3 > 0 })
	shows := func() string {
		var words []string
		for _, line := range plain(table) {
			words = append(words, strings.TrimRight(string([]rune(line + strings.Repeat(" ", 20))[:10]), " "))
		}
		return strings.Join(words, "|")
	}
	for _, c := range []struct {
		key, want string
	}{
		{"home", "── Day 0 ─|▌ pay-0000|  pay-0001|  pay-0002|"},
		{"down", "── Day 0 ─|  pay-0000|▌ pay-0001|  pay-0002|"},
		{"down", "── Day 0 ─|  pay-0000|  pay-0001|▌ pay-0002|"},
		{"down", "── Day 0 ─|  pay-0001|  pay-0002|── Day 1 ─|▌ pay-0003"},
		{"down", "── Day 0 ─|  pay-0002|── Day 1 ─|  pay-0003|▌ pay-0004"},
		{"down", "── Day 1 ─|  pay-0003|  pay-0004|▌ pay-0005|"},
		{"up", "── Day 1 ─|  pay-0003|▌ pay-0004|  pay-0005|"},
		{"pgup", "── Day 0 ─|  pay-0000|▌ pay-0001|  pay-0002|"},
	} {
		if press(table, c.key); shows() != c.want {
			t.Errorf("after %s: %s", c.key, shows())
		}
	}
}
