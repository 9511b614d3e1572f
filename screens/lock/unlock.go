// Package lock has the screens that stand between a person and real money.
package lock

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// UnlockOptions configure [NewUnlock].
type UnlockOptions struct {
	Profile string
	Minutes int // until it locks again
	Target  present.Target
	Cards   bool // card entry is enabled on this host
}

// NewUnlock unlocks sending for some minutes where real money may move. The person must type the name of the profile, and then
// it calls typed.
func NewUnlock(t *ui.Theme, o UnlockOptions, typed func() tea.Cmd) *detail.Asked {
	help := []string{"Where real money moves, nothing is sent until the profile's name is typed here, and for some minutes only.", "unlock_minutes in the profile sets how many, from 1 to 480."}
	if !o.Cards {
		help = append(help, "Card entry stays disabled on this host unless the profile has allow_card_entry = true. Create a payment link instead, so that the customer enters the card.")
	}
	return asked(t, typed, detail.Question{Title: "Unlock", Help: help, Question: ui.Question{
		Title: "Unlock sending for " + present.Count(o.Minutes, "minute", "minutes") + "?",
		Lines: []string{
			o.Target.String(),
			"Real money moves here. You can browse without unlocking; it is needed to take payments, create links and finalize.",
			"It locks again after that time, when paydesk is suspended, or with the same key. You still type the amount of every payment.",
		},
		Yes: "Unlock", No: "Keep it locked", Typed: o.Profile,
	}})
}

// asked is a screen on which a word is typed. Only that calls yes, and then the screen is left.
func asked(t *ui.Theme, yes func() tea.Cmd, q detail.Question) *detail.Asked {
	q.Ruled = true
	q.Do = func() tea.Cmd { return tea.Batch(yes(), nav.Pop) }
	return detail.NewAsked(&ui.Body{Theme: t}, q)
}

// NewLoss shows what the journal may be missing, from when to when. Nothing is sent until a person has read that, and typed
// a word: then it calls read. It keeps the losses that it was opened with: one that is found later is read in its turn.
func NewLoss(t *ui.Theme, losses []journal.Loss, read func() tea.Cmd) *detail.Asked {
	q := ui.Question{Title: "Records are missing: send again?", Yes: "Send again", No: "Send nothing", Typed: "acknowledge"}
	for _, l := range losses {
		q.Lines = append(q.Lines, present.Plain(l.Words()))
	}
	q.Lines = append(q.Lines, "A payment of that time may be unknown here: nothing would warn you before it is charged again. Look for such payments in Transactions first.")
	return asked(t, read, detail.Question{Question: q, Title: "Missing records", Help: []string{
		"The journal of this user was damaged, deleted, moved, restored or replaced by an older copy. No console and no command sends anything until you have read that.",
		"paydesk journal acknowledge does the same without a screen. A file that was set aside stays where it is.",
	}})
}
