// Package lock has the screens that stand between a person and real money.
package lock

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// NewUnlock unlocks sending for some minutes where real money may move. The person must type the name of the profile, and then
// it calls typed.
func NewUnlock(t *ui.Theme, p keystore.Profile, target present.Target, typed func() tea.Cmd) *detail.Asked {
	help := []string{"Where real money moves, sending is locked until you type the profile's name here, and again some minutes later.", "unlock_minutes in the profile sets how many, from 1 to 480."}
	if !p.AllowCardEntry {
		help = append(help, "Card entry stays disabled on this host unless the profile has allow_card_entry = true. Create a payment link instead, so that the customer enters the card.")
	}
	return asked(t, typed, detail.Question{Title: "Unlock", Help: help, Question: ui.Question{
		Title: "Unlock sending for " + present.Count(p.UnlockMinutes, "minute", "minutes") + "?",
		Lines: []string{
			target.String(),
			"Real money moves here. You can browse without unlocking. Unlock to take payments, create links and finalize.",
			"It locks again after that time, when paydesk is suspended, or with the same key. You still type the amount of every payment.",
		},
		Yes: "Unlock", No: "Keep it locked", Typed: p.Name,
	}})
}

// asked is a screen on which a word is typed. Only that calls yes, which leaves the screen.
func asked(t *ui.Theme, yes func() tea.Cmd, q detail.Question) *detail.Asked {
	q.Do = yes
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
		"The journal of this user was damaged, deleted, moved, restored or replaced by an older copy. Nothing is sent, from a console or a command, until you have read what may be missing.",
		"paydesk journal acknowledge does the same without a screen. A file that was set aside stays where it is.",
	}})
}

// words describe what the screen says about one of the two reasons to ask.
type words struct{ title, about string }

var (
	mismatch = words{"ENVIRONMENT MISMATCH", "Check the key, the base URL and the environment of the profile, in that order. " +
		"If the key is wrong, enter the right one; if the profile is wrong, fix it."}
	unknownKey = words{"KEY NOT RECOGNISED", "A key begins with sk_test_ or sk_live_. This one does not, so nothing shows whether it moves real money. " +
		"Look it up where you got it, in the dashboard."}
)

// NewEnvironment shows the evidence for the environment of target where it disagrees on whether real money moves, or where the key
// does not say what it is for. Nothing can be sent until the person has confirmed it by typing a word: then it calls acknowledge. It
// keeps the evidence it was opened with: later evidence must be acknowledged again.
func NewEnvironment(t *ui.Theme, target present.Target, evidence []session.Evidence, acknowledge func() tea.Cmd) *detail.Asked {
	says := mismatch
	q := ui.Question{
		Title: "Send anyway?",
		Lines: []string{target.String() + ": real money may move, so paydesk treats it as live."},
		Yes:   "I have checked it", No: "Send nothing", Typed: "live",
	}
	if !session.IsContradictory(evidence) {
		says = unknownKey
		declared := strings.ToLower(target.Environment)
		q.Title, q.Typed = "Is this key for "+declared+"?", declared
		q.Lines = []string{target.String() + ". You are asked once for this key; what is remembered is a fingerprint, not the key."}
	}
	return asked(t, acknowledge, detail.Question{
		Question: q, Title: "Environment", Command: []string{"doctor"}, // which says the same of the environment
		Head: func(w int) []present.Line {
			lines := append(present.Rows(0, t.Chip(ui.ToneBad, says.title)), present.Rows(3, "", t.Rule("What each one says", "", w))...)
			for _, e := range evidence {
				lines = append(lines, present.Rows(1, line(t, e, w))...)
			}
			return slices.Concat(lines, present.Rows(3, ""), present.Rows(2, ui.Wrap(says.about, w)...), present.Rows(3, ""))
		},
		Help: []string{
			"The profile, its key, its host and the service say whether money is real. While they disagree, nothing is sent before a person confirms it here; you can still browse.",
			"The profile declares an environment, a key may begin with sk_test_ or sk_live_, a host name may contain test or sandbox, and the service reports the environment of each link.",
			"A key without a known prefix is confirmed once, by typing the environment of the profile. A key that begins with anything like live counts as live.",
		},
	})
}

// line is a source, its word, and whether that means live.
func line(t *ui.Theme, e session.Evidence, w int) string {
	const label, mostWord = 24, 40 // what it means stands near its word
	source, word, means := present.Evidence(e)
	mode := t.Muted.Render("  " + means)
	switch e.Says {
	case api.LiveMode:
		mode = t.Mark(ui.ToneBad, means)
	case api.TestMode:
		mode = t.Mark(ui.ToneWait, means)
	}
	return t.Fact(source, ui.Fit(word, min(max(w-label-18, 8), mostWord)), label) + "  " + mode
}
