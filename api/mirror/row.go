package mirror

import (
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// A line is a row as it is kept: its ID, its status, and its value, which is its currency, its minor units and, where these
// are not known, the text of its amount. A tab follows each part but the last. No part has a tab, which cleaning spells out, so
// that lines and their IDs have one order.
type line string

const maxText = 200 // bytes

// storable reports whether an ID can be kept: one that is empty, too long or looks like a card number cannot.
func storable(id string) bool {
	return id != "" && len(id) <= maxText && card.Redact(id) == id
}

// lineOf is the line of a row with an ID. A status has its documented word and a known currency its code, so that another
// spelling is no change.
func lineOf(id string, row *api.Transaction) line {
	status := row.Status.State.String()
	if row.Status.State == api.Unrecognised {
		status = row.Status.Text.Stored()
	}
	if row.Known {
		return line(id + "\t" + status + "\t" + row.Amount.Currency.Code() + "\t" + strconv.FormatInt(row.Amount.Minor, 10) + "\t")
	}
	return line(id + "\t" + status + "\t" + row.Currency.Stored() + "\t\t" + row.Raw.Stored())
}

// id is the ID of a line.
func (l line) id() string {
	id, _, _ := strings.Cut(string(l), "\t")
	return id
}

// parts are the status and the value of a line; nothing for "", which is no row.
func (l line) parts() (status, value any) {
	if l == "" {
		return nil, nil
	}
	_, rest, _ := strings.Cut(string(l), "\t")
	status, value, _ = strings.Cut(rest, "\t")
	return status, value
}

// rowOf is a row from the parts of its line. Without a status it is in no list, and has an ID alone.
func rowOf(id string, status, value *string) (api.Transaction, error) {
	row := api.Transaction{ID: api.Clean(id)}
	if status == nil || value == nil {
		return row, nil
	}
	row.Status = api.ParseStatus(*status)
	parts := strings.Split(*value, "\t")
	if len(parts) != 3 {
		return row, statefile.ErrDamaged
	}
	row.Currency = api.Clean(parts[0])
	if parts[1] == "" {
		row.Raw = api.Clean(parts[2])
		return row, nil
	}
	c, err := money.ParseCurrency(parts[0])
	if err != nil {
		return row, statefile.ErrDamaged
	}
	if row.Amount.Minor, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return row, statefile.ErrDamaged
	}
	row.Amount.Currency, row.Known = c, true
	return row, nil
}
