package cli

import (
	"strings"

	"paydesk/ui"
)

// checkField checks the value of an option by the field of its form, with the same words.
func checkField(flag, label, value string, o ...ui.TextOption) error {
	f := ui.NewTextField(ui.NewTheme(true), label, "", o...)
	f.SetValue(value)
	wrong := f.Check()
	if wrong == "" && f.Value() != strings.TrimSpace(value) {
		wrong = label + " is too long, or has characters that cannot be sent"
	}
	if wrong != "" {
		return usage("--" + flag + ": " + wrong)
	}
	return nil
}
