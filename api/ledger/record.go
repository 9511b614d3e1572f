package ledger

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"paydesk/api"
)

// Record returns an entry as it is kept, in JSON: texts as [api.Text.Stored], nothing of what is zero, and no lease,
// which ends by itself.
func (e Entry) Record() ([]byte, error) { return json.Marshal(e) }

// Recorded reads an entry that [Entry.Record] returned.
func Recorded(text []byte) (e Entry, err error) {
	err = json.Unmarshal(text, &e)
	for _, t := range []*time.Time{
		&e.At, &e.AnsweredAt, &e.DecidedAt, &e.StatusAt, &e.Changed.At, &e.FinalizeUnresolvedAt,
		&e.Mismatch.At, &e.Mismatch.AgreesAt, &e.Mismatch.DecidedAt, &e.TakenAt, &e.PinnedAt,
	} {
		if !t.IsZero() {
			*t = t.Local() // where it is shown
		}
	}
	return e, err
}

// A factBody holds what is kept of a fact beside its entry, its kind and its time. Salt is random: what was removed cannot be
// guessed from the hash that stays.
type factBody struct {
	By   Operator        `json:"by,omitzero"`
	What json.RawMessage `json:"what"`
	Salt []byte          `json:"salt"`
}

// Record returns the kind of a fact and its body, in JSON.
func (f Fact) Record() (kind string, body []byte, err error) {
	b := factBody{By: f.By, Salt: make([]byte, 12)}
	rand.Read(b.Salt)
	if b.What, err = json.Marshal(f.What); err != nil {
		return "", nil, err
	}
	body, err = json.Marshal(b)
	return f.What.name(), body, err
}

// RecordedFact reads what [Fact.Record] returned.
func RecordedFact(kind string, body []byte) (f Fact, err error) {
	var b factBody
	if err := json.Unmarshal(body, &b); err != nil {
		return f, err
	}
	read, known := happenings[kind]
	if !known {
		return f, fmt.Errorf("no fact is of the kind %q", kind)
	}
	f.By = b.By
	f.What, err = read(b.What)
	return f, err
}

// AsKept returns a fact as it is read back: an entry is folded from what is kept.
func (f Fact) AsKept() (Fact, error) {
	kind, body, err := f.Record()
	if err != nil {
		return f, err
	}
	kept, err := RecordedFact(kind, body)
	f.By, f.What = kept.By, kept.What
	return f, err
}

// happenings read what is kept of each kind of fact.
var happenings = map[string]func([]byte) (Happening, error){
	Sending{}.name(): func(text []byte) (Happening, error) {
		e, err := Recorded(text)
		return Sending(e), err
	},
	Answered{}.name():     happening[Answered],
	Checked{}.name():      happening[Checked],
	Challenged{}.name():   happening[Challenged],
	CustomerDone{}.name(): happening[CustomerDone],
	Deciding{}.name():     happening[Deciding],
	Taking{}.name():       happening[Taking],
	Releasing{}.name():    happening[Releasing],
	Noticed{}.name():      happening[Noticed],
	Pinned{}.name():       happening[Pinned],
	Unpinned{}.name():     happening[Unpinned],
}

func happening[H Happening](text []byte) (Happening, error) {
	var h H
	err := json.Unmarshal(text, &h)
	return h, err
}

func (Sending) name() string      { return "sending" }
func (Answered) name() string     { return "answered" }
func (Checked) name() string      { return "checked" }
func (Challenged) name() string   { return "challenged" }
func (CustomerDone) name() string { return "customer done" }
func (Deciding) name() string     { return "decided" }
func (Taking) name() string       { return "taken" }
func (Releasing) name() string    { return "released" }
func (Noticed) name() string      { return "noticed" }
func (Pinned) name() string       { return "pinned" }
func (Unpinned) name() string     { return "unpinned" }

// Repeats returns the fact that another about the same entry, as it is kept, only states again, of those about it so far:
// the same answer, with nothing but other answers since. A final status is a fact of whoever is told it.
func (f Fact) Repeats(so []Fact) (again Fact, is bool) {
	for _, was := range slices.Backward(so) {
		switch {
		case !f.IsAnswer() || !was.IsAnswer():
			return f, false
		case was.What.name() == f.What.name():
			return was, reflect.DeepEqual(was.What, f.What) && (was.By.Login == f.By.Login || !f.isFinal())
		}
	}
	return f, false
}

// isFinal reports whether a fact is that a payment has ended.
func (f Fact) isFinal() bool {
	c, is := f.What.(Checked)
	return is && c.Status.State.Final()
}

// IsAnswer reports whether a fact states what the service answered about a payment.
func (f Fact) IsAnswer() bool {
	switch f.What.(type) {
	case Checked, Challenged:
		return true
	}
	return false
}

// Stored makes a text fit to be recorded: see [api.Text.Stored].
func Stored(s string) string { return api.Clean(s).Stored() }

// rejectCardNumber rejects a reference or an alias that would not be recorded as it is: both are short and
// clean, so there is a card number in it.
func rejectCardNumber(name string) error {
	if Stored(name) != name {
		return Rejected("That looks like a card number, which is never recorded.")
	}
	return nil
}

// Digits returns the ASCII digits in s.
func Digits(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }), "")
}

// lastFour returns at most the last four digits in s.
func lastFour(s string) string {
	all := Digits(s)
	return all[max(0, len(all)-4):]
}

// isSpelledAs reports whether two references or aliases differ at most in the case of their letters. They are
// taken for one, because the service answers in either spelling.
func isSpelledAs[S ~string](a, b S) bool {
	return api.LowerASCII(string(a)) == api.LowerASCII(string(b))
}
