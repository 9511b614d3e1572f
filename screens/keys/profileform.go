package keys

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A profileForm is the form for a new profile and for changing an existing one. Settings
// that rarely change are left to the file of the profile.
type profileForm struct {
	*ui.Form
	before  keystore.Profile // for the settings without a field
	isNew   bool             // the profile is new and needs a name
	first   bool             // it is the first one, which is called as its environment
	name    *ui.TextField
	env     *ui.ChoiceField
	base    *ui.TextField
	list    *ui.TextField
	source  *ui.ChoiceField
	sources []string // that it offers
	command *ui.TextField
	file    *ui.TextField
}

var environments = []string{string(keystore.Test), string(keystore.Live)}

// profileHeading introduces the form for a new profile.
const profileHeading = "A profile says which service to use."

// firstProfile returns a form for the first profile, which is called as its environment. It asks no more than is needed to
// open it.
func firstProfile(t *ui.Theme, e keystore.Environment, keyring bool) *profileForm {
	f := newProfileForm(t, keystore.Profile{Name: string(e), Environment: e}, true, "continue", keyring)
	f.first = true
	f.SetFields(f.fields()...)
	return f
}

const sourceName = 9 // cells of the names of sources

// prices say of each source what it costs the person, since none costs nothing.
var prices = map[string]string{
	"keyring": "Unlocked with your login; your other programs can ask for the key.",
	"age":     "Sealed in a file; you type a passphrase at each start.",
	"file":    "In a file of yours. Nothing is asked; whoever reads it has the key.",
	"ask":     "Kept nowhere; you type the key at each start.",
	"command": "Printed by a program, such as pass, which may ask you at each start.",
	"env":     "In " + keystore.Variable + ", which programs started from there can read.",
}

// offer lets the person choose one of the sources that work on this host. Where there is no keyring, the first choice is to seal
// the key with a passphrase.
func (f *profileForm) offer(t *ui.Theme, keyring bool) {
	names, first := keystore.SourceNames(), ""
	if !keyring && f.before.Source != "keyring" {
		names, first = []string{"age", "ask", "command", "file", "env"}, "There is no keyring here. "
	}
	if f.isNew && f.before.Environment == keystore.Live { // the environment needs a setting of the file
		names = slices.DeleteFunc(names, func(name string) bool { return name == "env" })
	}
	f.sources = names
	f.source = ui.NewChoiceField(t, "Secret key", "", names...)
	f.source.Explain(func(option int) string {
		if option == 0 {
			return first + prices[names[option]]
		}
		return prices[names[option]]
	})
	f.source.Choose(slices.Index(names, f.before.Source))
}

// explain lists what each source costs beside the form or below it, where there is room for all of them; their title goes first.
func (f *profileForm) explain(t *ui.Theme) func(w, h int) []string {
	return func(w, h int) []string {
		lines := []string{t.Rule("Where the key can be", "", w)}
		for _, name := range f.sources {
			lines = append(lines, t.FactLines(name, prices[name], sourceName, w)...)
		}
		if len(lines) > h+1 {
			return nil
		}
		return lines[max(len(lines)-h, 0):]
	}
}

// newProfileForm returns a form that begins with a profile, whose name stays unless it is new. The checks read the whole form, because
// what is valid in one field may depend on another.
func newProfileForm(t *ui.Theme, p keystore.Profile, isNew bool, submit string, keyring bool) *profileForm {
	f := &profileForm{before: p, isNew: isNew}
	f.name = ui.NewTextField(t, "Name", "What you call it: lower-case letters, digits, - and _", ui.Required(), ui.Limit(32), ui.Initial(p.Name), ui.Checked(f.checkPart("name")))
	f.env = ui.NewChoiceField(t, "Environment", "Test moves play money, live moves real money.", environments...)
	f.base = ui.NewTextField(t, "Base URL", "Where payments are made: https, or http on this machine.", ui.Required(), ui.Limit(512), ui.Initial(p.BaseURL), ui.Checked(f.checkPart("base_url")))
	f.list = ui.NewTextField(t, "List URL", "Where transactions are listed. Empty: the base URL.", ui.Limit(512), ui.Initial(p.ListURL), ui.Checked(f.checkPart("list_url")))
	f.offer(t, keyring)
	f.command = ui.NewTextField(t, "Key command", "a program and its arguments, such as pass show paydesk/test", ui.Required(), ui.Limit(512), ui.Initial(p.KeyCommand.String()), ui.Checked(f.checkPart("key_command")))
	f.file = ui.NewTextField(t, "Key file", "an absolute path, or $CREDENTIALS_DIRECTORY/NAME", ui.Required(), ui.Limit(512), ui.Initial(p.KeyFile), ui.Checked(f.checkPart("key_file")))
	f.env.Choose(slices.Index(environments, string(p.Environment)))
	f.Form = ui.NewForm(t, f.fields()...)
	f.SubmitLabel(submit)
	return f
}

// fields returns the fields that apply to the chosen source.
func (f *profileForm) fields() []ui.Field {
	var fields []ui.Field
	if !f.first {
		fields = append(fields, f.env)
	}
	if f.isNew && !f.first {
		fields = append(fields, f.name)
	}
	fields = append(fields, f.base, f.list, f.source)
	switch f.source.Value() {
	case "command":
		fields = append(fields, f.command)
	case "file":
		fields = append(fields, f.file)
	}
	return fields
}

// Profile returns the profile that the form describes so far, with defaults.
func (f *profileForm) Profile() keystore.Profile {
	p := f.before.WithSource(f.source.Value())
	p.Name, p.Environment = f.name.Value(), keystore.Environment(f.env.Value())
	p.BaseURL, p.ListURL = f.base.Value(), cmp.Or(f.list.Value(), f.base.Value())
	switch p.Source {
	case "command": // an unchanged command keeps arguments that contain spaces
		if typed := f.command.Value(); typed != f.before.KeyCommand.String() {
			p.KeyCommand = keystore.NewList(strings.Fields(typed)...)
		}
	case "file":
		p.KeyFile = f.file.Value()
	}
	return p.WithDefaults()
}

// checkPart returns the check of one setting for its field.
func (f *profileForm) checkPart(name string) func(string) string {
	return func(typed string) string {
		p, of := f.Profile(), name
		if name == "list_url" && typed != "" && typed == p.BaseURL { // which is checked as that
			of = "base_url"
		}
		return present.Sentence(p.Check()[of])
	}
}

// Update handles a keystroke or a paste. If all fields are valid but the profile as a whole is
// not, it reports that at a field and does not submit.
func (f *profileForm) Update(msg tea.Msg) ui.FormResult {
	verdict := f.Form.Update(msg)
	if name := f.name.Value(); f.isNew && name != f.env.Value() && slices.Contains(environments, name) {
		f.name.SetValue(f.env.Value()) // a name that is still the environment's follows it
	}
	f.SetFields(f.fields()...)
	if verdict != ui.Submitted {
		return verdict
	}
	wrong := f.Profile().Check()
	if why := wrong["key"]; why != "" {
		f.SetError(f.source, present.Sentence(why))
		return ui.Handled
	}
	for part, why := range wrong {
		f.SetError(f.env, present.Sentence(part+" "+why))
		return ui.Handled
	}
	return verdict
}
