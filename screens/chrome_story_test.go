package screens_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/consoletest"
)

func TestAConsoleThatWasStoppedTakesAnAnswerBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sees("Charge 12.50 GBP").Wait(time.Second)
		c.Send(tea.KeyPressMsg{Code: 'y', Text: "y"}) // no time passes before it is stopped
		c.Send(tea.ResumeMsg{})
		c.Wait(time.Second)
		if n := c.Wire.PostsTo("/pay/initiate"); n != 0 {
			t.Errorf("%d were sent", n)
		}
		c.Yes("Charge 12.50 GBP").Sees("PENDING")
	})
}

func TestTheHelpSaysWhichZoneTimesAreIn(t *testing.T) {
	for name, says := range map[string]string{"": "Keys: Home · times are UTC", "Europe/London": "Keys: Home · times are of Europe/London, now UTC+00:00"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		time.Local = zone
		consoletest.RunAlone(t, func(c *consoletest.Console) { c.Press("?").Sees(says) })
		time.Local = time.UTC
	}
}
