package payment

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui/termtest"
)

// fits fails the test if the screen draws outside of a body of any size.
func fits(t *testing.T, name string, m *Model) {
	t.Helper()
	if failure := termtest.Oversteps(func(w, h int) (string, *tea.Cursor) { m.Resize(w, h); return m.View() }); failure != "" {
		t.Fatal(name, " ", failure)
	}
}

func TestTheScreenFitsAnySize(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: func(n int) (api.Transaction, error) {
			tr := transaction("PENDING", "1250.00")
			return tr, nil
		}}
		for name, c := range map[string]*console{
			"mismatch": watch80(t, s, card("0-abc1234")),
			"prompt":   watchOn(t, s, &payments{}, "", 78, 20),
			"unknown": watch80(t, &script{answer: func(int) (api.Transaction, error) {
				return api.Transaction{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 404, Text: api.Clean(strings.Repeat("long ", 80))}
			}}, &payments{}),
		} {
			fits(t, name, c.screen)
		}
	})
}

func TestTheMainStagesInOtherSizes(t *testing.T) {
	for name, size := range map[string][2]int{"small": {58, 14}, "wide": {118, 36}} {
		bubble(t, func(t *testing.T) {
			s := &script{answer: says("PENDING")}
			watchOn(t, s, card("0-abc1234"), reference, size[0], size[1]).Wait(3 * time.Second).Golden("pending-" + name)
			wrong := &script{answer: func(int) (api.Transaction, error) { return transaction("PENDING", "1250.00"), nil }}
			watchOn(t, wrong, card("0-abc1234"), reference, size[0], size[1]).Golden("mismatch-" + name)
		})
	}
}
