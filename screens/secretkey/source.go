package secretkey

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/present"
)

// readSource asks the source of the profile; it waits longer when a person asked for that, who
// can answer the keyring's prompt.
func (m *Model) readSource(patiently bool) tea.Cmd {
	m.profile, m.stage, m.trouble = m.o.Profile, opening, present.Problem{}
	store, name := m.store(), m.profile.Name
	return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, promptLimit)
		defer stop()
		if patiently {
			ctx = keystore.WithPrompt(ctx)
		}
		return store.Get(ctx, name)
	})
}

// A terminalResult is what came of a command that had the terminal.
type terminalResult struct {
	key keystore.Key
	err error
}

// runInteractive runs the command of the profile with the terminal, so that it can ask what it needs.
func (m *Model) runInteractive(p keystore.Prompter) tea.Cmd {
	m.stage = opening
	cmd, read := p.Interactive(m.profile.Name)
	return m.scope.Lend(cmd, func(error) tea.Msg { // read says why, in words of its own
		k, err := read()
		return terminalResult{k, err}
	})
}

// onSource goes on with what the source gave. A key that replaces another is tried first:
// it may be the one that was refused.
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

// trouble is why a source gave nothing, and what to do about it outside.
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
