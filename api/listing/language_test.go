package listing

import (
	"strconv"
	"strings"
	"testing"
)

func TestTheListIsSearchedInWordsThatPeopleHave(t *testing.T) {
	for _, tt := range []struct{ typed, meaning string }{
		{"", ""},
		{"failed gbp >100", "status is FAILED; currency is GBP; amount over 100"},
		{"status:failed,pending", "status is FAILED or PENDING"},
		{"100..250", "amount from 100 to 250"},
		{"-100..", "amount known and not 100 or more"},
		{"250..100", "! 0-8 Write the smaller amount first, as in 100..250."},
		{"2026-11-01..today", "! 0-17 The service's list has no dates. since:2026-11-20 finds what changed; Activity has days."},
		{`"5e62 7a"`, "a field contains “5e62 7a”"},
		{"1,234.50", "a field contains “1,234.50” or the amount is 1,234.50"},
		{"status:bank", "! 7-11 This status is not known. Did you mean BANK-CHECK?"},
		{`status:"refunded"`, "status is “refunded” as it was sent"},
		{"status:fialed", "! 7-13 This status is not known. Did you mean FAILED?"},
		{"stauts:failed", "! 0-6 No such field. Did you mean status?"},
		{"since:last -gone:2026-11-20", "new or moved since the last scan; not gone since the scan before 2026-11-20"},
		{"since:soon", "! 6-10 Write last, or a day as 2026-11-20, today or 7d, as in since:last."},
		{"not-here absent,found", "payment is not made from here; payment is not in the list or in doubt here"},
		{"amount:100,250", "! 7-14 Leave this comma out, or put a blank after it for either of two amounts, as in 100, 250."},
		{"failed pending", "status is FAILED; ! 7-14 No row has two. A comma finds either, as in status:failed,pending."},
		{">100gbp", "! 0-7 Write the currency apart, as in >100 gbp."},
	} {
		q, problems := Language().Parse(tt.typed)
		var all []string
		for _, term := range q.Terms {
			all = append(all, term.Meaning())
		}
		for _, p := range problems {
			all = append(all, "! "+place(p.Start, p.End)+" "+p.Text)
		}
		if got := strings.Join(all, "; "); got != tt.meaning {
			t.Errorf("%s means\n%s, want\n%s", tt.typed, got, tt.meaning)
		}
		again, wrong := Language().Parse(q.Source())
		if len(wrong) > 0 || !again.Equal(q) {
			t.Errorf("%s is printed as %s, which is %+v, %v", tt.typed, q.Source(), again, wrong)
		}
	}
}

func place(start, end int) string { return strconv.Itoa(start) + "-" + strconv.Itoa(end) }
