// Package screens is the root of the console: the stack of screens, the delivery of messages to
// them, the frame around them, and the features that go on whichever screen is shown.
//
// # The screens
//
//   - keys: the first screen without a configuration, and the end of the first run; the profiles, their keys, and what works on this
//     host for one of them
//   - home: what needs attention, and the menu
//   - collect, then payment: one payment, from its amount to its end, with the customer's bank check, a transfer and finalizing
//   - links: payment links, a new one, and one to pass on
//   - activity, attempt: what was sent from here, and finding out what a lost response did
//   - transactions: the service's own list, what changed in it since an earlier scan, and how it compares with the payments made from here
//   - inbox: the webhooks that arrived, each beside what the service says
//   - requests: what was asked and answered since the console was started, and the diagnostic bundle that
//     support asks for
//   - lock: what stands between a person and real money
//   - palette: finds any of them, and what their keys do, by a few letters
//   - sandbox: the sandbox from the inside, of the demo or on this machine
//
// Beside them, list is embedded by the screens of many things: links, activity, transactions, requests, profiles and inbox.
// detail is the screen of one thing, with the answers of the service as they came, the form that writes a file, and the short
// list and the dialog that stand over a screen. report says what is known of a thing, on screens, in commands and in files; nav
// has the routes by which screens open each other, present the words about statuses, attempts and errors. Packages consoletest
// and screentest are for tests.
//
// # What imports what
//
//	main → screens → screens/* → ui → api/money, api/card
//	                 screens/* → api/session → api/journal → api/ledger → api
//	                 screens/* → keystore
//	api → api/money, api/card
//	api/sandbox → nothing of api, so that it can disagree with the client
//	anything but the sandbox → api/text
//
// No screen imports another, and ui knows nothing of the service. arrows_test.go holds the whole
// list.
//
// # How a message travels
//
// There are three kinds. A [ui.Reply] goes to the screen that requested it, wherever that is on the
// stack, and is dropped once that screen was left. Keys and pastes go to the screen on top, unless
// the chrome or a feature takes them first. Everything else is navigation, a message of package
// nav, what a feature goes on with, or of Bubble Tea. Nothing is broadcast. Navigation happens where
// the screen is that wanted it, which need not be on top.
//
// Time is read once per message, by the program's filter: [ui.Scope.Now].
//
// # Parts of a screen
//
// A form, a question or a row that a screen opens over itself is a screen too, of [nav.Over]: it has its own keys, title and help,
// and the screen below has no case for it. That one goes on meanwhile: it is neither paused nor resumed.
//
// # Features
//
// A feature is something the console does beside showing screens: leave.go ends or suspends it, ahead.go keeps what is pressed
// ahead of a screen, drafts.go what was typed in a form that is left, start.go draws home while a key is read, rekey.go
// replaces a rejected key, sendlock.go unlocks sending, idlelock.go hides the console, opener.go opens the
// sandbox, the request log and the prompt for a reference, rooms.go the main screens and palettekey.go the palette, and pins.go watches
// what is pinned. It has keys, news and a banner of its own; what its commands have begun continues as a function on the event
// loop. What it does for a session ends with that session. Only the [App] changes the stack; help.go lists
// the keys that work, and ignored.go says when one does nothing.
//
// # To add a screen
//
// Write its package as package ui describes, with an interface of its own for what it takes from the
// service. Add its route to nav, its case to build in routes.go, its line in arrows_test.go if it
// imports more than the others may, and its line above.
package screens
