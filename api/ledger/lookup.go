package ledger

import "paydesk/api"

// Noticed is that a payment which no attempt made was first looked up or pinned. It is the first fact of a [Known].
type Noticed struct {
	Destination
	Reference api.Reference `json:"reference"`
}

func (n Noticed) fold(e *Entry, f Fact) []Event {
	*e = Entry{Attempt: Attempt{ID: f.Of, Kind: Known, At: f.At, By: f.By, Destination: n.Destination, Reference: n.Reference}}
	return nil
}

// Look returns the facts that the service answered about a payment. concerned are those with its reference; id is for one
// of which nothing is known. A reference that looks like a card number may be one that was
// typed, and is not recorded.
func (c Console) Look(d Destination, got api.PaymentStatus, id ID, concerned []Entry) []Fact {
	all := c.Happened(d, got.Reference, Checked{got}, concerned)
	if len(all) > 0 || RejectCardNumber(string(got.Reference)) != nil {
		return all
	}
	return []Fact{c.Fact(id, Noticed{d.Stored(), got.Reference}), c.Fact(id, Checked{got})}
}

// Happened returns the facts that something happened to a payment: of the attempts that made it, or where there is none of
// what is known of it. concerned are those with its reference.
func (c Console) Happened(d Destination, r api.Reference, what Happening, concerned []Entry) (all []Fact) {
	for _, k := range []Kind{Initiate, Known} {
		for _, e := range concerned {
			if e.Kind == k && e.concerns(d.Stored(), r) {
				all = append(all, c.Fact(e.ID, what))
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// withLookup returns a fact about an attempt, and where that gives it a reference what was answered about the payment before
// that was known here: a final status stays, whatever the answer to the initiation says. Where any of these answers differs,
// the service is asked again. concerned are those with the reference.
func (c Console) withLookup(e Entry, concerned []Entry, f Fact) []Fact {
	all, was := []Fact{f}, e.Reference
	if e.Add(nil, f); e.Kind != Initiate || e.Reference == was || !e.Mismatch.IsZero() {
		return all
	}
	for _, o := range concerned {
		if o.Kind == Known && o.concerns(e.Destination, e.Reference) && o.Status.State.Final() && o.Mismatch.IsZero() {
			return append(all, c.Fact(e.ID, Checked{api.PaymentStatus{
				Reference: e.Reference, Status: o.Status, Amount: o.Amount, HasAmount: !o.Amount.Currency.IsZero(),
			}}))
		}
	}
	return all
}

// lookedUp notes what the status endpoint answered about a payment that was made elsewhere. Only earlier answers say
// what it is for.
func (e *Entry) lookedUp(got api.PaymentStatus, f Fact) (all []Event) {
	if e.AnsweredAt.IsZero() {
		e.At, e.By = f.At, f.By
	}
	e.AnsweredAt = f.At
	asked := api.Asked{Reference: e.Reference, Earlier: e.Amount, Status: e.Status}
	differs := got.Compare(asked)
	if line, is := MismatchEvent(Mismatch{}, Mismatch{}, differs, asked, got.Amount, FromLookup, f.At); is {
		all = append(all, line)
		e.Mismatch = Mismatch{Difference: api.Difference{What: api.Recorded, Text: api.Clean(line.Detail)}, At: line.At} // in words alone
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
