package card

// The schemes that are recognised.
const (
	Visa            = "Visa"
	Mastercard      = "Mastercard"
	AmericanExpress = "American Express"
	Verve           = "Verve"
	Discover        = "Discover"
)

// ranges maps the first six digits to a scheme. No two ranges overlap: Verve's lie within what
// would be Discover's.
var ranges = []struct {
	first, last, brand string
}{
	{"222100", "272099", Mastercard},
	{"340000", "349999", AmericanExpress},
	{"370000", "379999", AmericanExpress},
	{"400000", "499999", Visa},
	{"506099", "506198", Verve},
	{"507865", "507964", Verve},
	{"510000", "559999", Mastercard},
	{"601100", "601199", Discover},
	{"644000", "650001", Discover},
	{"650002", "650027", Verve},
	{"650028", "659999", Discover},
}

// BrandOf is the scheme of a number whose first digits are known, or "" while more than one scheme,
// or none of ours, is possible.
func BrandOf(digits []byte) string {
	low, high := []byte("000000"), []byte("999999")
	copy(low, digits)
	copy(high, digits)
	for _, r := range ranges {
		if r.first <= string(low) && string(high) <= r.last {
			return r.brand
		}
	}
	return ""
}

// CVVLength is the number of digits of a scheme's verification value: four for American Express,
// three for all others.
func CVVLength(brand string) int {
	if brand == AmericanExpress {
		return 4
	}
	return 3
}

// Luhn reports whether digits is not empty, consists of ASCII digits and passes the Luhn check.
func Luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := digits[len(digits)-1-i]
		if d < '0' || d > '9' {
			return false
		}
		n := int(d - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return len(digits) > 0 && sum%10 == 0
}
