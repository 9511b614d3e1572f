package keys

import (
	"context"
	"errors"
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A change is written to the files.
type change struct {
	do   func(keystore.Folder) error
	done string // says that it was made
	name string // the profile to be marked
}

// errChangedOnDisk means that the files differ from what the screen shows.
var errChangedOnDisk = errors.New("the profiles were changed by another program; this is what they are now")

// store writes a change, unless the files differ from what the screen shows: then the person sees
// the new content first. In any case the list is read again afterwards.
func (m *Profiles) store(s ui.Scope, call *ui.Call[struct{}], c change, stored tea.Cmd, failed func(error) tea.Cmd) tea.Cmd {
	if m.write.Pending() { // of whichever dialog: two would not know of each other
		return failed(errors.New(whyWriting(&m.write)))
	}
	folder, seen := m.o.Folder, m.config
	return call.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			return tea.Batch(m.Refresh(), failed(a.Err))
		}
		m.Seek(c.name)
		m.Notify(c.done)
		return tea.Batch(m.Refresh(), stored)
	}).Ask(s, func(context.Context) (none struct{}, _ error) {
		now, err := folder.LoadOrEmpty()
		switch {
		case err != nil:
			return none, err
		case now.Default != seen.Default || !maps.Equal(now.Profiles, seen.Profiles):
			return none, errChangedOnDisk
		}
		return none, c.do(folder)
	})
}

// whyWriting returns why a screen that writes cannot be left.
func whyWriting(call *ui.Call[struct{}]) string {
	if call.Pending() {
		return "The file is being written."
	}
	return ""
}

// makeDefault makes a profile the default one.
func (m *Profiles) makeDefault(p keystore.Profile) tea.Cmd {
	c := change{func(f keystore.Folder) error { return f.SetDefault(p.Name) }, "It is the default profile now.", p.Name}
	return m.store(m.Scope, &m.write, c, nil, m.sayFailed)
}

// sayFailed says in the list why nothing was changed.
func (m *Profiles) sayFailed(err error) tea.Cmd {
	m.Tell(present.Sentence(err.Error())+" Look at the list, and press the key again.", "")
	return nil
}

// A dialog is the screen over the list on which a change is made. It stays until the change was written.
type dialog struct {
	detail.Dialog
	profiles *Profiles
	change   func() change // that the form asks for
	trouble  present.Problem
	write    ui.Call[struct{}]
}

// create begins a new profile.
func (m *Profiles) create() tea.Cmd {
	return m.whenLooked(func() tea.Cmd {
		f := newProfileForm(m.Theme, keystore.Profile{Name: environments[0]}, true, "create", m.keyring)
		return m.open("New profile", profileHeading, f, "The profile was written.", func(to keystore.Folder, p keystore.Profile) error {
			if missing := p.MissingKeyFile(); missing != "" {
				return errors.New(missing)
			}
			return to.Create(p)
		})
	})
}

// edit begins the change of a profile. An open profile keeps its settings until it is opened again:
// a payment in progress must not change its host.
func (m *Profiles) edit(p keystore.Profile) tea.Cmd {
	done := "The profile was written."
	if p.Name == m.o.Open {
		done = "Written. What is open keeps the old settings until you reopen the profile."
	}
	return m.whenLooked(func() tea.Cmd {
		return m.open("Profile", "Edit profile "+p.Name, newProfileForm(m.Theme, p, false, "save", m.keyring), done, keystore.Folder.Edit)
	})
}

func (m *Profiles) open(title, heading string, f *profileForm, done string, write func(keystore.Folder, keystore.Profile) error) tea.Cmd {
	d := &dialog{profiles: m}
	d.Dialog = detail.NewDialog(m.Theme, detail.Asks{
		Title: title, Help: m.Explain(), Under: d.under, Beside: f.explain(m.Theme), Busy: d.busy, Update: f.Update, Submit: d.submit,
		Head: func(int) []string { return []string{m.Theme.Strong.Render(heading), ""} },
	}, "")
	d.Form = f.Form
	d.change = func() change {
		p := f.Profile()
		return change{func(f keystore.Folder) error { return write(f, p) }, done, p.Name}
	}
	return nav.Open(nav.Over{Screen: d})
}

// duplicate asks for the name of a copy. It has no key yet where one is stored under the name of its profile.
func (m *Profiles) duplicate(p keystore.Profile) tea.Cmd {
	name := ui.NewTextField(m.Theme, "Name", "of the copy: lower-case letters, digits, - and _", ui.Required(), ui.Limit(32), ui.Checked(m.badName))
	d := &dialog{profiles: m}
	d.Dialog = detail.NewDialog(m.Theme, detail.Asks{
		Title: "Copy", Help: m.Explain(), Under: d.under, Busy: d.busy, Submit: d.submit,
		Head: func(w int) []string { return append(m.about(p, w), "") },
	}, "copy", name)
	d.change = func() change {
		copied := p
		copied.Name = name.Value()
		done := "Copied. The copy has its key from where this profile has it."
		switch {
		case p.Source == "keyring", p.Source == "age" && p.KeyFile == "":
			done = "Copied. The copy needs a key of its own: enter it when you open the profile."
		case p.Source == "ask":
			done = "Copied. You enter its key at each start, too."
		}
		return change{func(f keystore.Folder) error { return f.Create(copied) }, done, copied.Name}
	}
	return nav.Open(nav.Over{Screen: d})
}

// badName says why a copy cannot have this name, "" if it can. The file is checked again when it is
// written, since another program may have taken the name meanwhile.
func (m *Profiles) badName(name string) string {
	if _, taken := m.config.Profiles[name]; taken {
		return "A profile with this name already exists"
	}
	return present.Sentence(keystore.Profile{Name: name}.Check()["name"])
}

// about says which profile is changed.
func (m *Profiles) about(p keystore.Profile, w int) []string {
	first := m.Theme.Fact("Profile", present.Plain(p.Name+", environment "+string(p.Environment)), profileLabel)
	return append([]string{first}, facts(m.Theme, p, w)...)
}

// submit makes the change. After an error, the form keeps what was typed.
func (d *dialog) submit() tea.Cmd {
	d.trouble = present.Problem{}
	return d.profiles.store(d.Scope, &d.write, d.change(), nav.Pop, func(err error) tea.Cmd {
		if d.trouble = (present.Problem{What: "The change failed.", Detail: present.Plain(err.Error())}); errors.Is(err, errChangedOnDisk) {
			d.trouble = present.Problem{What: present.Sentence(err.Error()), Done: "Nothing was written.", Next: "Look at it (esc), or write anyway (ctrl+s)."}
		}
		return nil
	})
}

// busy says that the change is written, while it is.
func (d *dialog) busy(int) []string {
	if !d.write.Pending() {
		return nil
	}
	return []string{d.Theme.Mark(ui.ToneWait, "Writing the file…")}
}

// under says why the change was not made.
func (d *dialog) under(w int) []string { return d.trouble.Below(d.Theme, w) }

// Holds implements [ui.Holder]: a profile or a name is being typed.
func (d *dialog) Holds() bool { return true }

// WhyStay returns why the screen cannot be left now.
func (d *dialog) WhyStay() string { return whyWriting(&d.write) }

// managesKey reports whether paydesk may delete the key of a profile. It deletes no key that it could
// not have stored.
func managesKey(p keystore.Profile) bool { return keystore.StoredElsewhere(p.Source) == "" }

// whyKept says why a profile cannot be deleted. Before the default one is, another has
// to become the default, so that the next start knows which one to open.
func (m *Profiles) whyKept(p keystore.Profile) string {
	if p.Name == m.config.Default && m.Count() > 1 {
		return "It is the default profile: make another one the default first."
	}
	return ""
}

// An answer says what is deleted of a profile.
type answer struct {
	name, about string
	done        string // says that it was deleted; "" where nothing is
	key         bool   // the key is, too
}

// askDelete asks whether to delete the key too. The first answer deletes nothing: enter may be held down still.
func (m *Profiles) askDelete(p keystore.Profile) tea.Cmd {
	answers := []answer{
		{name: "Keep it", about: "deletes nothing"},
		{name: "Delete the profile", about: "its key stays where it is", done: "The profile was deleted. Any key it had stays where it was."},
	}
	more := "Its history stays in the journal."
	if managesKey(p) {
		answers = append(answers, answer{"Delete profile and key", "both, for good", "The profile and its key were deleted.", true})
	} else {
		more += " Paydesk does not manage its key."
	}
	if p.Name == m.o.Open {
		more += " The profile stays open until you open another."
	}
	return detail.NewChooser(&m.Body, detail.Rows[answer]{
		Title: "Delete", About: "Profile", Help: m.Explain(),
		Columns: func() []ui.Column {
			return []ui.Column{{Title: "Answer", Width: 24}, {Title: "What it does", Width: 26, Grow: true}}
		},
		All: func() []answer { return answers }, Cells: func(a answer) []ui.Cell { return []ui.Cell{{Text: a.name}, {Text: a.about}} },
		Head: func(int) []string { return []string{m.Theme.Strong.Render("Delete the profile " + p.Name + "?"), ""} },
		Says: func(_ answer, _ bool, w, _ int) []present.Line {
			return append(present.Rows(1, m.about(p, w)...), present.Rows(2, append([]string{""}, m.Theme.MutedLines(more, w)...)...)...)
		},
		Commands: func(a answer, _ bool) ui.Commands {
			return ui.Commands{{Key: ui.Bind("enter", "choose"), On: true, Do: func() tea.Cmd { return m.remove(p, a) }}}
		},
	}).Open(0)
}

// remove deletes what an answer says, over the list: the profile may have changed.
func (m *Profiles) remove(p keystore.Profile, a answer) tea.Cmd {
	if a.done == "" {
		return nav.Pop
	}
	store := m.o.Store(p)
	c := change{done: a.done, do: func(f keystore.Folder) error {
		if a.key {
			return deleteBoth(f, store, p.Name)
		}
		return f.Remove(p.Name)
	}}
	return tea.Batch(m.store(m.Scope, &m.write, c, nil, m.sayFailed), nav.Pop)
}

// deleteBoth deletes the key first: without its profile, nothing would lead to it.
func deleteBoth(f keystore.Folder, store keystore.Store, name string) error {
	if err := store.Delete(context.Background(), name); err != nil && !errors.Is(err, keystore.ErrNotFound) {
		return fmt.Errorf("its key could not be deleted, so the profile was kept: %w", err)
	}
	if err := f.Remove(name); err != nil {
		return fmt.Errorf("its key was deleted, but the profile was not: %w", err)
	}
	return nil
}
