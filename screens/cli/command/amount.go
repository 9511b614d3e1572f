package command

import (
	"errors"

	"github.com/spf13/cobra"

	"paydesk/api/money"
)

// AmountFlags are --amount and --currency, with the checks of the forms.
type AmountFlags struct{ Amount, Currency string }

func (a *AmountFlags) Add(c *cobra.Command) {
	CheckedFlag(c.Flags(), &a.Currency, "currency", "CODE", "the currency, such as NGN", func(s string) error {
		_, err := money.ParseCurrency(s)
		return err
	})
	// The amount is checked once its currency is known.
	c.Flags().StringVar(&a.Amount, "amount", "", "the `AMOUNT` in major units, such as 4,000.00")
}

// Parse is the amount that was given.
func (a *AmountFlags) Parse() (money.Amount, error) {
	c, err := money.ParseCurrency(a.Currency)
	if err != nil {
		return money.Amount{}, Wrong("--currency: " + err.Error())
	}
	amount, err := money.Parse(a.Amount, c)
	if err == nil && amount.Minor == 0 {
		err = errors.New("the amount must be above 0")
	}
	if err != nil {
		return money.Amount{}, Wrong("--amount: " + err.Error())
	}
	return amount, nil
}
