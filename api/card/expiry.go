package card

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Why a text is not an expiry.
var (
	ErrExpiry = errors.New("enter the expiry as MM/YY")
	ErrMonth  = errors.New("the month must be 01 to 12")
)

// An Expiry is the month a card expires in (2.4): Month 1 to 12, Year with four digits.
type Expiry struct{ Month, Year int }

// ParseExpiry parses MM/YY, MM/YYYY or MMYY, ignoring spaces around the parts. The year must be in
// this century. It accepts months in the past; see [Expiry.Expired].
func ParseExpiry(s string) (Expiry, error) {
	month, year, slashed := strings.Cut(s, "/")
	month, year = strings.Trim(month, " "), strings.Trim(year, " ")
	if !slashed && len(month) == 4 {
		month, year = month[:2], month[2:]
	}
	if len(year) == 2 {
		year = "20" + year
	}
	if len(month) != 2 || len(year) != 4 || year[:2] != "20" || strings.Trim(month+year, "0123456789") != "" {
		return Expiry{}, ErrExpiry
	}
	var e Expiry
	e.Month, _ = strconv.Atoi(month)
	e.Year, _ = strconv.Atoi(year)
	if e.Month < 1 || e.Month > 12 {
		return Expiry{}, ErrMonth
	}
	return e, nil
}

// Expired reports whether the month ended before now, in now's time zone.
func (e Expiry) Expired(now time.Time) bool {
	return now.Year() > e.Year || now.Year() == e.Year && int(now.Month()) > e.Month
}

// String is "MM/YYYY".
func (e Expiry) String() string { return fmt.Sprintf("%02d/%04d", e.Month, e.Year) }
