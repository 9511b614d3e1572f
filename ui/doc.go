// Package ui defines what a screen is and holds the widgets that screens are built of. Widgets
// know values, not services: the package imports the values of money and cards and nothing
// else of the program.
//
// # Writing a screen
//
// A screen is a package under screens with a Model that implements [Screen] on a pointer, a
// New function, its keys and its view. Every screen keeps these rules:
//
//   - Only Update and the handlers of its calls ([Call.Then]) change the model, one at a time on
//     the event loop. Update has at most 60 lines: one case per key.
//   - Update and View do no I/O and read no clock: [Scope.Now] tells when the message that is being
//     handled arrived. Background work is a command of a [Call]:
//     Ask for reads, which may be cancelled, and Commit for writes that move money. One that a person
//     waits for is [Call.Timed] and drawn by [Theme.WaitLines]. The
//     function passed to them captures values, never the model.
//   - Timed messages come from [Scope.After], which stops with the screen.
//   - Resize receives the size of the body, down to 0×0, and View stays within it. Cut with
//     [Fit] and [Lines]: lipgloss widths wrap, and a wrapped line pushes the help bar off the
//     window.
//   - A list is a [Table] with a [Search] above it, which explains what it finds where it is one of [NewQuery].
//     [Panes] lay it out with a pane about its marked row, beside it or below it; its screen moves in it by [Panes.Update] and draws the
//     row of [Panes.Row]. A list of nothing is a [Theme.Invite]. A form is a [Form] of [Field] values, and a
//     question before an action is a [Confirm] built from frozen values. Labels and their values
//     are facts ([Theme.Fact]), and what may not fit scrolls in a [Scroll]. A key that is held
//     down after a rejection is a [HeldKey]; the reasons of the rejection go to the fields that
//     they name by [PlaceReasons]. Shares of a whole are a [Theme.Bar] beside their
//     numbers, and how numbers are spread a [Theme.Histogram].
//   - A group of lines begins with a [Theme.Rule], never in a box. The status of what is open is one
//     [Theme.Chip]; what happened is a [Theme.Rail], and JSON is drawn by [Theme.JSON].
//   - A screen embeds [Body] for what most do alike. What it may do beyond [Screen] are the thirteen
//     optional interfaces below it: [Leaver], [Backer], [Noticer], [Explainer], [Resumer],
//     [Pauser], [Resizer], [Renewer], [Wiper], [Filler], [Holder], [Drafter] and [Commander]. Every screen whose work a command
//     does, too, is a [Commander].
//   - Keys are bindings. The help bar and the help page are generated from them; a disabled
//     binding is not shown, and matched only to say why it does nothing ([Commands]). While
//     Typing is true a letter is text; a paste is always text.
//   - Colours are roles of the [Theme]. A state is a [Tone] drawn by [Theme.Mark]: glyph, word
//     and colour together. No row has a background; the selected one has a mark. The terminal's cursor stands at the
//     mark, hidden where nothing is typed ([Focus]): braille displays and screen readers follow it.
//   - Colour never carries information alone: a state has a glyph and a word, the focused field
//     a mark, every input an underline, the selected row a mark, the chosen answer brackets. Every glyph has
//     an ASCII twin of the same width. Nothing blinks, flashes or moves by itself, including the
//     cursor. [Theme.HighContrast] draws without colours and faint text.
//   - A card number is typed in a [PANField] alone. Every other line of text removes one as soon as it
//     is complete; a screen adds no input of its own that does not.
//   - Text from outside is cleaned where it enters the program. Nothing here draws text that
//     was not.
//   - An error is a field of a [Result]. The screen decides what it means there.
//
// # Keys
//
// A key means one thing in the whole console. These are the keys of one character, with the words that the help bar begins
// with; a screen that needs another key takes it from here, or adds it here first.
//
//	1  room: home
//	2  room: transactions
//	3  room: activity
//	4  room: links
//	5 6 7  the last rooms, without a gap: inbox, profiles, sandbox
//	:  palette: go to
//	/  search the list: search, text
//	?  help: help
//	q  quit, on home alone: quit
//	a  the customer's part: bank check, check if needed, approval, account
//	b  bell and notifications: bell, notifications, alerts, no alerts
//	c  collect a payment: collect
//	d  say what happened: decide, customer paid
//	e  edit: edit, channels, add URL
//	f  finalize: finalize, retry finalize
//	h  what this console has about it: attempt, arrived
//	i  find out what does not work: doctor, run doctor, diagnostics
//	l  look up by a reference: look up, another
//	m  look for a payment that may have been made: matches
//	n  new: new
//	o  in the browser: open
//	p  pin to home: pin, unpin
//	r  again: check, reload, retry, store again, try, run again, read again, gather again, again, ask
//	s  the payment's own screen: status
//	t  totals, and back: totals, list, marked row
//	u  undo: take back, undo
//	v  view the raw answers: raw, last raw
//	w  write a file: write, file, case, export
//	x  take off the list, or remove: take off, stop following, give up, remove, delete, clear, purge
//	y  copy the main thing: copy
//	Y  copy the other thing: copy, answer, ticket, alias, object, row, URL
//	z  show the whole of it, and less again: whole, QR code, more, less
//	+  duplicate: duplicate, copy, edit a copy
//	>  send on: replay
//	*  make it the default: make default, default
//	@  say who looks into it: take, release
//	A  in the sandbox: approve
//	N  in the sandbox: reject
//	S  in the sandbox: settle
//	X  in the sandbox: expire, remove all
//	D  in the sandbox: decline
//	P  in the sandbox: pay
//	F  in the sandbox: fault
//	T  in the sandbox: clock
//	O  in the sandbox: switches
//	W  in the sandbox: webhooks
//	R  in the sandbox: reset
//	E  in the sandbox: sample
//
// Besides, f1 is the help, f2 the requests, f3 the sandbox, f4 the command of the screen and f5 its request for curl,
// also where letters are text. Where a screen leaves a third of the window blank, the latest requests that sent something or failed stand at
// its foot ([Footed]).
//
// Arrows, j, k, g, G, tab, enter, esc and space move, choose and pause everywhere; shift and an arrow scroll the panel beside a list. In a
// question y and n answer, in its own words.
//
// # Widgets of the libraries
//
// A widget of bubbles or lipgloss is used where it passes the tests of ours: key bindings
// ([key.Binding]), scrolling ([Scroll] is a viewport, which takes 23 ms for 20,000 lines once and
// 0.1 ms a frame). These were tried and do not:
//
//   - textinput cuts a paste at its limit, so that half a reference looks whole; it keeps
//     any zero-width characters and direction overrides, deletes half of a composed character, never
//     overwrites a secret, and brings a clipboard library that runs other programs.
//   - help draws every binding, far beyond its width, where not even the ellipsis fits; its page
//     leaves out a column of keys that does not fit.
//   - paginator and progress count pages and shares that are known; the service's may be unknown
//     or wrong, and the screens say so.
//   - lipgloss styles break a line that is too wide, and table renders all rows to show some:
//     17 ms for 5,000 rows, where [Table] takes 0.04 ms.
//
// [Frame] draws the window and is the only place that knows how many lines the chrome takes.
// Screens are tested through the terminal, with package termtest.
package ui
