package present_test

import (
	"testing"

	"paydesk/api/listing"
	"paydesk/screens/present"
)

func TestOnlyAListThatWasSeenToChangeIsSaidToHaveChanged(t *testing.T) {
	for want, all := range map[string][]listing.Verdict{
		", no change seen while it was read": {{Trusted: true, Counted: true, Before: 9, After: 9, Unique: 9}},
		", but the list changed while it was read": {
			{Counted: true, Before: 9, After: 10, Unique: 9}, {Counted: true, Before: 9, After: 9, Unique: 9, FirstDiffers: true},
			{Counted: true, Before: 9, After: 9, Unique: 8, Repeated: 1}, {Before: 9, After: 9, Unique: 9, Differing: 1},
		},
		", which may not be all": {
			{}, {Unique: 9}, {Before: 0, After: 9}, {Counted: true, Before: 9, After: 9, Unique: 8},
			{Counted: true, Before: 9, After: 9, Unique: 8, Nameless: 1}, {Odd: []listing.Oddity{{What: listing.EmptyPage, Page: 2, Pages: 1}}},
		},
	} {
		for _, v := range all {
			if got := present.Verdict(v); got != want {
				t.Errorf("%+v: %q, want %q", v, got, want)
			}
		}
	}
}
