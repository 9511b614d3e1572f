package ledger

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/money"
)

// recorded are all members that an entry has in its record, and so all that is kept of one. By this list it is seen that
// no card number, code, name or address of a customer, and no words of the service are kept.
const recorded = `
account account.AccountName account.AccountNumber account.Bank account.Expiration account.Mode account.Note
amount amount.Currency amount.Minor answered_at at bank_url bank_url_refused by by.host by.login by.ssh by.user card challenged changed changed.at changed.is
changed.is.State changed.is.Text changed.was changed.was.State changed.was.Text channel
created_link created_link.Alias created_link.Amount created_link.Amount.Currency created_link.Amount.Minor
created_link.AmountType created_link.Created created_link.Description created_link.Differs created_link.Differs.Answered
created_link.Differs.Asked created_link.Differs.Part created_link.Environment created_link.HasAmount created_link.ID
created_link.Lacks created_link.Name created_link.Page created_link.PageText created_link.Status created_link.Type
customer_done decided_at decided_before decided_by decided_by.host decided_by.login decided_by.ssh decided_by.user decision
draft draft.Amount draft.Amount.Currency draft.Amount.Minor draft.AmountType draft.Description draft.Name draft.Type
environment fees finalize_lost_at finalized fingerprint id kind link
mismatch mismatch.Answered mismatch.Answered.Currency mismatch.Answered.Minor mismatch.Earlier mismatch.Earlier.Currency
mismatch.Earlier.Minor mismatch.Of mismatch.Of.Currency mismatch.Of.Minor mismatch.Reference mismatch.Status mismatch.Text
mismatch.What mismatch.agrees_at mismatch.at mismatch.decided_at mismatch.decided_by mismatch.decided_by.host
mismatch.decided_by.login mismatch.decided_by.ssh mismatch.decided_by.user mismatch.decision
named outcome own_reference payer payer.card payer.email payer.phone pinned_at pinned_by pinned_by.host pinned_by.login pinned_by.ssh
pinned_by.user profile reference
sender sender.machine sender.pid sender.started service status status.State status.Text status_at status_login
taken_at taken_by taken_by.host taken_by.login taken_by.ssh taken_by.user total why`

// fill gives every exported field below v a value of its own.
func fill(t *testing.T, v reflect.Value, n *int) {
	*n++
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = time.Unix(1_800_000_000+int64(*n), int64(*n)).Local()
		return
	case *api.Text:
		*at = api.Clean("text " + strings.Repeat("x", *n%7))
		return
	case *api.Timestamp:
		*at = api.ParseTimestamp("2026-01-02T03:04:05Z")
		return
	case *api.Address:
		*at, _ = api.ParseAddress("https://bank.example/a")
		return
	case *api.State:
		*at = api.Pending
		return
	case *money.Currency:
		*at, _ = money.ParseCurrency("JPY")
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				fill(t, v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.String:
		v.SetString("word " + strings.Repeat("y", *n%5))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Uint8:
		if v.CanInt() {
			v.SetInt(int64(*n%3 + 1))
		} else {
			v.SetUint(uint64(*n%3 + 1))
		}
	default:
		t.Fatal("a field of type", v.Type())
	}
}

// members returns the members of a value of JSON, and of those in it.
func members(v any, under string) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, in := range v {
			all = append(append(all, under+name), members(in, under+name+".")...)
		}
	case []any:
		for _, in := range v {
			all = append(all, members(in, under)...)
		}
	}
	return all
}

func TestAnEntryIsReadBackAsItWas(t *testing.T) {
	var e Entry
	fill(t, reflect.ValueOf(&e).Elem(), new(int))
	text, err := e.Record()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Recorded(text)
	if err != nil || !reflect.DeepEqual(e, again) {
		t.Errorf("%v\n%+v\nis read as\n%+v", err, e, again)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	got := members(v, "")
	slices.Sort(got)
	want := strings.Fields(recorded)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the members are\n%s\nand not\n%s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

func TestAFactIsReadBackAsItWas(t *testing.T) {
	for name := range happenings {
		blank, err := happenings[name]([]byte("{}"))
		if err != nil || blank.name() != name {
			t.Fatalf("%s is read as %T, %v", name, blank, err)
		}
		v := reflect.New(reflect.TypeOf(blank)).Elem()
		fill(t, v, new(int))
		f := Fact{By: Operator{User: "ada", Host: "desk1"}, What: v.Interface().(Happening)}
		kind, body, err := f.Record()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := RecordedFact(kind, body); err != nil || !reflect.DeepEqual(f, again) {
			t.Errorf("%v\n%+v\nis read as\n%+v", err, f, again)
		}
	}
}

var (
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	withURL = api.Payment{BankAuthRefused: api.Clean("an address came")}
	plain   = api.Payment{}
	outside = api.Payment{Status: status("REQUIRE_USER_OFFLINE_ACTION")}
)

func status(word string) api.Status { return api.ParseStatus(word) }

func accepted(p api.Payment) Answered {
	if p.Reference = "ref-1"; p.Status == (api.Status{}) {
		p.Status = status("INITIATED")
	}
	return Answered{Result{Outcome: Accepted, Payment: &p}, FromConsole}
}

func reported(word string) Checked {
	return Checked{api.PaymentStatus{Reference: "ref-1", Status: status(word)}}
}

// A path is what happened to one payment.
type path struct{ Entry }

// then is the path after more has happened.
func (p path) then(all ...Happening) path {
	for _, what := range all {
		p.Add(nil, Fact{Of: "a", At: noon, What: what, Times: 1})
	}
	return p
}

func (p path) finalized() path {
	p.Finalized = true
	return p
}

func (p path) lost(at time.Time) path {
	p.FinalizeUnresolvedAt = at
	return p
}

func sending(channel string, link api.Alias) path {
	return path{}.then(Sending{Attempt: Attempt{Kind: Initiate, Destination: service, Channel: channel, Link: link, Amount: money.Amount{Minor: 1250}}})
}

func card() path      { return sending(api.ChannelCard, "") }
func linked() path    { return sending(api.ChannelCard, "0-abcdefg") }
func transfer() path  { return sending(api.ChannelTransfer, "") }
func elsewhere() path { return path{}.then(Noticed{service, "ref-1"}) }

func TestEachStepIsAllowedOnlyAfterItsPrerequisites(t *testing.T) {
	const open = ""
	for _, c := range []struct {
		name string
		f    path
		step Step
		why  string
	}{
		{"authenticate before initiation", card(), ToAuthenticate, "The payment must be initiated first."},
		{"finalize before initiation", linked(), ToFinalize, "The payment must be initiated first."},
		{"verify before initiation", card(), ToVerify, "The payment must be initiated first."},
		{"authenticate a card", card().then(accepted(withURL)), ToAuthenticate, open},
		{"authenticate a transfer", transfer().then(accepted(outside)), ToAuthenticate, "Only cards have an authentication check."},
		{"finalize one made elsewhere before the customer acts", elsewhere().then(reported("REQUIRE_USER_OFFLINE_ACTION")), ToFinalize, "The customer must do their part first."},
		{"finalize before the customer approves", sending(api.ChannelInterac, "0-abc").then(accepted(withURL)), ToFinalize, "The customer must approve the payment first."},
		{"authenticate a failed card", card().then(accepted(plain)).then(reported("FAILED")), ToAuthenticate, "The payment is final; there is nothing to authenticate."},
		{"finalize before the challenge", linked().then(accepted(withURL)), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize after the challenge", linked().then(accepted(withURL)).then(CustomerDone{}), ToFinalize, open},
		{"finalize once PENDING says the customer authorised", linked().then(accepted(withURL)).then(reported("PENDING")), ToFinalize, open},
		{"finalize while PENDING says nothing of the transfer", transfer().then(accepted(outside)).then(reported("PENDING")), ToFinalize, "The customer must make the transfer first."},
		{"finalize twice", linked().then(accepted(plain)).finalized(), ToFinalize, "The payment was already finalized."},
		{"finalize a rejected charge", linked().then(accepted(plain)).then(reported("FAILED")), ToFinalize, "The payment failed; there is nothing to finalize."},
		{"finalize a settled payment", card().then(accepted(plain)).then(reported("SUCCESSFUL")), ToFinalize, "The funds are already secured; there is nothing to finalize."},
		{"finalize after a check that asks for a challenge", linked().then(accepted(plain)).then(Challenged{}), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize after a challenge that came after PENDING", linked().then(accepted(plain), reported("PENDING"), Challenged{}), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize once PENDING answers that challenge", linked().then(accepted(plain), reported("PENDING"), Challenged{}, reported("PENDING")), ToFinalize, open},
		{"finalize soon after one without an answer", linked().then(accepted(plain)).lost(noon.Add(-59 * time.Second)), ToFinalize, "The last finalize got no answer; it can be repeated from " + noon.Add(time.Second).Local().Format(time.TimeOnly) + " on."},
		{"finalize a minute after one without an answer", linked().then(accepted(plain)).lost(noon.Add(-60 * time.Second)), ToFinalize, open},
		{"authorise when nothing is required", card().then(accepted(plain)), ToAuthorise, "Nothing is required of the customer."},
		{"authorise a final payment", card().then(accepted(withURL)).then(reported("FAILED")), ToAuthorise, "The payment is final; the customer has nothing to do."},
		{"authorise again", card().then(accepted(withURL)).then(CustomerDone{}), ToAuthorise, "The customer has already done their part."},
	} {
		if got := c.f.WhyNot(c.step, noon); got != c.why {
			t.Errorf("%s: %q, want %q", c.name, got, c.why)
		}
	}
}

// No sequence of events allows finalize before initiation, with the customer's part open, or on a
// final payment.
func TestNothingReachesFinalizeBeforeItsPreconditions(t *testing.T) {
	words := []string{"INITIATED", "PENDING", "REQUIRE_USER_OFFLINE_ACTION", "REQUIRED_BANK_AUTH", "SUCCESSFUL", "FAILED", "a new word"}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]path{card(), linked(), transfer()}).Draw(t, "begin")
		var initiated, required, acted, final, finalized bool
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			event := rapid.IntRange(0, 5).Draw(t, "event")
			switch {
			case event == 0 && !initiated:
				answer := rapid.SampledFrom([]api.Payment{withURL, plain, outside}).Draw(t, "answer")
				p, initiated = p.then(accepted(answer)), true
				required = !answer.BankAuthRefused.Empty() || p.IsTransfer() || answer.Status.State == api.ActionRequired
			case event == 1 && initiated:
				p, required = p.then(Challenged{}), true
			case event == 2 && initiated && required:
				p, acted = p.then(CustomerDone{}), true
			case event == 3 && initiated && !final:
				word := rapid.SampledFrom(words).Draw(t, "word")
				s := status(word).State
				p, final = p.then(reported(word)), s.Final()
				required = required || s == api.ActionRequired || s == api.BankAuthRequired
				acted = acted || s == api.Pending && required && !p.IsTransfer()
			case event == 4 && p.WhyNot(ToFinalize, noon) == "":
				if !initiated || final || finalized || required && !acted {
					t.Fatalf("finalize was allowed: initiated %v required %v acted %v final %v finalized %v", initiated, required, acted, final, finalized)
				}
				p, finalized = p.finalized(), true
			case event == 5:
				if p = p.lost(noon); p.WhyNot(ToFinalize, noon) == "" {
					t.Fatal("finalize was open right after one without an answer")
				}
			}
		}
	})
}

// What sends has a row in the table of kinds, and the row has everything: what it forgets would be sent twice.
func TestEveryKindThatIsSentHasAllItsRules(t *testing.T) {
	service, sending := reflect.TypeFor[api.Service](), 0
	for i := range service.NumMethod() {
		op := api.Operation(service.Method(i).Name)
		if op.Rule().Effect != api.Sends {
			continue
		}
		sending++
		rules := reflect.ValueOf(kinds[Kind(op.Rule().Records)])
		for field, v := range rules.Fields() {
			if v.IsZero() {
				t.Errorf("%s has no rule %q", op, field.Name)
			}
		}
	}
	if sending != len(kinds) {
		t.Errorf("%d operations send, and there are rules for %d kinds", sending, len(kinds))
	}
}

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
			{"the same, accepted", the, []Happening{paid}, ago, true},
			{"the same, successful", the, []Happening{paid, reported("SUCCESSFUL")}, ago, true},
			{"the same, failed", the, []Happening{paid, failed}, ago, false},
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
