package card

import (
	"slices"
)

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

// testNumbers are the card numbers that payment services publish for tests: those of the sandbox and of
// the service's own samples, and the best known of other services. No bank has issued them.
var testNumbers = []string{
	// The sandbox's, two of which are the service's samples.
	"4242424242424242", "4508750015741019", "4000008400001629", "4000000000000002", "5555555555554444", "5060666666666666666", "378282246310005",
	// Visa.
	"4111111111111111", "4012888888881881", "4222222222222", "4000056655665556", "4000000000000069", "4000000000000119", "4000000000000127",
	"4000000000000341", "4000000000009995", "4000000000009987", "4000000000009979", "4000000000006975", "4000002500003155", "4000002760003184",
	"4000008260003178", "4000008400001280", "4000000000003220", "4000000000003063", "4000000000003055", "4000000000003097", "4100000000000019",
	"4444333322221111", "4917610000000000", "4988438843884305", "4111111145551142", "4166676667666746", "4646464646464644", "4000620000000007",
	"4000060000000006", "4988080000000000", "4084084084084081", "4084080000005408", "4187427415564246",
	// Mastercard.
	"5105105105105100", "5200828282828210", "2223003122003222", "5555341244441115", "5555444433331111", "5454545454545454", "5577000055770004",
	"5136333333333335", "5585558555855583", "5500000000000004", "2222400070000005", "2222410740360010", "2223000048410010", "5123450000000008",
	"2223000000000007", "5111111111111118", "5531886652142950", "5438898014560229", "5399838383838381",
	// American Express, Discover, Diners Club, JCB, UnionPay.
	"371449635398431", "378734493671000", "370000000000002", "345678901234564", "6011111111111117", "6011000990139424", "6011981111111113",
	"3056930009020004", "36227206271667", "30569309025904", "38520000023237", "3566002020360505", "3530111333300000",
	"3528000000000007", "6200000000000005", "6205500000000000004",
	// Verve.
	"507850785078507812", "5061460410120223210",
}

// IsTest reports whether the number is one of those that are published for tests. Any other number may
// be a person's card.
func (p PAN) IsTest() bool {
	return read(p.hidden, func(ascii []byte) bool {
		return slices.ContainsFunc(testNumbers, func(n string) bool { return n == string(ascii) })
	})
}
