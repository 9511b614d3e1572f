package listing

import (
	"slices"
	"time"
)

// A Phase tells what a scan is doing.
type Phase uint8

// The phases of a scan.
const (
	Idle    Phase = iota // nothing was read
	Reading              // pages are asked for
	Waiting              // none is asked for until [State.Until]
	Paused               // until a person goes on: see [State.Why]
	Done                 // the end of the list was reached: see [State.Verdict]
)

// Running reports whether a scan is under way.
func (p Phase) Running() bool { return p == Reading || p == Waiting }

// A Why is why a scan is paused.
type Why uint8

// Why a scan is paused.
const (
	NotPaused Why = iota
	Enough        // as many rows were read as were asked for: see [Scanner.Read]
	ByPerson      // a person paused it, or ended the session
	AtLimit       // it has read [MostPages], and asks whether to go on
	ByProblem     // a page could not be read: see [State.Err]
	ByFull        // no more rows can be kept
	ByKey         // the key was replaced: see [State.Stale]
)

// A State tells how far a scan has come.
type State struct {
	N     int // changes with the state: see [Scanner.Changed]
	Phase Phase
	Why   Why
	Rows  *Rows // that were read so far; never nil
	Read  int   // rows in Rows when this was the state
	To    int   // how many are asked for; 0 for all
	More  bool  // the end of the list was not reached
	Pages int   // that were read
	Of    int   // pages that there are, as the service said last; 0 when it did not
	Total int   // rows that there are, as the service said last
	// Counted is set where the service says how many there are.
	Counted bool
	Began   time.Time
	Ended   time.Time     // when the last page was read
	Rate    int           // rows a second since reading began or went on; 0 while it is not known
	Left    time.Duration // until the end at that rate; 0 while it is not known
	Until   time.Time     // while Waiting
	Err     error         // why it waits, or is paused by a problem
	Page    int           // the page that Err concerns
	Verdict Verdict       // once it is Done; before only what was strange or came again
	Kept    Progress      // what became of it in the mirror, once it was Done
}

// Stale reports whether the rows were read with a key that was replaced since. The list of another key may be another
// one, so that they are neither trusted nor gone on with: reading begins again.
func (s State) Stale() bool { return s.Why == ByKey }

// A Verdict tells what speaks for having read all of a list, and what speaks against it.
type Verdict struct {
	// Trusted is set where the list is complete, as far as that can be known: the service said the same total
	// before and after, as many different ids were read, and the first page is still the same.
	Trusted bool
	Counted bool // the service said how many there are
	Before  int  // the total with the first page
	After   int  // the total with the first page when it was read again
	Unique  int  // different ids that were read
	// Repeated are the rows that came again, word for word, and were left out. Differing came again with other
	// values, and were kept beside the first; Nameless have no id.
	Repeated, Differing, Nameless int
	// FirstDiffers is set where the first page was another when it was read again.
	FirstDiffers bool
	// Odd lists what was strange about the pages.
	Odd []Oddity
}

// Changed reports whether the list was seen to change while it was read.
func (v Verdict) Changed() bool {
	return v.Counted && v.Before != v.After || v.FirstDiffers || v.Repeated > 0 || v.Differing > 0
}

// GaveUp reports whether reading stopped before the end of the list.
func (v Verdict) GaveUp() bool {
	return slices.ContainsFunc(v.Odd, func(o Oddity) bool { return o.What == KeepsGrowing || o.What == NeverEnds })
}

// An Oddity is something strange about some pages.
type Oddity struct {
	What  Strange
	Page  int // the first of them
	Pages int // how many
}

// Strange names something strange about a page.
type Strange uint8

// What may be strange about a page.
const (
	WrongNumber  Strange = iota + 1 // it has the number of another page
	EmptyPage                       // it is empty, but not beyond the end
	NothingNew                      // all its rows were there already
	MorePages                       // there are more pages than before
	FewerPages                      // there are fewer
	NoCount                         // it does not say how many there are
	FewTotal                        // the total is less than the rows of the page
	LargePage                       // it has more rows than were asked for
	OtherTotal                      // it reports another total than the first page
	KeepsGrowing                    // reading stopped there, since pages were added for as long as it went on
	NeverEnds                       // reading stopped there, since pages brought nothing new
)
