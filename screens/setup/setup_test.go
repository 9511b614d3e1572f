package setup_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
	"paydesk/screens/setup"
)

const path = "/home/staff/.config/paydesk/config.toml"

// A maker creates profiles, or fails.
type maker struct {
	made []keystore.Profile
	err  error
	wait chan struct{} // when there is one, creating waits for it
}

func (m *maker) create(p keystore.Profile) error {
	m.made = append(m.made, p)
	if m.wait != nil {
		<-m.wait
	}
	return m.err
}

func secret(t *testing.T) keystore.Key {
	t.Helper()
	k, err := keystore.ParseKey("sk_test_CANARYcanary")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func open(t *testing.T, w, h int, o setup.Options, tell func(*screentest.Console)) {
	t.Helper()
	if o.Path == "" {
		o.Path = path
	}
	synctest.Test(t, func(t *testing.T) { tell(screentest.Open(t, setup.New(screentest.Theme, o), w, h)) })
}

// withDemo returns options with all three choices.
func withDemo(t *testing.T) setup.Options {
	k := secret(t)
	return setup.Options{Demo: func() (keystore.Profile, keystore.Key, error) {
		time.Sleep(time.Second)
		return keystore.Profile{Name: "demo"}, k, nil
	}}
}

func TestThreeOptionsAreShown(t *testing.T) {
	open(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Sees("There is no configuration yet", "Try the demo", "Create a profile", path).Golden("ways")
		c.Fits().HelpBarFits().Idle(time.Hour)
	})
	open(t, 60, 18, withDemo(t), func(c *screentest.Console) { c.Sees(path).Golden("ways-small") })
}

func TestWithoutADemoTwoOptionsAreShown(t *testing.T) {
	open(t, 80, 24, setup.Options{}, func(c *screentest.Console) {
		c.Sees("There is no configuration yet", "Create a profile").SeesNot("demo").Press("d").Went()
	})
}

func TestALongOrHostilePathShowsItsEndAndNothingElse(t *testing.T) {
	o := setup.Options{Path: "/home/\x1b[2J/" + string(make([]byte, 100)) + "/paydesk/config.toml"}
	open(t, 80, 24, o, func(c *screentest.Console) {
		c.Sees("…", "/paydesk/config.toml").Press("n").Sees("/paydesk/config.toml").Fits()
	})
}

func TestTheDemoStartsAndConnects(t *testing.T) {
	open(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Press("enter").Sees("Starting the demo").Golden("starting")
		c.Fits().Went()
		c.Wait(time.Second).Went(nav.Connect{Profile: keystore.Profile{Name: "demo"}, Key: secret(t), Source: "demo"})
		c.NeverShowed("CANARY")
	})
}

func TestADemoThatDoesNotStartSaysWhy(t *testing.T) {
	o := setup.Options{Demo: func() (keystore.Profile, keystore.Key, error) {
		return keystore.Profile{}, keystore.Key{}, errors.New("no port is free\x1b[2J")
	}}
	open(t, 80, 24, o, func(c *screentest.Console) {
		c.Press("enter").Sees("! The demo did not start: no port is free^[[2J", "Create a profile").Golden("no-demo")
		c.Fits().Went()
	})
}

func TestTheDemoNeedNotBeWaitedFor(t *testing.T) {
	open(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Press("enter", "esc").SeesNot("Starting").Wait(time.Minute).Went()
	})
}

func TestAProfileIsAskedForAndWritten(t *testing.T) {
	m := &maker{}
	open(t, 80, 24, setup.Options{Create: m.create}, func(c *screentest.Console) {
		c.Press("n").Sees("It is saved in " + path).Golden("form")
		c.Fits()
		c.Choose("Environment", "live").Fill("Base URL", "https://payments.example").Fill("List URL", "https://list.example")
		c.Golden("filled").To("Secret key").Press("enter")
		want := keystore.Profile{
			Name: "live", Environment: keystore.Live, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
		}.WithDefaults()
		c.Went(nav.Restart{To: nav.Key{Profile: want}})
		if len(m.made) != 1 || m.made[0] != want {
			t.Errorf("made %+v", m.made)
		}
	})
	open(t, 60, 18, setup.Options{Create: m.create}, func(c *screentest.Console) { c.Press("n").Golden("form-small") })
}

func TestTransactionsAreListedAtTheBaseURLUnlessSaidOtherwise(t *testing.T) {
	for typed, want := range map[string]string{"": "https://payments.example", "https://list.example": "https://list.example"} {
		m := &maker{}
		open(t, 80, 24, setup.Options{Create: m.create}, func(c *screentest.Console) {
			c.Press("n").Fill("Base URL", "https://payments.example").Fill("List URL", typed).Sees("Empty: the base URL").Press("ctrl+s")
			if len(m.made) != 1 || m.made[0].ListURL != want {
				t.Errorf("made %+v", m.made)
			}
		})
	}
}

func TestErrorsAreShownAtTheirFields(t *testing.T) {
	m := &maker{}
	open(t, 80, 24, setup.Options{Create: m.create}, func(c *screentest.Console) {
		c.Press("n").Fill("Name", " Mine!").Fill("Base URL", "http://payments.example").Press("ctrl+s")
		c.Sees("▌ Name", "! Must be 1 to 32 lower-case letters", "! Must begin with https://").SeesNot("List URL is required").Golden("wrong")
		c.Fits().Went()
		if len(m.made) != 0 {
			t.Errorf("made %+v", m.made)
		}
	})
}

func TestAFileThatCannotBeWrittenLosesNothingTyped(t *testing.T) {
	m := &maker{err: errors.New("open " + path + ": permission denied"), wait: make(chan struct{})}
	synctest.Test(t, func(t *testing.T) {
		m.wait = make(chan struct{})
		c := screentest.Open(t, setup.New(screentest.Theme, setup.Options{Path: path, Create: m.create}), 80, 24)
		c.Press("n").Fill("Base URL", "https://payments.example").Fill("List URL", "https://list.example").Press("ctrl+s")
		c.Sees("Writing the file").Golden("writing")
		c.Fits().Flood("ctrl+s", 5).Press("esc").Sees("The profile is being written.")
		close(m.wait)
		c.Wait(0).Press("down").Sees("! The profile was not written", "permission denied", "https://payments.example", "https://list.example").Golden("unwritten")
		c.Fits().Went()
		if m.err = nil; len(m.made) != 1 {
			t.Errorf("it was written %d times", len(m.made))
		}
		c.Press("ctrl+s")
		if _, is := c.LastRequest().(nav.Restart); !is {
			t.Errorf("asked %#v", c.LastRequest())
		}
	})
}

// The first screen of the console has no way back in the chrome.
func TestTheFormItselfNamesItsWayBack(t *testing.T) {
	m := setup.New(screentest.Theme, setup.Options{Path: path})
	names := func() bool {
		return slices.ContainsFunc(m.Keys(), func(b key.Binding) bool { return slices.Contains(b.Keys(), "esc") })
	}
	if names() {
		t.Error("the choice names a way back, and there is none")
	}
	m.Update(tea.KeyPressMsg{Code: 'n', Text: "n"})
	if !names() {
		t.Error("the form names no way back")
	}
}

func TestBackFromTheFormKeepsWhatWasTyped(t *testing.T) {
	open(t, 80, 24, setup.Options{}, func(c *screentest.Console) {
		c.Press("n").Fill("Base URL", "https://payments.example").Sees("New profile")
		c.Press("esc").Sees("Create a profile").Went()
		c.Press("n").Sees("https://payments.example")
	})
}
