package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"paydesk/api/money"
)

// amountFlags are --amount and --currency, with the checks of the forms.
type amountFlags struct{ amount, currency string }

func (a *amountFlags) add(c *cobra.Command) {
	checkedFlag(c.Flags(), &a.currency, "currency", "CODE", "the currency, such as NGN", func(s string) error {
		_, err := money.ParseCurrency(s)
		return err
	})
	// The amount is checked once its currency is known.
	c.Flags().StringVar(&a.amount, "amount", "", "the `AMOUNT` in major units, such as 4,000.00")
}

// parse is the amount that was given.
func (a *amountFlags) parse() (money.Amount, error) {
	c, err := money.ParseCurrency(a.currency)
	if err != nil {
		return money.Amount{}, usage("--currency: " + err.Error())
	}
	amount, err := money.Parse(a.amount, c)
	if err == nil && amount.Minor == 0 {
		err = errors.New("the amount must be above 0")
	}
	if err != nil {
		return money.Amount{}, usage("--amount: " + err.Error())
	}
	return amount, nil
}
