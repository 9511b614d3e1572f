package links_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/screens/links"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

const page = "https://pay.example/collect/0-abc1234"

func address(t *testing.T, s string) api.Address {
	t.Helper()
	a, err := api.ParseAddress(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// link is a link as the service makes it.
func link(t *testing.T) api.Link {
	t.Helper()
	return api.Link{
		Name: api.Clean("Dues"), Description: api.Clean("Yearly, Ẹ́kọ̀ branch"), Alias: "0-abc1234",
		Page: address(t, page), PageText: api.Clean(page), Amount: screentest.Money(1250, "GBP"), HasAmount: true,
		Type: api.Clean("OneTime"), Status: api.Clean("New"), Created: api.ParseTimestamp("2026-03-01T12:00:00.1234567+01:00"), Environment: api.Clean("Test"),
	}
}

func openShare(t *testing.T, w, h int, l api.Link, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		drive(screentest.Open(t, links.NewShare(screentest.Theme, nil, nav.Share{Link: l}), w, h))
	})
}

func TestTheURLStandsInFullOnItsOwnLine(t *testing.T) {
	openShare(t, 60, 18, link(t), func(c *screentest.Console) {
		if got := strings.TrimSpace(c.Line(page)); got != page {
			t.Errorf("the line is %q", got)
		}
	})
	long := link(t)
	long.Page = address(t, page+"?"+strings.Repeat("part=1&", 20))
	openShare(t, 80, 24, long, func(c *screentest.Console) {
		lines := strings.Split(c.Screen(), "\n")[ui.BodyY:]
		whole := ""
		for _, l := range lines[:3] {
			whole += strings.TrimSpace(l)
		}
		if !strings.HasPrefix(whole, long.Page.String()) {
			t.Errorf("the lines are %q", whole)
		}
		c.Fits()
	})
}

func TestAnUnsafeURLIsNotCopiedAndHasNoCode(t *testing.T) {
	for _, raw := range []string{"javascript:alert(1)\x1b]52;c;aGk=\a", ""} {
		l := link(t)
		l.Page, l.PageText = api.Address{}, api.Clean(raw)
		openShare(t, 80, 24, l, func(c *screentest.Console) {
			c.WaitsUntilGone("copy URL", "▀", "QR").Fits()
			c.Press("y").Sees("no URL that is safe")
			if c.Copied() != "" {
				t.Errorf("copied %q", c.Copied())
			}
			c.Press("Y")
			if c.Copied() != "0-abc1234" {
				t.Errorf("copied %q", c.Copied())
			}
		})
	}
}

func TestMissingFactsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*api.Link)
		sees   []string
	}{
		{"an amount that cannot be read", func(l *api.Link) { l.HasAmount = false }, []string{"not known"}},
		{"another type", func(l *api.Link) { l.Type = api.Clean("Thrice\x1b[2J") }, []string{"Thrice^[[2J"}},
		{"no zone", func(l *api.Link) { l.Created = api.ParseTimestamp("2026-03-01T12:00:00") }, []string{"2026-03-01 12:00:00", "zone"}},
		{"nothing", func(l *api.Link) { *l = api.Link{Alias: "a"} }, []string{"The service returned no URL", "Alias       a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := link(t)
			c.change(&l)
			openShare(t, 120, 40, l, func(s *screentest.Console) { s.Sees(c.sees...).Fits() })
		})
	}
}
