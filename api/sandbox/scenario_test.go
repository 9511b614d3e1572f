package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func aCase() *Scenario {
	seed, rows := uint64(7), 3
	return &Scenario{
		Clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seed: &seed, Settle: "2s", Transactions: &rows,
		Switches: map[string]string{"finalize.status": "Done"},
		On: []Step{
			{Call: "initiate", Time: 2, Fault: "refused"}, {Call: "initiate", Time: 3, Status: int64(503)}, {Call: "transaction", Time: 2, Status: "ON_HOLD"},
		},
	}
}

// tell makes the calls of a case, and returns what was answered, to the byte.
func tell(t *testing.T, s *Sandbox) (answers []string) {
	t.Helper()
	call := func(method, path, body string) {
		w := ask(s, method, path, body)
		answers = append(answers, w.Header().Get("Date")+" "+w.Body.String())
	}
	for range 4 {
		call("POST", initiatePath, mustJSON(charge("approve")))
	}
	made := s.Payments()[0].Reference
	for range 3 {
		call("GET", statusPath+made, "")
	}
	call("GET", listPath, "")
	return answers
}

func TestAScenarioIsRepeatedToTheByte(t *testing.T) {
	c := aCase()
	must(t, c.Check())
	s := New(Options{Key: testKey, Scenario: c})
	first := tell(t, s)
	for i, part := range map[int]string{
		0: "Fri, 02 Jan 2026 03:04:06 GMT {", 1: "The payload is not valid.", 2: "Service Unavailable", 3: `"paymentStatus":"INITIATED"`,
		4: `"paymentStatus":"PENDING"`, 5: `"paymentStatus":"ON_HOLD"`, 6: `"paymentStatus":"Successfull"`, 7: `"total":5`,
	} {
		if !strings.Contains(first[i], part) {
			t.Errorf("call %d has no %s: %s", i+1, part, first[i])
		}
	}
	if s.Reset(); s.switches.of("finalize.status") != "Done" {
		t.Error("a reset forgets the scenario")
	}
	if d := cmp.Diff(first, tell(t, New(Options{Key: testKey, Scenario: c}))); d != "" {
		t.Error(d)
	}
}

func TestAScenarioThatCannotBePlayedSaysWhy(t *testing.T) {
	for want, c := range map[string]Scenario{
		"settle must be a duration":                {Settle: "soon"},
		"[switches] x: there is no switch":         {Switches: map[string]string{"x": "y"}},
		"[[on]] number 1: there is no operation":   {On: []Step{{Call: "x", Fault: "slow"}}},
		"[[on]] number 2: fault must be one of":    {On: []Step{{Call: "all", Fault: "slow"}, {Call: "all"}}},
		"[[on]] number 1: fault must be one of":    {On: []Step{{Call: "all", Fault: "F99"}}},
		"number 1: status must be an HTTP status":  {On: []Step{{Call: "all", Status: int64(99)}}},
		"[[on]] number 1: status must be an HTTP":  {On: []Step{{Call: "all", Status: true}}},
		"time must be 1 for the first":             {On: []Step{{Call: "all", Status: "X", Time: -1}}},
		"it has a fault and a status; give it one": {On: []Step{{Call: "all", Status: int64(500), Fault: "slow"}}},
	} {
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}
