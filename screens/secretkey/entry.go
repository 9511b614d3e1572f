package secretkey

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// enterFor starts the entry of a key for a source.
func (m *Model) enterFor(source string) {
	m.profile, m.stage, m.trouble, m.unverified = m.withSource(source), entering, present.Problem{}, false
}

// malformed says why s cannot be a key, without quoting it.
func malformed(s string) string {
	if _, err := keystore.ParseKey(s); err != nil {
		return errorText(err)
	}
	return ""
}

func (m *Model) enter(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		b := m.entryKeys()
		switch {
		case key.Matches(k, b.again):
			return m.readSource(true)
		case key.Matches(k, b.options):
			m.showMissing(m.missing)
			return nil
		case key.Matches(k, b.storeAnyway):
			if entered, ok := m.entered(); ok {
				return m.save(entered)
			}
			return nil
		}
	}
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	entered, ok := m.entered()
	if !ok {
		return nil
	}
	m.fromSource = false
	return m.verify(entered)
}

// entryKeys returns the bindings with those enabled that work while a key is typed.
func (m *Model) entryKeys() keyMap {
	k := m.keys
	k.again.SetHelp("ctrl+r", "retry")
	k.again.SetEnabled(!m.chosen && m.o.Profile.Source == m.profile.Source && m.profile.Source != "ask")
	k.options.SetEnabled(!m.chosen)
	k.storeAnyway.SetEnabled(m.unverified)
	return k
}

// entered returns the key in the field, or reports at the field why it is not a key.
func (m *Model) entered() (keystore.Key, bool) {
	k, err := keystore.ParseKey(m.field.Value())
	if err != nil {
		m.form.SetError(m.field, errorText(err))
	}
	return k, err == nil
}

// verify sends one read-only request with a key.
func (m *Model) verify(k keystore.Key) tea.Cmd {
	m.stage, m.trouble, m.unverified, m.lastSubmit = verifying, present.Problem{}, false, time.Now()
	profile, verify := m.profile, m.o.Verify
	return m.verification.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		return k, verify(ctx, profile, k)
	})
}

// releaseGap is the pause after which a submit key counts as pressed again. It is longer than
// the delay before a held key repeats.
const releaseGap = time.Second

// held reports whether a submit key may still be held down since the last attempt. Each
// repetition would otherwise send another request with a rejected key, and services lock out
// clients that do that.
func (m *Model) held(k tea.KeyPressMsg) bool {
	switch {
	case m.lastSubmit.IsZero():
		return false
	case m.stage != entering:
		m.lastSubmit = time.Now()
		return false
	case !ui.Submits(k) || time.Since(m.lastSubmit) >= releaseGap:
		m.lastSubmit = time.Time{}
		return false
	}
	m.lastSubmit = time.Now()
	m.notice = "Too soon after the last try. Release the key and press it again."
	return true
}

// onVerified stores a key that the service accepted. Only [api.KeyRejected] means that the key
// is wrong; after any other error it may be right.
func (m *Model) onVerified(a ui.Result[keystore.Key]) tea.Cmd {
	switch {
	case a.Err == nil && m.fromSource:
		return m.connect(a.Value, m.profile, m.source()) // its source has it already
	case a.Err == nil:
		return m.save(a.Value)
	}
	t := present.Error(a.Err, present.Reading)
	judged := api.KeyRejected(a.Err)
	if api.NotFound(a.Err) {
		t.What = "There is no list of transactions at the list URL."
	}
	switch {
	case m.fromSource && judged:
		t.What, t.Next = "The key from "+sourceName(m.source())+" was rejected too.", "Enter another, or store it there and retry (ctrl+r)."
	case m.fromSource:
		t.Next = "The key from " + sourceName(m.source()) + " could not be verified. Retry (ctrl+r)."
	case !judged:
		m.unverified = true
		t.Next = "The key could not be verified. Try again (enter), or store it unverified (" + m.keys.storeAnyway.Help().Key + ")."
	}
	m.stage, m.trouble = entering, t
	return nil
}
