package links_test

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/money"
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
	c, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	return api.Link{
		Name: api.Clean("Dues"), Description: api.Clean("Yearly, Ẹ́kọ̀ branch"), Alias: "0-abc1234",
		Page: address(t, page), PageText: api.Clean(page), Amount: money.Amount{Minor: 1250, Currency: c}, HasAmount: true,
		Type: api.Clean("OneTime"), Status: api.Clean("New"), Created: api.ParseTimestamp("2026-03-01T12:00:00.1234567+01:00"), Environment: api.Clean("Test"),
	}
}

func openShare(t *testing.T, w, h int, l api.Link, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		drive(screentest.Open(t, links.NewShare(screentest.Theme, nil, nav.Share{Link: l}), w, h))
	})
}

func TestALinkIsShownForSharing(t *testing.T) {
	openShare(t, 80, 24, link(t), func(c *screentest.Console) {
		c.Sees("0-abc1234", "12.50 GBP", "once", "New", "Test", "2026-03-01 11:00:00 UTC", "Ẹ́kọ̀").Golden("share")
		c.Fits().HelpBarFits().Idle(time.Hour)
	})
	openShare(t, 60, 18, link(t), func(c *screentest.Console) { c.Sees("z shows its QR code in the whole window.").Golden("share-small") })
	openShare(t, 70, 23, link(t), func(c *screentest.Console) { c.Sees("▀") })
	openShare(t, 70, 22, link(t), func(c *screentest.Console) { c.WaitsUntilGone("▀") })
	openShare(t, 69, 23, link(t), func(c *screentest.Console) { c.WaitsUntilGone("▀") })
	openShare(t, 120, 40, link(t), func(c *screentest.Console) { c.Golden("share-wide") })
	openShare(t, 160, 50, link(t), func(c *screentest.Console) { c.Golden("share-160x50") })
}

func TestInASCIINoCodeIsDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, links.NewShare(ui.NewTheme(true), nil, nav.Share{Link: link(t)}), 80, 24)
		c.Sees("https://pay.example/collect/0-abc1234").WaitsUntilGone("▀").WaitsUntilGone("QR")
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
		c.Golden("share-long").Fits()
	})
}

func TestTheCodeIsWholeOrNotThere(t *testing.T) {
	l := link(t)
	code, _ := screentest.Theme.QR(page).Beside()
	m := links.NewShare(screentest.Theme, nil, nav.Share{Link: l})
	shown := 0
	for w := range 131 {
		for h := w % 3; h < 46; h += 3 { // each width and each height
			m.Resize(w, h)
			body, _ := m.View()
			first := strings.Contains(body, code[0])
			if first != strings.Contains(body, code[len(code)-1]) {
				t.Fatalf("in %d×%d the code is cut off", w, h)
			}
			if first {
				shown++
				if !strings.Contains(body, page) || !strings.Contains(ansi.Strip(body), "Created") {
					t.Fatalf("in %d×%d the code hides the link", w, h)
				}
			}
		}
	}
	if shown == 0 {
		t.Error("the code is never shown")
	}
	if m.Resize(78, 20); !strings.Contains(first(m.View()), code[0]) {
		t.Error("the code of a usual address is not shown at 80×24")
	}
}

func first[A, B any](a A, _ B) A { return a }

func TestExactlyTheURLAndTheAliasAreCopied(t *testing.T) {
	openShare(t, 80, 24, link(t), func(c *screentest.Console) {
		if c.Copied() != "" {
			t.Errorf("%q was copied without being asked for", c.Copied())
		}
		c.Press("y").Sees("The URL was sent to your terminal's clipboard.").Went()
		if c.Copied() != page {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("Y").Sees("The alias was sent to your terminal's clipboard.").Went()
		if c.Copied() != "0-abc1234" {
			t.Errorf("copied %q", c.Copied())
		}
	})
}

// Where the code has no room beside the facts, z gives it the whole window.
func TestTheCodeOfALongURLHasTheWholeWindow(t *testing.T) {
	long := link(t)
	long.Page = address(t, page+"&x="+strings.Repeat("a", 60))
	openShare(t, 80, 24, long, func(c *screentest.Console) {
		c.Sees("z shows its QR code in the whole window.").WaitsUntilGone("▀").Press("z")
		c.Sees("▀", "TEST", "payments.example", "pay.example", "Dues").WaitsUntilGone("Can be paid").Golden("code").Press("y")
		if c.Copied() != long.Page.String() {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("esc").Sees("Can be paid").WaitsUntilGone("▀").Went()
	})
	openShare(t, 60, 18, long, func(c *screentest.Console) { c.Press("z").Sees("needs a window of").WaitsUntilGone("▀").Fits() })
}

func TestAnUnsafeURLIsNotCopiedAndHasNoCode(t *testing.T) {
	for name, raw := range map[string]string{"untrusted": "javascript:alert(1)\x1b]52;c;aGk=\a", "no-address": ""} {
		l := link(t)
		l.Page, l.PageText = api.Address{}, api.Clean(raw)
		openShare(t, 80, 24, l, func(c *screentest.Console) {
			c.WaitsUntilGone("copy URL", "▀", "QR").Golden(name).Fits()
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

func TestCollectingStartsWithTheLink(t *testing.T) {
	l := link(t)
	openShare(t, 80, 24, l, func(c *screentest.Console) {
		c.Press("enter")
		to, is := c.LastRequest().(nav.Push)
		if collect, was := to.To.(nav.Collect); !is || !was || collect.Link == nil || !reflect.DeepEqual(*collect.Link, l) {
			t.Errorf("asked %+v", c.LastRequest())
		}
	})
}

func TestMissingFactsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*api.Link)
		sees   []string
	}{
		{"the customer chooses", func(l *api.Link) { l.AmountType = api.Dynamic }, []string{"chosen by the customer, in GBP"}},
		{"in no currency", func(l *api.Link) { l.AmountType, l.HasAmount = api.Dynamic, false }, []string{"chosen by the customer"}},
		{"an amount that cannot be read", func(l *api.Link) { l.HasAmount = false }, []string{"not known"}},
		{"reusable", func(l *api.Link) { l.Type = api.Clean("Reuseable") }, []string{"many times"}},
		{"reusable, as others spell it", func(l *api.Link) { l.Type = api.Clean("Reusable") }, []string{"many times"}},
		{"another type", func(l *api.Link) { l.Type = api.Clean("Thrice\x1b[2J") }, []string{"Thrice^[[2J"}},
		{"no zone", func(l *api.Link) { l.Created = api.ParseTimestamp("2026-03-01T12:00:00") }, []string{"2026-03-01 12:00:00", "zone"}},
		{"no time", func(l *api.Link) { l.Created = api.ParseTimestamp("yesterday") }, []string{"yesterday"}},
		{"nothing", func(l *api.Link) { *l = api.Link{Alias: "a"} }, []string{"The service returned no URL", "Alias       a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := link(t)
			c.change(&l)
			openShare(t, 120, 40, l, func(s *screentest.Console) { s.Sees(c.sees...).Fits() })
		})
	}
}
