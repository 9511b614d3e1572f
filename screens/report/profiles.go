package report

import (
	"strings"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Profiles are the columns of the profiles of a configuration; open is the one that is.
func Profiles(c *keystore.Config, open string) []Column[keystore.Profile] {
	state := func(p keystore.Profile, _ Medium) ui.Cell {
		var marks []string
		if p.Name == open {
			marks = append(marks, "open")
		}
		if p.Name == c.Default {
			marks = append(marks, "default")
		}
		return ui.Cell{Text: strings.Join(marks, ", ")}
	}
	return []Column[keystore.Profile]{
		{Column: ui.Column{Title: "Profile", Width: 10, Grow: true}, Printed: 12, On: Anywhere, Cell: Text(func(p keystore.Profile) string { return p.Name })},
		{Column: ui.Column{Title: "Env", Width: 6}, On: Anywhere, Cell: environmentCell},
		{Column: ui.Column{Title: "Host", Width: 16, Full: 20, Grow: true}, On: Screen, Cell: Text(func(p keystore.Profile) string { return present.Plain(p.Host()) })},
		{Column: ui.Column{Title: "Key", Width: 7, Drop: 1}, Printed: 8, On: Anywhere, Cell: Text(func(p keystore.Profile) string { return p.Source })},
		{Column: ui.Column{Title: "Base URL"}, Printed: 32, On: Terminal | Pipe, Cell: Text(func(p keystore.Profile) string { return p.BaseURL })},
		{Column: ui.Column{Title: "State", Width: 13}, On: Anywhere, Cell: state},
	}
}

// environmentCell is loud where real money moves.
func environmentCell(p keystore.Profile, on Medium) ui.Cell {
	env := ui.Cell{Text: string(p.Environment)}
	if on != Pipe {
		env.Text = strings.ToUpper(env.Text)
	}
	if p.Environment == keystore.Live {
		env.Tone = ui.ToneAct
	}
	return env
}
