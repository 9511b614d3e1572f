package collect

import (
	"strings"

	"paydesk/api"
	"paydesk/ui"
)

// A customerStep is the form for the userInformation of an initiation (specification 2.3). The
// specification defines no formats, so only values that cannot be right are rejected.
type customerStep struct {
	form                      *ui.Form
	first, last, email, phone *ui.TextField
}

const customerLimit = 100 // characters; the specification has no limit

func newCustomerStep(t *ui.Theme) *customerStep {
	limit := ui.Limit(customerLimit)
	c := &customerStep{
		first: ui.NewTextField(t, "First name", "as on the card or the account", ui.Required(), limit),
		last:  ui.NewTextField(t, "Last name", "as on the card or the account", ui.Required(), limit),
		email: ui.NewTextField(t, "E-mail", "such as ada@example.com", ui.Required(), limit, ui.Checked(emailLike)),
		phone: ui.NewTextField(t, "Phone", "such as +44 20 7946 0000", ui.Required(), limit, ui.Checked(phoneLike)),
	}
	c.form = ui.NewForm(t, c.first, c.last, c.email, c.phone)
	c.form.SubmitLabel("next step")
	return c
}

func (c *customerStep) value() api.Customer {
	return api.Customer{
		FirstName: c.first.Value(), LastName: c.last.Value(),
		Email: c.email.Value(), Phone: c.phone.Value(),
	}
}

// emailLike rejects only what cannot be one address. A stricter check would reject addresses that
// work.
func emailLike(s string) string {
	at := strings.LastIndex(s, "@")
	if at < 1 || at == len(s)-1 || strings.ContainsAny(s, " ,;<>") {
		return "Enter one e-mail address, such as ada@example.com"
	}
	return ""
}

// phoneLike rejects only what cannot be a phone number: the specification defines no format.
func phoneLike(s string) string {
	if strings.Trim(s, "+()-./ 0123456789") != "" || !strings.ContainsAny(s, "0123456789") {
		return "Enter a phone number, such as +44 20 7946 0000"
	}
	return ""
}
