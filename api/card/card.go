// Package card holds card data in values that cannot be printed by accident.
//
// The digits are behind a function because methods alone leak: fmt does not call Format on values
// that it reaches through unexported fields, and prints their contents. However a [PAN] or a [CVV]
// is formatted, logged or marshalled, it shows at most the last four digits; `grep Expose` finds
// every place that sees more. Errors never quote what was typed.
//
// Wipe clears the digits of every copy of a value. That is no guarantee:
// strings returned by Expose, the network's buffers and the terminal keep the digits until their
// memory is reused.
package card

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Why a text is not a card number or a verification value.
var (
	ErrPANDigits = errors.New("a card number has only digits, spaces and dashes")
	ErrPANLength = errors.New("a card number has 12 to 19 digits")
	ErrPANCheck  = errors.New("the card number has a mistyped digit")
	ErrCVV       = errors.New("the code has three or four digits")
)

// digits is the only place that holds card data. All copies of a value share it through a function,
// so that wiping one wipes all.
type digits struct {
	lock  sync.Mutex // a form may wipe while a command still reads
	ascii [19]byte
	n     int
}

// hidden describes what a [PAN] and a [CVV] have in common. The zero value has no digits.
type hidden struct{ digits func() *digits }

func hide(d *digits) hidden { return hidden{func() *digits { return d }} }

// read calls f with the digits, which f must not keep.
func read[T any](h hidden, f func(ascii []byte) T) T {
	if h.digits == nil {
		return f(nil)
	}
	d := h.digits()
	d.lock.Lock()
	defer d.lock.Unlock()
	return f(d.ascii[:d.n])
}

// Expose returns all digits, for the request that sends them. It is empty for the zero value and
// after Wipe.
func (h hidden) Expose() string { return read(h, func(ascii []byte) string { return string(ascii) }) }

// ExposeBytes is Expose as bytes that the caller owns and can wipe; a string cannot be wiped.
func (h hidden) ExposeBytes() []byte { return read(h, bytes.Clone) }

// IsZero reports whether there are no digits, or they were wiped.
func (h hidden) IsZero() bool { return read(h, func(ascii []byte) bool { return len(ascii) == 0 }) }

// Wipe clears the digits of h and of every copy of it.
func (h hidden) Wipe() {
	if h.digits == nil {
		return
	}
	d := h.digits()
	d.lock.Lock()
	defer d.lock.Unlock()
	clear(d.ascii[:])
	d.n = 0
}

// Masked is "•••• 4242" for a PAN, "•••" for a CVV of any length, and "" without digits.
func (h hidden) Masked() string {
	return read(h, func(ascii []byte) string {
		switch n := len(ascii); {
		case n == 0:
			return ""
		case n <= 4: // no PAN is as short, and of a CVV nothing is shown
			return "•••"
		default:
			return "•••• " + string(ascii[n-4:])
		}
	})
}

// Format implements [fmt.Formatter], so that no verb prints the digits.
func (h hidden) Format(f fmt.State, _ rune) { io.WriteString(f, h.Masked()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON, XML and log/slog.
func (h hidden) MarshalText() ([]byte, error) { return []byte(h.Masked()), nil }

// A PAN is a primary account number. Only its methods Expose and ExposeBytes return it. The zero
// PAN is no number.
type PAN struct{ hidden }

// ParsePAN parses 12 to 19 digits that pass the Luhn check, ignoring spaces and dashes. Its errors
// never quote the text.
func ParsePAN(s string) (p PAN, err error) {
	d := new(digits)
	defer func() {
		if err != nil {
			hide(d).Wipe()
		}
	}()
	for _, r := range s {
		switch {
		case r == ' ' || r == '-':
		case r < '0' || r > '9':
			return PAN{}, ErrPANDigits
		case d.n == len(d.ascii):
			return PAN{}, ErrPANLength
		default:
			d.ascii[d.n] = byte(r)
			d.n++
		}
	}
	switch {
	case d.n < 12:
		return PAN{}, ErrPANLength
	case !Luhn(d.ascii[:d.n]):
		return PAN{}, ErrPANCheck
	}
	return PAN{hide(d)}, nil
}

// LastFour is the last four digits.
func (p PAN) LastFour() string {
	return read(p.hidden, func(ascii []byte) string { return string(ascii[max(0, len(ascii)-4):]) })
}

// Brand is the scheme of the number, or "": see [BrandOf].
func (p PAN) Brand() string { return read(p.hidden, BrandOf) }

// A CVV is a card verification value of three or four digits. The zero CVV is no value.
type CVV struct{ hidden }

// ParseCVV parses three or four digits. Its error never quotes the text.
func ParseCVV(s string) (CVV, error) {
	if len(s) < 3 || len(s) > 4 || strings.Trim(s, "0123456789") != "" {
		return CVV{}, ErrCVV
	}
	d := new(digits)
	d.n = copy(d.ascii[:], s)
	return CVV{hide(d)}, nil
}

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
