package output

import (
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
)

// Transaction is a row of the service's list.
type Transaction struct {
	// Position is where the row is in the list, from 1; absent for one that is not in the list that was read.
	Position int `json:"position,omitempty"`
	// ID is the row's id; the service does not promise that it is a payment's reference.
	ID string `json:"id,omitempty"`
	// Money is the amount; absent where the service has not written a whole number of minor units.
	Money *Money `json:"money,omitempty"`
	// AmountRaw is what the service has written in its place.
	AmountRaw string `json:"amount_raw,omitempty"`
	// Currency is the currency of a row without money.
	Currency string `json:"currency,omitempty"`
	// Status is the status; its success is false beside a mismatch, and while unchecked.
	Status *Status `json:"status,omitempty"`
	// Mismatch is how an answer about a payment made from here differed from what was asked.
	Mismatch *Mismatch `json:"mismatch,omitempty"`
	// Unchecked is whether the journal could not be read, so that there may be a mismatch.
	Unchecked bool `json:"unchecked,omitempty"`
	// Change is how the row changed since the reading that --where asks about: new, moved (another status), amount (another
	// amount), gone or back (it changed in between). Was is the status there, and Seen the end of the reading that found it so.
	Change string     `json:"change,omitempty"`
	Was    string     `json:"was,omitempty"`
	Seen   *time.Time `json:"seen,omitempty"`
}

// NewTransaction is a row as an object.
func NewTransaction(l listing.Listed) Transaction {
	o := Transaction{
		Position: l.Position, ID: export.Masked(l.ID),
		Status: NewStatus(l.Status, l.Differs || l.Unchecked || l.Gone()), Mismatch: NewMismatch(l.Mismatch), Unchecked: l.Unchecked,
		Change: l.Since.How, Was: export.Masked(api.Clean(l.Since.Was)), Seen: Time(l.Since.Seen),
	}
	o.Status.Word = export.Masked(l.Status.Text)
	raw, code := export.Masked(l.Raw), export.Masked(l.Currency)
	switch {
	case l.Known:
		o.Money = NewMoney(l.Amount)
	case export.IsWhole(raw):
		o.Money = &Money{Currency: code, Minor: raw}
	default:
		o.AmountRaw, o.Currency = raw, code
	}
	return o
}

// Reading is how much of the list was read, and whether that can be trusted to be all of it.
type Reading struct {
	// Page and PerPage are those of a single page; absent where the whole list was to be read.
	Page    int `json:"page,omitempty"`
	PerPage int `json:"per_page,omitempty"`
	// RowsRead and PagesRead are how much was read.
	RowsRead  int `json:"rows_read"`
	PagesRead int `json:"pages_read"`
	// Where is the query as it was typed, and RowsFound how many rows meet it; absent without one.
	Where     string `json:"where,omitempty"`
	RowsFound *int   `json:"rows_found,omitempty"`
	// Total and PageCount are what the service reported last; absent where it does not say.
	Total     *int `json:"total,omitempty"`
	PageCount *int `json:"page_count,omitempty"`
	// Complete is whether the end of the list was reached; never for a single page.
	Complete bool `json:"complete"`
	// Trusted is whether these are all rows, as far as that can be known: the list was not seen to change.
	Trusted bool `json:"trusted"`
	// Why says what speaks against that.
	Why []string `json:"why,omitempty"`
	// Began and Ended are when it was read.
	Began *time.Time `json:"began,omitempty"`
	Ended *time.Time `json:"ended,omitempty"`
	// Since is the reading that it is compared with, where --where asks about one.
	Since *ListReading `json:"since,omitempty"`
}

// Transactions is the last object, behind the rows.
type Transactions struct {
	Reading
}

// Totals are rows added up by currency and status.
type Totals struct {
	// Rows is how many rows were added up.
	Rows int `json:"rows"`
	// Currencies are the rows of each currency.
	Currencies []CurrencyTotal `json:"currencies"`
	// Unchecked is whether the journal could not be read, so that mismatches may be counted by their status.
	Unchecked bool `json:"unchecked,omitempty"`
	Reading
}

// CurrencyTotal is the rows of one currency.
type CurrencyTotal struct {
	// Currency is its code, or the service's word for one that is not known.
	Currency string `json:"currency,omitempty"`
	// Known is whether the currency is known; rows of an unknown one are counted, but not summed.
	Known bool `json:"known"`
	Total
	// Statuses are the rows by what their status means.
	Statuses []StatusTotal `json:"statuses"`
}

// StatusTotal is the rows of one currency and status.
type StatusTotal struct {
	// Means is the documented status, UNRECOGNISED, or MISMATCH.
	Means string `json:"means"`
	// Word is the service's word for a status that is not documented.
	Word string `json:"word,omitempty"`
	Total
}

// Total is how many rows there are, and what they come to.
type Total struct {
	Rows int `json:"rows"`
	// Sum is exact; absent in a currency that is not known.
	Sum *Money `json:"sum,omitempty"`
	// Unread are the rows whose amount cannot be read; they are not in the sum.
	Unread int `json:"unread"`
}

// ListReading is one reading of the whole list.
type ListReading struct {
	Began   *time.Time `json:"began,omitempty"`
	Ended   *time.Time `json:"ended,omitempty"`
	Rows    int        `json:"rows"`
	Trusted bool       `json:"trusted"`
}
