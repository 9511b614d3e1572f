package present

import "paydesk/api/listing"

// Verdict words whether the rows of a scan that reached the end of the list are all of it, as the end of a sentence about
// those rows. Only where the list was seen to change is that said.
func Verdict(v listing.Verdict) string {
	switch {
	case v.Trusted:
		return ", no change seen while it was read"
	case v.Changed():
		return ", but the list changed while it was read"
	}
	return ", which may not be all"
}
