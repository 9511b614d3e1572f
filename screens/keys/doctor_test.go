package keys_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/keystore"
	"paydesk/screens/keys"
	"paydesk/screens/screentest"
)

// steps are those of a host without a keyring, with a service that sends control characters.
var steps = []keystore.Finding{
	{Name: "configuration", State: keystore.OK, Message: "/home/staff/.config/paydesk, mode 700"},
	{Name: "profile", State: keystore.OK, Message: "test, declared test"},
	{Name: "keyring", State: keystore.Failed, Message: "DBUS_SESSION_BUS_ADDRESS is not set and there is no /run/user/1000/bus", Fix: "log in to a desktop, or choose another source, such as key = \"file\""},
	{Name: "key source", State: keystore.Skipped, Message: "there is no keyring on this host"},
	{Name: "letters", State: keystore.Warning, Message: "no locale is set", Fix: "set LANG=C.UTF-8, or use --ascii"},
	{Name: "TLS", State: keystore.OK, Message: "TLS 1.3, \x1b[2Jcertificate valid until 2031-02-03"},
	{Name: "key accepted", State: keystore.Skipped, Message: "not asked, because there is no key"},
}

func openDoctor(t *testing.T, w, h int, examine keys.Examine, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { tell(screentest.Open(t, keys.NewDoctor(screentest.Theme, "test", examine), w, h)) })
}

func at(once []keystore.Finding) keys.Examine {
	return func(context.Context) []keystore.Finding { return once }
}

func TestWhatFailedIsShownFirstWithWhatToDo(t *testing.T) {
	openDoctor(t, 80, 24, at(steps), func(c *screentest.Console) {
		c.Sees("1 failed, 1 warning, 3 OK", "To do: log in to a desktop").Golden("steps")
		c.Fits().HelpBarFits().Idle(time.Hour)
		if n := c.Green(); n > 0 {
			t.Errorf("%d cells have the colour of success", n)
		}
		c.Press("end").Sees("^[[2J", "skipped: not asked").Went()
	})
}
