package payment

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

func TestTheScreenFitsAnySize(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: func(n int) (api.PaymentStatus, error) {
			tr := transaction("PENDING", "1250.00")
			return tr, nil
		}}
		for _, c := range []*console{
			watch80(t, s, card("0-abc1234")),
			watchOn(t, s, &payments{}, "", 78, 20),
			watch80(t, &script{answer: func(int) (api.PaymentStatus, error) {
				return api.PaymentStatus{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 404, Text: api.Clean(strings.Repeat("long ", 80))}
			}}, &payments{}),
		} {
			c.Fits()
		}
	})
}

func TestTheMainStagesInOtherSizes(t *testing.T) {
	for name, size := range map[string][2]int{"small": {58, 14}, "wide": {118, 36}, "large": {158, 46}} {
		bubble(t, func(t *testing.T) {
			s := &script{answer: says("PENDING")}
			watchOn(t, s, card("0-abc1234"), reference, size[0], size[1]).Wait(3 * time.Second).Golden("pending-" + name)
			wrong := &script{answer: func(int) (api.PaymentStatus, error) { return transaction("PENDING", "1250.00"), nil }}
			watchOn(t, wrong, card("0-abc1234"), reference, size[0], size[1]).Golden("mismatch-" + name)
		})
	}
}
