package ledger

import (
	"testing"

	"paydesk/api"
)

func TestOnlyWhatIsKnownToHaveFailedCameToNothing(t *testing.T) {
	failed, open := api.ParseStatus("FAILED"), api.ParseStatus("PENDING")
	for name, c := range map[string]struct {
		a    Attempt
		want bool
	}{
		"failed":              {Attempt{Kind: Initiate, Outcome: Accepted, Status: failed}, true},
		"rejected":            {Attempt{Kind: Initiate, Outcome: Refused}, true},
		"not sent":            {Attempt{Kind: Initiate, Outcome: NotSent}, true},
		"never made":          {Attempt{Kind: Initiate, Outcome: Unresolved, Decision: NotFound}, true},
		"under way":           {Attempt{Kind: Initiate, Outcome: Accepted, Status: open}, false},
		"claimed to fail":     {Attempt{Kind: Initiate, Outcome: Accepted, Status: api.ParseClaim("FAILED")}, false},
		"unresolved":          {Attempt{Kind: Initiate, Outcome: Unresolved}, false},
		"given up":            {Attempt{Kind: Initiate, Outcome: Unresolved, Decision: GaveUp}, false},
		"failed, mismatched":  {Attempt{Kind: Initiate, Outcome: Accepted, Status: failed, Mismatch: Mismatch{Difference: api.Difference{What: api.AmountDiffers}}}, false},
		"a finalize rejected": {Attempt{Kind: Finalize, Outcome: Refused}, false},
	} {
		if c.a.CameToNothing() != c.want {
			t.Errorf("%s: %v", name, !c.want)
		}
	}
}
