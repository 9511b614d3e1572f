package secretkey

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/present"
)

// readSource reads the source of the profile. If a person requested it, the wait is longer,
// because they can answer the keyring's prompt.
func (m *Model) readSource(requested bool) tea.Cmd {
	m.profile, m.stage, m.trouble = m.o.Profile, opening, present.Problem{}
	store, name := m.store(), m.profile.Name
	return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, promptLimit)
		defer stop()
		if requested {
			ctx = keystore.WithPrompt(ctx)
		}
		return store.Get(ctx, name)
	})
}

// A terminalResult is the result of a command that ran with the terminal.
type terminalResult struct {
	key keystore.Key
	err error
}

// runInteractive runs the key command with the terminal, so that it can prompt.
func (m *Model) runInteractive(p keystore.Prompter) tea.Cmd {
	m.stage = opening
	cmd, read := p.Interactive(m.profile.Name)
	return m.scope.Exec(cmd, func(error) tea.Msg { // read returns a better error
		k, err := read()
		return terminalResult{k, err}
	})
}

// onSource continues with the result of the source. A key that replaces another is verified
// first, because it may be the rejected one.
func (m *Model) onSource(k keystore.Key, err error) tea.Cmd {
	switch {
	case err == nil && m.o.Replace:
		m.fromSource = true
		return m.verify(k)
	case err == nil:
		return m.connect(k, m.profile, m.source())
	case errors.Is(err, keystore.ErrWrongPassphrase):
		return m.askPassphrase(errorText(err))
	case errors.Is(err, keystore.ErrPassphrase):
		return m.askPassphrase("")
	case errors.Is(err, keystore.ErrNotFound) && m.defaultSource() == m.profile.Source:
		m.missing = present.Problem{What: errorText(err)}
		m.enterFor(m.profile.Source)
		return nil
	}
	m.showMissing(trouble(err))
	return nil
}

// trouble describes why a source has no key, and what to do about it.
func trouble(err error) present.Problem {
	var p *keystore.Problem
	if !errors.As(err, &p) {
		return present.Problem{What: errorText(err)}
	}
	t := present.Problem{What: sentence(p.Message), Detail: api.Clean(p.Stderr()).Line(0)}
	if p.Hint != "" {
		t.Next = sentence(p.Hint)
	}
	return t
}

func sentence(s string) string { return present.Sentence(api.Clean(s).Line(0)) }
