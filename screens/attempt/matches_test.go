package attempt_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
)

func TestAMatchIsChosenByHandAndConfirmed(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) {
		s.list = listed(3, 1250)
		s.list[1].Rows[0].Status = api.ParseStatus("SUCCESSFUL")
	}, func(c *fixture) {
		c.Press("m")
		c.Press("down", "s")
		c.Went(nav.Push{To: nav.Payment{Reference: "txn_3_1250"}})
		c.Press("enter").Sees("Found as", "txn_3_1250")
		c.decided()
		c.Press("enter").Sees("Record that it was found as txn_3_1250?").Press("esc", "esc").Sees("NO PROOF", "txn_1_1250")
		c.Press("enter").Sees("txn_3_1250").Press("enter")
		c.Slowly("y")
		c.decided("found txn_3_1250")
		c.Went(nav.Replace{To: nav.Payment{Reference: "txn_3_1250"}})
	})
}
