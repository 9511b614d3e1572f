package secretkey

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// save stores a key in the chosen store. A key for this run only is not stored, unless the
// profile's source is "ask", which remembers it until the end of the run.
func (m *Model) save(k keystore.Key) tea.Cmd {
	store, name := m.store(), m.profile.Name
	switch {
	case m.profile.Source == "ask" && m.o.Profile.Source != "ask":
		return m.connect(k, m.o.Profile, thisRun)
	case m.profile.Source == "age":
		return m.newPassphrase(k)
	}
	m.stage, m.key = storing, k
	return m.set.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, promptLimit)
		defer stop()
		return k, store.Set(ctx, name, k)
	})
}

// onStored continues. If the key is now in another place than the profile says, it asks
// whether to change the profile.
func (m *Model) onStored(a ui.Result[keystore.Key]) tea.Cmd {
	switch {
	case a.Err != nil:
		t := trouble(a.Err)
		m.notStored(t.What)
		m.trouble.Detail = t.Detail
		return nil
	case m.profile != m.o.Profile && m.o.Write != nil:
		m.stage, m.key, m.trouble = confirming, a.Value, present.Problem{}
		return nil
	}
	return m.connect(a.Value, m.profile, m.source())
}

// notStored says that the key was not stored, and offers to try again or to use it once.
func (m *Model) notStored(why string) {
	m.stage = deciding
	m.trouble = present.Problem{
		What: why, Done: "The key was not stored.",
		Next: "You can use it for this run only: it stays in memory, is written nowhere, and you enter it again at the next start.",
	}
}

func (m *Model) decide(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(k, m.keys.retry):
		return m.save(m.key)
	case key.Matches(k, m.keys.once):
		return m.connect(m.key, m.o.Profile, thisRun)
	}
	return nil
}

// confirmProfile handles the answer whether to change the profile to the new source.
func (m *Model) confirmProfile(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(k, m.keys.change):
		m.stage = writing
		p, write := m.profile, m.o.Write
		return m.write.Ask(m.scope, func(context.Context) (keystore.Profile, error) { return p, write(p) })
	case key.Matches(k, m.keys.leave):
		return m.connect(m.key, m.o.Profile, m.source())
	}
	return nil
}

func (m *Model) onWritten(a ui.Result[keystore.Profile]) tea.Cmd {
	if a.Err != nil {
		m.stage = confirming
		m.trouble = present.Problem{What: "The profile was not changed: " + errorText(a.Err)}
		return nil
	}
	return m.connect(m.key, a.Value, m.source())
}
