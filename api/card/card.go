// Package card holds card data as values that cannot be printed by accident
// (R20 to R22).
//
// The digits sit behind a function because methods alone leak: fmt does not call
// Format on values it reaches through unexported fields, and prints what it finds
// there as it is. However a [PAN] or a [CVV] is formatted, logged or marshalled, it
// shows the last four digits at most; `grep Expose` finds every place that sees
// more. Errors never quote what was typed.
//
// [PAN.Wipe] and [CVV.Wipe] clear the digits of every copy of a value. That is worth
// doing and no guarantee: texts made by Expose, the network's buffers and the
// terminal keep theirs until they are reused (R26).
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
	ErrPANDigits = errors.New("a card number has digits only, blanks and dashes aside")
	ErrPANLength = errors.New("a card number has 12 to 19 digits")
	ErrPANCheck  = errors.New("the card number has a mistyped digit")
	ErrCVV       = errors.New("the code has three or four digits")
)

// digits is the one place that holds card data. Values reach it through a
// function only, and share it, so that wiping one wipes all.
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

// last is the last n digits at most: nothing else is copied for it.
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

// A PAN is a primary account number; nothing but [PAN.Expose] gives it. The zero
// PAN is none.
type PAN struct{ digits func() *digits }

// ParsePAN reads 12 to 19 digits with a right Luhn check, with or without
// blanks and dashes. Its errors never quote the text.
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

// Expose gives the whole number, for the request that needs it. It is empty for
// the zero PAN and after [PAN.Wipe].
func (p PAN) Expose() string {
	if p.digits == nil {
		return ""
	}
	return p.digits().text()
}

// ExposeBytes is [PAN.Expose] as bytes of the caller's own, who can wipe them; a text cannot be.
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

// IsZero reports whether there is no number, or none any more.
func (p PAN) IsZero() bool { return p.digits == nil || p.digits().empty() }

// Masked is "•••• 4242" (R21).
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

// Brand is the scheme by its prefix: Visa, Mastercard, American Express,
// Verve, Discover, or "".
func (p PAN) Brand() string {
	if p.digits == nil {
		return ""
	}
	return p.digits().brand()
}

// Format implements [fmt.Formatter], so that no verb reaches the digits.
func (p PAN) Format(f fmt.State, _ rune) { io.WriteString(f, p.Masked()) }

// LogValue implements [slog.LogValuer].
func (p PAN) LogValue() slog.Value { return slog.StringValue(p.Masked()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON and XML.
func (p PAN) MarshalText() ([]byte, error) { return []byte(p.Masked()), nil }

// A CVV is a card verification value of three or four digits. It shows as "•••"
// whatever its length. The zero CVV is none.
type CVV struct{ digits func() *digits }

// ParseCVV reads three or four digits. Its error never quotes the text.
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

// Expose gives the value, for the request that needs it. It is empty for the
// zero CVV and after [CVV.Wipe].
func (v CVV) Expose() string {
	if v.digits == nil {
		return ""
	}
	return v.digits().text()
}

// ExposeBytes is [CVV.Expose] as bytes of the caller's own, who can wipe them.
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

// IsZero reports whether there is no value, or none any more.
func (v CVV) IsZero() bool { return v.digits == nil || v.digits().empty() }

func (v CVV) masked() string {
	if v.IsZero() {
		return ""
	}
	return "•••"
}

// Format implements [fmt.Formatter], so that no verb reaches the digits.
func (v CVV) Format(f fmt.State, _ rune) { io.WriteString(f, v.masked()) }

// LogValue implements [slog.LogValuer].
func (v CVV) LogValue() slog.Value { return slog.StringValue(v.masked()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON and XML.
func (v CVV) MarshalText() ([]byte, error) { return []byte(v.masked()), nil }
