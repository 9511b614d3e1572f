package ledger

import (
	"encoding/json"
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
amount amount.Currency amount.Minor amount_unstated answered_at at bank_url bank_url_refused by by.host by.login by.ssh by.user card challenged changed changed.at changed.is
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
pinned_by.user profile received received.Amount received.Amount.Currency received.Amount.Minor received.Text reference
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

// A path holds what happened to one payment.
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
		{"repeat a finalize soon after its answer was lost", path{Entry{Attempt: Attempt{Kind: Finalize, Outcome: Unresolved, At: noon.Add(-90 * time.Second), AnsweredAt: noon.Add(-59 * time.Second)}}}, ToFinalize, "The last finalize got no answer; it can be repeated from " + noon.Add(time.Second).Local().Format(time.TimeOnly) + " on."},
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
		if !op.Rule().Sends() {
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
