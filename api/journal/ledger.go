package journal

import "paydesk/api/ledger"

// What package ledger says of an attempt, under the names by which this package's users know it.
type (
	ID          = ledger.ID
	Kind        = ledger.Kind
	Outcome     = ledger.Outcome
	Decision    = ledger.Decision
	Operator    = ledger.Operator
	Destination = ledger.Destination
	Attempt     = ledger.Attempt
	Entry       = ledger.Entry
	Result      = ledger.Result
	Payer       = ledger.Payer
	Likeness    = ledger.Likeness
	Lease       = ledger.Lease
	Mismatch    = ledger.Mismatch
	Event       = ledger.Event
	Line        = ledger.Line
	Change      = ledger.Change

	Unavailable      = ledger.Unavailable
	Duplicate        = ledger.Duplicate
	FinalizeConflict = ledger.FinalizeConflict
	TakenError       = ledger.TakenError
)

const (
	Initiate   = ledger.Initiate
	CreateLink = ledger.CreateLink
	Finalize   = ledger.Finalize

	Sent       = ledger.Sent
	Accepted   = ledger.Accepted
	Refused    = ledger.Refused
	NotSent    = ledger.NotSent
	Unresolved = ledger.Unresolved

	Undecided      = ledger.Undecided
	Found          = ledger.Found
	NotFound       = ledger.NotFound
	GaveUp         = ledger.GaveUp
	NotFollowed    = ledger.NotFollowed
	DifferenceRead = ledger.DifferenceRead
	AnswerRight    = ledger.AnswerRight
	NotOurs        = ledger.NotOurs
	AskAgain       = ledger.AskAgain

	SameCard   = ledger.SameCard
	SameEmail  = ledger.SameEmail
	SamePhone  = ledger.SamePhone
	SameLink   = ledger.SameLink
	SameName   = ledger.SameName
	NoCustomer = ledger.NoCustomer

	Reported     = ledger.Reported
	Decided      = ledger.Decided
	Differed     = ledger.Differed
	Agreed       = ledger.Agreed
	AskedToCheck = ledger.AskedToCheck
	Done         = ledger.Done
	URLRefused   = ledger.URLRefused
	Taken        = ledger.Taken
	Released     = ledger.Released

	FromInitiation = ledger.FromInitiation
	FromCheck      = ledger.FromCheck
	FromBankCheck  = ledger.FromBankCheck
	FromLookup     = ledger.FromLookup
	FromPerson     = ledger.FromPerson
	FromConsole    = ledger.FromConsole

	NotFoundAfter   = ledger.NotFoundAfter
	DuplicateWithin = ledger.DuplicateWithin
	LeaseTime       = ledger.LeaseTime
	MaxPins         = ledger.MaxPins
)

var (
	ErrNotFound = ledger.ErrNotFound
	ErrTooEarly = ledger.ErrTooEarly
	ErrChanged  = ledger.ErrChanged

	ErrTooManyPins = ledger.ErrTooManyPins

	WithAllowedDuplicates = ledger.WithAllowedDuplicates
	AllowedDuplicates     = ledger.AllowedDuplicates
	WithNotedID           = ledger.WithNotedID

	StatusEvent = ledger.StatusEvent
	Lines       = ledger.Lines
)
