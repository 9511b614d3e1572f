package api_test

import (
	"strings"
	"testing"

	"paydesk/api"
)

func TestABodyOfExactlyTheLimitIsRead(t *testing.T) {
	for operation, limit := range map[string]int{"finalize": 256 << 10, "transaction": 256 << 10, "validate": 256 << 10, "authenticate": 512 << 10} {
		for over, want := range map[int]api.Kind{0: 0, 1: api.KindTooLarge} {
			const body = `{"isSuccess":true,"value":{"status":"completed","message":""}}`
			c, _ := scripted(t, -1, reply{code: 200, body: strings.NewReader(body + strings.Repeat(" ", limit+over-len(body)))})
			if err := try(t.Context(), c, operation); kindOf(err) != want {
				t.Errorf("%s of %d bytes: %v", operation, limit+over, err)
			}
		}
	}
}

func TestAnErrorPageIsReadToSixtyFourKiB(t *testing.T) {
	for size, want := range map[int]api.Kind{64 << 10: api.KindService, 64<<10 + 1: api.KindHTTP} {
		const body = `{"isSuccess":false,"message":"no"}`
		c, _ := scripted(t, -1, reply{code: 400, body: strings.NewReader(body + strings.Repeat(" ", size-len(body)))})
		if err := try(t.Context(), c, "initiate"); outcomeOf(err) != "refusal" || kindOf(err) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
