package ledger

import (
	"errors"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// alive is a world in which every console lives on another machine.
type alive struct{}

func (alive) HasEnded(Process) bool                     { return false }
func (alive) Lives(Process) bool                        { return false }
func (alive) StartedWithin(Process, time.Duration) bool { return false }

var service = Destination{Environment: "TEST", Host: "pay.example"}

func pounds(t interface{ Fatal(...any) }, minor int64) money.Amount {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	return money.Amount{Minor: minor, Currency: gbp}
}

// isAsked reports whether a person is asked about earlier attempts, a time after they were made, before one is sent.
func isAsked(t *testing.T, next Entry, after time.Duration, earlier ...Entry) bool {
	t.Helper()
	next.ID = "next"
	_, err := Console{Now: noon.Add(after), Senders: alive{}}.Begin(next, earlier, nil)
	d, is := errors.AsType[*Duplicate](err)
	if err != nil && !is || is && (len(d.Attempts) != 1 || d.Attempts[0].ID != "first") {
		t.Errorf("%v, %+v", err, d)
	}
	return is
}

var lost = Answered{Result{Outcome: Unresolved}, FromConsole}

// What is known of an attempt, and how it resembles the next one, says whether a person is asked about it.
func TestAPersonIsAskedAboutWhatMayBeTheSame(t *testing.T) {
	answered := func(minor int64, word string) Checked {
		return Checked{api.PaymentStatus{Reference: "ref-1", Status: status(word), Amount: pounds(t, minor), HasAmount: true}}
	}
	decided := func(d Decision) Deciding { return Deciding{Decision: d} }
	paid, failed, differs := accepted(plain), answered(1250, "FAILED"), answered(125000, "FAILED")
	brought, returned := failed, failed
	brought.Received, returned.Received = pounds(t, 500), pounds(t, 0)
	made := Answered{Result{Outcome: Accepted, Link: &api.Link{Alias: "0-a"}}, FromConsole}
	payment := Entry{Attempt: Attempt{Kind: Initiate, At: noon, Destination: service, Amount: pounds(t, 1250), Link: "spring"}}
	link := Entry{Attempt: Attempt{Kind: CreateLink, At: noon, Destination: service, Amount: pounds(t, 1250), Draft: api.LinkDraft{Name: "Oak chairs"}}}
	const ago, day = time.Minute, 24 * time.Hour
	type row struct {
		name  string
		first func(*Entry)
		then  []Happening
		after time.Duration
		asked bool
	}
	the := func(*Entry) {}
	for next, rows := range map[*Entry][]row{
		&payment: {
			{"the same, under way", the, nil, ago, true},
			{"the same, successful", the, []Happening{paid, reported("SUCCESSFUL")}, ago, true},
			{"the same, failed", the, []Happening{paid, failed}, ago, false},
			{"the same, failed, and money came", the, []Happening{paid, brought}, ago, true},
			{"the same, failed, money came, and that is not said again", the, []Happening{paid, brought, failed}, ago, true},
			{"the same, failed, and the money went back", the, []Happening{paid, brought, returned}, ago, false},
			{"the same, refused", the, []Happening{Answered{Result{Outcome: Refused}, FromConsole}}, ago, false},
			{"the same, not sent", the, []Happening{Answered{Result{Outcome: NotSent}, FromConsole}}, ago, false},
			{"lost long ago", the, []Happening{lost}, 40 * day, true},
			{"accepted ten minutes ago", the, []Happening{paid}, DuplicateWithin, true},
			{"accepted more than that ago", the, []Happening{paid}, DuplicateWithin + 1, false},
			{"another amount, lost", func(e *Entry) { e.Amount.Minor++ }, []Happening{lost}, ago, false},
			{"another currency, lost", func(e *Entry) { e.Amount.Currency = money.Currency{} }, []Happening{lost}, ago, false},
			{"another environment, lost", func(e *Entry) { e.Environment = "LIVE" }, []Happening{lost}, ago, false},
			{"another host, lost", func(e *Entry) { e.Host = "x.example" }, []Happening{lost}, ago, false},
			{"another profile, accepted", func(e *Entry) { e.Profile = "other" }, []Happening{paid}, ago, true},
			{"another channel, accepted", func(e *Entry) { e.Channel = "x" }, []Happening{paid}, ago, true},
			{"another link, accepted", func(e *Entry) { e.Link = "autumn" }, []Happening{paid}, ago, false},
			{"another link, lost", func(e *Entry) { e.Link = "autumn" }, []Happening{lost}, ago, true},
			{"no link, accepted", func(e *Entry) { e.Link = "" }, []Happening{paid}, ago, false},
			{"a link of the same money, lost", func(e *Entry) { e.Kind = CreateLink }, []Happening{lost}, ago, false},
			{"failed, then successful", the, []Happening{paid, failed, answered(1250, "SUCCESSFUL")}, ago, true},
			{"failed, for another amount", the, []Happening{paid, differs}, ago, true},
			{"failed, for another amount, after a day", the, []Happening{paid, differs}, day, true},
			{"decided that it is not ours, after a day", the, []Happening{paid, differs, decided(NotOurs)}, day, true},
			{"decided that the answer is right, after a day", the, []Happening{paid, differs, decided(AnswerRight)}, day, false},
			{"decided that, and taken back, after a day", the, []Happening{paid, differs, decided(AnswerRight), decided(AskAgain)}, day, true},
		},
		&link: {
			{"the same, made", the, []Happening{made}, ago, true},
			{"the same, made more than ten minutes ago", the, []Happening{made}, DuplicateWithin + 1, false},
			{"the same, lost long ago", the, []Happening{lost}, 40 * day, true},
			{"in capitals, with blanks", func(e *Entry) { e.Draft.Name = " OAK chairs " }, []Happening{lost}, ago, true},
			{"paid once instead", func(e *Entry) { e.Draft.Type = api.OneTime }, []Happening{lost}, ago, true},
			{"another name, lost", func(e *Entry) { e.Draft.Name = "Oak chair" }, []Happening{lost}, ago, false},
			{"a name that was not recorded, lost", func(e *Entry) { e.Draft.Name = "" }, []Happening{lost}, ago, true},
			{"a name that was not recorded, made", func(e *Entry) { e.Draft.Name = "" }, []Happening{made}, ago, false},
		},
	} {
		for _, r := range rows {
			first := *next
			r.first(&first)
			earlier := path{}.then(Sending(first)).then(r.then...).Entry
			earlier.ID = "first"
			if got := isAsked(t, *next, r.after, earlier); got != r.asked {
				t.Errorf("%s %s: asked %v", next.Kind, r.name, got)
			}
		}
	}
}

// A reusable link is for many customers; a one-time link, or one that is not known here, is paid once.
func TestTheNextCustomerOfAReusableLinkIsNoDuplicate(t *testing.T) {
	of := func(who Payer) Entry {
		return Entry{Attempt: Attempt{Kind: Initiate, At: noon, Destination: service, Amount: pounds(t, 1250), Link: "chairs"}, Payer: who.Marks([]byte("k"))}
	}
	ada := Payer{Email: "ada@example.com", Phone: "+44 20 7946 0958"}
	ben := Payer{Email: "ben@example.com", Phone: "+44 20 7946 0111"}
	for _, c := range []struct {
		kind  string // of the link; "" where it is not known
		next  Payer
		asked bool
	}{
		{"Reuseable", ben, false}, {"Reuseable", Payer{Email: ben.Email}, false}, {"Reuseable", ada, true}, {"Reuseable", Payer{}, true},
		{"Reuseable", Payer{Email: ben.Email, Phone: ada.Phone}, true}, {"Reuseable", Payer{Email: ada.Email, Phone: ben.Phone}, true},
		{"OneTime", ben, true}, {"", ben, true},
	} {
		first := path{}.then(Sending(of(ada)), accepted(plain)).Entry
		first.ID = "first"
		all := []Entry{first}
		if c.kind != "" {
			made := path{}.then(Sending(Entry{Attempt: Attempt{Kind: CreateLink, Destination: service}}),
				Answered{Result{Outcome: Accepted, Link: &api.Link{Alias: "chairs", Type: api.Clean(c.kind)}}, FromConsole}).Entry
			all = append(all, made)
		}
		if got := isAsked(t, of(c.next), time.Minute, all...); got != c.asked {
			t.Errorf("%+v: asked %v", c, got)
		}
	}
}

// Each line is one person, written in many ways. No two lines are the same person.
func TestAPersonIsTheSameHoweverTheyAreWritten(t *testing.T) {
	of := func(mails ...string) (all []Payer) {
		for _, m := range mails {
			all = append(all, Payer{Email: m})
		}
		return all
	}
	people := [][]Payer{
		of("ada@example.com", " Ada@Example.COM\t", "ada+chairs@example.com", "ADA+b+c@example.com"),
		of("a.da@example.com"), of("ada+x"), of("ada+y"), of("+a@example.com"), of("+b@example.com"), of("442079460958"),
		of("\u00c9va.\u212aov\u00e1\u010d@example.com", "\u00e9va.kov\u00e1\u010d@EXAMPLE.com"),
		{{Phone: "+44 20 7946-0958"}, {Phone: "442079460958"}, {Phone: "020 7946 0958"}},
		{{Phone: "0803 123 4567"}, {Phone: "+234 803 123 4567"}},
		{{Phone: "+44 20 7946 0959"}}, {{Phone: "46 0958"}},
		{{Card: "4242 Visa 12/2034"}}, {{Card: "4242 Visa 11/2034"}},
		{{}, {Email: "  "}, {Phone: "none"}},
	}
	seen := map[Marks]int{}
	for line, ways := range people {
		for _, p := range ways {
			m := p.Marks([]byte("k"))
			if was, known := seen[m]; known != (p != ways[0]) || known && was != line {
				t.Errorf("%+v is taken for line %d, %v", p, was, known)
			}
			seen[m] = line
		}
	}
	mark := func(p Payer) Entry { return Entry{Payer: p.Marks([]byte("k"))} }
	for like, p := range map[Likeness][2]Payer{
		SamePhone:  {{Email: "ada@example.com", Phone: "1"}, {Email: "ben@example.com", Phone: "1"}},
		SameEmail:  {{Email: "a@b.c", Card: "1"}, {Email: "a@b.c", Card: "2"}},
		SameCard:   {{Email: "a@b.c", Card: "4242 Visa 12/2034"}, {Email: "d@e.f", Card: "4242 Visa 12/2034"}},
		NoCustomer: {},
		0:          {{}, {Email: "ada@example.com"}},
	} {
		one, two := mark(p[0]), mark(p[1])
		if got := one.likePayment(two); got != like {
			t.Errorf("%+v: alike in %b", p, got)
		}
	}
}

// The same account of a service is named in many ways. What identifies it is the environment, and in it the key or the
// address.
func TestTheSameServiceHasManyNames(t *testing.T) {
	at := func(profile, environment, host, fingerprint string) Destination {
		return Destination{profile, environment, host, fingerprint}
	}
	sent := at("shop", "TEST", "127.0.0.1:8080", "aa")
	for name, c := range map[string]struct {
		sent, now Destination
		same      bool
	}{
		"a renamed profile":            {sent, at("till", "TEST", "127.0.0.1:8080", "aa"), true},
		"another key":                  {sent, at("shop", "TEST", "127.0.0.1:8080", "bb"), true},
		"another address and key":      {sent, at("shop", "TEST", "pay.example:8080", "bb"), false},
		"this machine, another key":    {sent, at("shop", "TEST", "localhost:8080", "bb"), true},
		"this machine in IPv6":         {at("shop", "TEST", "[::1]:8080", ""), sent, true},
		"no name of this machine":      {at("shop", "TEST", "localhost.example:8080", ""), sent, false},
		"another port":                 {sent, at("shop", "TEST", "127.0.0.1:8081", "bb"), false},
		"another port, the same key":   {sent, at("shop", "TEST", "127.0.0.1:8081", "aa"), true},
		"another environment":          {sent, at("shop", "LIVE", "127.0.0.1:8080", "aa"), false},
		"no key on either side":        {at("shop", "TEST", "a", ""), at("shop", "TEST", "b", ""), false},
		"the usual port":               {at("shop", "TEST", "Pay.example:443", ""), at("shop", "TEST", "pay.example", ""), true},
		"a name with its closing stop": {at("shop", "TEST", "pay.example", ""), at("shop", "TEST", "pay.example.", ""), true},
	} {
		if c.now.IsSameService(c.sent) != c.same || c.sent.IsSameService(c.now) != c.same {
			t.Errorf("%s: the same service: %v", name, !c.same)
		}
	}
}

// A finalize whose outcome is unknown is not taken for success; one that a person decided about is.
func TestAPaymentIsFinalizedOnceThatIsKnown(t *testing.T) {
	for f, want := range map[Attempt]bool{
		{Outcome: Accepted}: true, {Outcome: Unresolved, Decision: Found}: true, {Outcome: Unresolved}: false, {Outcome: Unresolved, Decision: NotFound}: false,
		{Outcome: Unresolved, Decision: GaveUp}: false, {Outcome: Refused}: false, {Outcome: NotSent}: false, {Outcome: Sent}: false,
	} {
		if f.finalized() != want {
			t.Errorf("%s, decided as %q: %v", f.Outcome, f.Decision, !want)
		}
	}
}
