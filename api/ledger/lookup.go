package ledger

import (
	"slices"

	"paydesk/api"
)

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
	e.keepStatus(got.Status, f)
	return append(all, StatusEvent(got.Status, FromLookup, f.At))
}
