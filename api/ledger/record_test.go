package ledger

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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
