package collect

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// A customerStep is the form for the userInformation of an initiation (specification 2.3). The
// specification defines no formats, so only values that cannot be right are rejected.
type customerStep struct {
	form                      *ui.Form
	first, last, email, phone *ui.TextField
	filled                    int // times that a customer was filled in
}

const customerLimit = 100 // characters; the specification has no limit

func newCustomerStep(t *ui.Theme) *customerStep {
	c := &customerStep{
		first: textField(t, "first-name", "As on the card or the account."),
		last:  textField(t, "last-name", "As on the card or the account."),
		email: textField(t, "email", "Such as ada@example.com"),
		phone: textField(t, "phone", "Such as +44 20 7946 0000"),
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

// name is the customer's whole name.
func (c *customerStep) name() string {
	return strings.TrimSpace(c.first.Value() + " " + c.last.Value())
}

// set fills in a customer.
func (c *customerStep) set(to api.Customer) {
	for f, value := range map[*ui.TextField]string{c.first: to.FirstName, c.last: to.LastName, c.email: to.Email, c.phone: to.Phone} {
		f.SetValue(value)
	}
	c.form.CheckFilled()
}

// sampleCustomer is no real person: the address and the number are reserved for examples.
var sampleCustomer = api.Customer{FirstName: "Test", LastName: "Customer", Email: "test.customer@example.com", Phone: "+44 20 7946 0000"}

// sampleReturnURL is at a host that is reserved for examples.
const sampleReturnURL = "https://shop.example/done"

// offersCustomers reports whether a customer can be filled in: never where real money may move, since
// a real payment is a real customer's.
func (m *Model) offersCustomers() bool {
	return m.stage == stageCustomer && !m.options.Target.Live()
}

// fillCustomer fills in the customer of the last payment and the test customer in turn, in place of
// what was typed.
func (m *Model) fillCustomer() tea.Cmd {
	c, last := m.customer, m.options.Last
	c.filled++
	if last == (api.Customer{}) || c.filled%2 == 0 {
		c.set(sampleCustomer)
		return m.Notify("All four fields now have the test customer.")
	}
	c.set(last)
	return m.Notify("All four fields now have the customer of the last payment; again for the test customer.")
}

// emailLike rejects only what cannot be one address, such as one with a URL pasted behind it. A
// stricter check would reject addresses that work.
func emailLike(s string) string {
	at := strings.LastIndex(s, "@")
	two := at > 0 && s[0] != '"' && strings.Contains(s[:at], "@") // as where one was typed behind another
	if at < 1 || two || at == len(s)-1 || strings.ContainsAny(s, " ,;<>") || strings.ContainsAny(s[at:], ":/") {
		return "Enter one e-mail address, such as ada@example.com"
	}
	return ""
}

// mostDigits are those of an international number, of fifteen, behind the two of a prefix.
const mostDigits = 17

// phoneLike rejects only what cannot be a phone number: the specification defines no format.
func phoneLike(s string) string {
	if n := len(ledger.Digits(s)); n > mostDigits {
		return "Enter one phone number: these are " + strconv.Itoa(n) + " digits"
	}
	if strings.Trim(s, "+()-./ 0123456789") != "" || !strings.ContainsAny(s, "0123456789") {
		return "Enter a phone number, such as +44 20 7946 0000"
	}
	return ""
}
