// Package card holds card data in values that cannot be printed by accident.
//
// The digits are behind a function because methods alone leak: fmt does not call Format on values
// that it reaches through unexported fields, and prints their contents. However a [PAN] or a [CVV]
// is formatted, logged or marshalled, it shows at most the last four digits; `grep Expose` finds
// every place that sees more. Errors never quote what was typed.
//
// [PAN.Wipe] and [CVV.Wipe] clear the digits of every copy of a value. That is no guarantee:
// strings returned by Expose, the network's buffers and the terminal keep the digits until their
// memory is reused.
package card

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
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

func (d *digits) text() string {
	d.lock.Lock()
	defer d.lock.Unlock()
	return string(d.ascii[:d.n])
}

func (d *digits) bytes() []byte {
	d.lock.Lock()
	defer d.lock.Unlock()
	return append(make([]byte, 0, len(d.ascii)), d.ascii[:d.n]...)
}

// last is at most the last n digits; no others are copied.
func (d *digits) last(n int) string {
	d.lock.Lock()
	defer d.lock.Unlock()
	return string(d.ascii[max(0, d.n-n):d.n])
}

func (d *digits) empty() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.n == 0
}

func (d *digits) brand() string {
	d.lock.Lock()
	defer d.lock.Unlock()
	return BrandOf(d.ascii[:d.n])
}

func (d *digits) wipe() {
	d.lock.Lock()
	defer d.lock.Unlock()
	clear(d.ascii[:])
	d.n = 0
}

// A PAN is a primary account number. Only [PAN.Expose] and [PAN.ExposeBytes] return it. The zero
// PAN is no number.
type PAN struct{ digits func() *digits }

// ParsePAN parses 12 to 19 digits that pass the Luhn check, ignoring spaces and dashes. Its errors
// never quote the text.
func ParsePAN(s string) (PAN, error) {
	d := new(digits)
	for _, r := range s {
		switch {
		case r == ' ' || r == '-':
		case r < '0' || r > '9':
			d.wipe()
			return PAN{}, ErrPANDigits
		case d.n == len(d.ascii):
			d.wipe()
			return PAN{}, ErrPANLength
		default:
			d.ascii[d.n] = byte(r)
			d.n++
		}
	}
	if d.n < 12 {
		d.wipe()
		return PAN{}, ErrPANLength
	}
	if !Luhn(d.ascii[:d.n]) {
		d.wipe()
		return PAN{}, ErrPANCheck
	}
	return PAN{func() *digits { return d }}, nil
}

// Expose returns the whole number, for the request that sends it. It is empty for the zero PAN and
// after [PAN.Wipe].
func (p PAN) Expose() string {
	if p.digits == nil {
		return ""
	}
	return p.digits().text()
}

// ExposeBytes is [PAN.Expose] as bytes that the caller owns and can wipe; a string cannot be wiped.
func (p PAN) ExposeBytes() []byte {
	if p.digits == nil {
		return nil
	}
	return p.digits().bytes()
}

// Wipe clears the digits of p and of every copy of it.
func (p PAN) Wipe() {
	if p.digits != nil {
		p.digits().wipe()
	}
}

// IsZero reports whether there is no number, or it was wiped.
func (p PAN) IsZero() bool { return p.digits == nil || p.digits().empty() }

// Masked is "•••• 4242", or "" without a number.
func (p PAN) Masked() string {
	if p.IsZero() {
		return ""
	}
	return "•••• " + p.LastFour()
}

// LastFour is the last four digits.
func (p PAN) LastFour() string {
	if p.digits == nil {
		return ""
	}
	return p.digits().last(4)
}

// Brand is the scheme of the number, or "": see [BrandOf].
func (p PAN) Brand() string {
	if p.digits == nil {
		return ""
	}
	return p.digits().brand()
}

// Format implements [fmt.Formatter], so that no verb prints the digits.
func (p PAN) Format(f fmt.State, _ rune) { io.WriteString(f, p.Masked()) }

// LogValue implements [slog.LogValuer].
func (p PAN) LogValue() slog.Value { return slog.StringValue(p.Masked()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON and XML.
func (p PAN) MarshalText() ([]byte, error) { return []byte(p.Masked()), nil }

// A CVV is a card verification value of three or four digits. It formats as "•••" whatever its
// length. The zero CVV is no value.
type CVV struct{ digits func() *digits }

// ParseCVV parses three or four digits. Its error never quotes the text.
func ParseCVV(s string) (CVV, error) {
	if len(s) < 3 || len(s) > 4 {
		return CVV{}, ErrCVV
	}
	d := new(digits)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			d.wipe()
			return CVV{}, ErrCVV
		}
		d.ascii[i] = s[i]
		d.n++
	}
	return CVV{func() *digits { return d }}, nil
}

// Expose returns the value, for the request that sends it. It is empty for the zero CVV and after
// [CVV.Wipe].
func (v CVV) Expose() string {
	if v.digits == nil {
		return ""
	}
	return v.digits().text()
}

// ExposeBytes is [CVV.Expose] as bytes that the caller owns and can wipe.
func (v CVV) ExposeBytes() []byte {
	if v.digits == nil {
		return nil
	}
	return v.digits().bytes()
}

// Wipe clears the digits of v and of every copy of it.
func (v CVV) Wipe() {
	if v.digits != nil {
		v.digits().wipe()
	}
}

// IsZero reports whether there is no value, or it was wiped.
func (v CVV) IsZero() bool { return v.digits == nil || v.digits().empty() }

func (v CVV) masked() string {
	if v.IsZero() {
		return ""
	}
	return "•••"
}

// Format implements [fmt.Formatter], so that no verb prints the digits.
func (v CVV) Format(f fmt.State, _ rune) { io.WriteString(f, v.masked()) }

// LogValue implements [slog.LogValuer].
func (v CVV) LogValue() slog.Value { return slog.StringValue(v.masked()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON and XML.
func (v CVV) MarshalText() ([]byte, error) { return []byte(v.masked()), nil }
