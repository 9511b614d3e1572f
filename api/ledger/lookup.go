package ledger

import (
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Lookup is a payment whose status was requested here and that no recorded attempt made: it
// was made elsewhere, or before the journal.
type Lookup struct {
	Destination               // where it was last found
	Reference   api.Reference // as requested
	At          time.Time     // when the service first answered about it
	By          Operator      // who requested that
	AnsweredAt  time.Time     // when the service last answered about it

	Amount money.Amount // the last one reported; without a currency when none was
	// Status is the last one reported; a final one is never replaced. StatusAt is when it was last
	// reported. Both are zero when the answers were about another payment.
	Status   api.Status
	StatusAt time.Time
	// Mismatch is that an answer differed, in the words of the history. Nobody decides about it, as nothing was asked here.
	Mismatch Mismatch
}

// Lookup is a [Known] payment as it was looked up.
func (e Entry) Lookup() Lookup {
	return Lookup{
		Destination: e.Destination, Reference: e.Reference, At: e.At, By: e.By, AnsweredAt: e.AnsweredAt,
		Amount: e.Amount, Status: e.Status, StatusAt: e.StatusAt, Mismatch: e.Mismatch,
	}
}

// Noticed is that a payment which no attempt made was first looked up or pinned. It is the first fact of a [Known].
type Noticed struct {
	Destination
	Reference api.Reference `json:"reference"`
}

func (n Noticed) fold(e *Entry, f Fact) []Event {
	*e = Entry{Attempt: Attempt{ID: f.Of, Kind: Known, At: f.At, By: f.By, Destination: n.Destination, Reference: n.Reference}}
	return nil
}

// Look returns the facts that the service answered about a payment that no attempt made. concerned are those that are
// known with its reference; id is for one that is not. A reference that looks like a card number may be one that was
// typed, and is not recorded.
func (c Console) Look(d Destination, got api.Transaction, id ID, concerned []Entry) (all []Fact) {
	if RejectCardNumber(string(got.Reference)) != nil {
		return nil
	}
	if i := slices.IndexFunc(concerned, func(e Entry) bool { return e.Kind == Known && e.concerns(d, got.Reference) }); i >= 0 {
		id = concerned[i].ID
	} else {
		all = append(all, c.Fact(id, Noticed{d.Stored(), got.Reference}))
	}
	return append(all, c.Fact(id, Checked{got}))
}

// lookedUp notes what the status endpoint answered about a payment that was made elsewhere. Only earlier answers say
// what it is for.
func (e *Entry) lookedUp(got api.Transaction, f Fact) (all []Event) {
	if e.AnsweredAt.IsZero() {
		e.At, e.By = f.At, f.By
	}
	e.AnsweredAt = f.At
	asked := api.Asked{Reference: e.Reference, Earlier: e.Amount, Status: e.Status}
	differs := got.Compare(asked)
	if line, is := MismatchEvent(Mismatch{}, Mismatch{}, differs, asked, got.Amount, FromLookup, f.At); is {
		all = append(all, line)
		e.Mismatch = RecordedMismatch(all)
	}
	if differs.What&api.ReferenceDiffers != 0 {
		return all
	}
	if got.HasAmount {
		e.Amount = got.Amount
	}
	keepStatus(&e.Status, &e.StatusAt, got.Status, f.At)
	return append(all, StatusEvent(got.Status, FromLookup, f.At))
}
