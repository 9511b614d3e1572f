package secretkey

import (
	"bytes"
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// askPhrase asks for the passphrase of the key that is there; why is what was wrong with
// the last one.
func (m *Model) askPhrase(why string) tea.Cmd {
	m.stage, m.trouble = unlocking, present.Problem{}
	m.phrase, m.again = m.secret("Passphrase", "of "+m.path()), nil
	m.phrases = ui.NewForm(m.theme, m.phrase)
	m.phrases.SubmitLabel("open the key")
	if why != "" {
		m.phrases.SetError(m.phrase, why)
	}
	m.missing = present.Problem{What: "The key is sealed in " + clean(m.path()) + "."}
	return nil
}

// newPhrase asks twice for the passphrase of a key that is to be sealed.
func (m *Model) newPhrase(k keystore.Key) tea.Cmd {
	m.stage, m.key, m.trouble = sealing, k, present.Problem{}
	short := fmt.Sprintf("A passphrase has at least %d characters; several words are best", keystore.MinPassphrase)
	m.phrase = m.secret("New passphrase", "several words are best; nobody can recover it", ui.Checked(func(string) string {
		return check(m.phrase, func(b []byte) bool { return len(b) >= keystore.MinPassphrase }, short)
	}))
	m.again = m.secret("Once more", "the same, because it is not shown", ui.Checked(func(string) string {
		first := m.phrase.Secret()
		defer clear(first)
		return check(m.again, func(b []byte) bool { return bytes.Equal(b, first) }, "It differs from the first")
	}))
	m.phrases = ui.NewForm(m.theme, m.phrase, m.again)
	m.phrases.SubmitLabel("seal the key")
	return nil
}

func (m *Model) secret(label, help string, o ...ui.TextOption) *ui.TextField {
	return ui.NewTextField(m.theme, label, help, append(o, ui.Required(), ui.Masked(), ui.Limit(512))...)
}

// forget wipes the passphrases that were typed.
func (m *Model) forget() {
	if m.phrases != nil {
		m.phrases.Wipe()
		m.phrases = nil
	}
}

// check looks at what a field has, and wipes what it looked at.
func check(f *ui.TextField, right func([]byte) bool, words string) string {
	b := f.Secret()
	defer clear(b)
	if right(b) {
		return ""
	}
	return words
}

// path is where the sealed key is or will be.
func (m *Model) path() string { return m.as("age").KeyPath(m.o.Folder) }

func (m *Model) enterPhrase(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && m.stage == unlocking && key.Matches(k, m.keys.others) {
		m.forget()
		m.showMissing(m.missing)
		return nil
	}
	if m.phrases.Update(msg) != ui.Submitted {
		return nil
	}
	store, ok := m.store().(keystore.Sealed)
	if !ok {
		m.showMissing(present.Problem{What: "There is no place for a sealed key."})
		return nil
	}
	phrase, name := m.phrase.Secret(), m.profile.Name
	m.forget()
	if m.stage == unlocking {
		m.stage = opening
		return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) { return store.Unlock(ctx, name, phrase) })
	}
	m.stage = storing
	k := m.key
	return m.set.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) { return k, store.Seal(ctx, name, k, phrase) })
}
