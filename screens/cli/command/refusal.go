package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// A Refusal ends a command with another code than 0, and says why. It is printed in one place, [Program.End]: on stderr as prose, and with
// --json as the last object on stdout.
type Refusal struct {
	Reason
	present.Problem // in the words of the screens; those of the error where it is zero
	Err             error
	Said            bool   // stdout or stderr has said it
	Option          string // its value may be corrected, since nothing was sent: plain mode asks for it again
}

// Error implements error.
func (r *Refusal) Error() string {
	switch {
	case !r.Problem.IsZero():
		return strings.TrimSpace(r.What + " " + r.Done)
	case r.Err != nil:
		return r.Err.Error()
	}
	return ""
}

// Unwrap returns the error.
func (r *Refusal) Unwrap() error { return r.Err }

// EndedBy ends the command for a reason that stdout or stderr has said.
func EndedBy(r Reason) error {
	if r.Exit == Done {
		return nil
	}
	return &Refusal{Reason: r, Said: true}
}

// Refuse ends the command for a reason: what happened, with whether anything was sent, and what comes next.
func Refuse(r Reason, what, next string) error {
	return &Refusal{Reason: r, Problem: present.Problem{What: what, Next: next}}
}

// Toward ends the command as [Refuse] does, with a command that comes next in place of the reason's own, and what that one does.
func Toward(r Reason, what, command, does string) error {
	r.command, r.does = command, does
	return Refuse(r, what, command+" "+does+".")
}

// NotRecorded ends the command because the journal lacks something: while a loss of it stands, because of that.
func NotRecorded(j *journal.Journal, what, command, does string) error {
	if err := j.LossStands(); err != nil {
		return Problem(err, present.Reading, "")
	}
	return Toward(WhyNotFound, what, command, does)
}

// A Sentence is an error in words for a person. One about the value of an option does not quote the value.
type Sentence string

// Error implements error.
func (s Sentence) Error() string { return string(s) }

// Wrong ends the command because its arguments are wrong.
func Wrong(why string) error { return WrongBy(Sentence(why)) }

// WrongBy ends the command because of an error that says what is wrong with its arguments.
func WrongBy(err error) error { return &Refusal{Reason: badUsage, Err: err} }

// A Signalled error is the signal that ended a command.
type Signalled struct{ syscall.Signal }

// Error is never shown: the exit code tells which signal it was.
func (s Signalled) Error() string { return "stopped" }

// gateHints say what can be done about a closed gate without a screen.
var gateHints = map[session.GateReason]string{
	session.Contradictory: "Open paydesk in a terminal, and confirm it there.",
	session.KeyUnknown:    "Open paydesk in a terminal, and confirm it there.",
	session.Locked:        "Live is read-only here. A person at a terminal can send.",
	session.CardDoubted:   "Use a published test card.",
	session.CardsDisabled: "Create a payment link instead: the customer enters the card there.",
}

// Problem ends a command with an error in the words of the screens. next names the next step; "" for the one that the words
// themselves name.
func Problem(err error, op present.Operation, next string) error {
	if err == nil || IsSignal(err) || errors.As(err, new(*Refusal)) {
		return err
	}
	words, reason := present.Error(err, op), Judge(err)
	if op == present.Sending && api.OutcomeOf(err) == api.OutcomeRefused && reason == NoAnswer { // what a gateway turned away was not carried out
		reason = WhyRefused
	}
	var closed *session.GateClosed
	switch {
	case errors.Is(err, journal.ErrLoss):
		words.Next = AcknowledgeFirst
	case next != "":
		words.Next = next
	case errors.As(err, &closed):
		words.Next = gateHints[closed.Reason]
	}
	return &Refusal{Reason: reason, Problem: words, Err: err}
}

// Undecided ends a command with an attempt about which a person has to decide; nil for another.
func (p *Program) Undecided(a ledger.Attempt) error {
	r, what := WhyUnresolved, present.Unresolved+": it is not known whether this went through."
	switch {
	case a.Mismatch.Undecided():
		r, what = WhyMismatch, present.Mismatch+": the service's answer differs from what was asked for."
	case !a.IsUnresolved():
		return nil
	}
	p.About.Attempt = a.ID
	return Refuse(r, what, "Decide what it means: paydesk resolve "+a.ID.Short()+" --help")
}

// A Subject names the attempt and the payment of a command, for its refusal.
type Subject struct {
	Attempt   ledger.ID
	Reference api.Reference
	sent      api.Outcome // the gravest of what was sent
}

// sending notes how a request ended that changes something.
func (s *Subject) sending(err error) {
	grave := []api.Outcome{api.OutcomeUnresolved, api.OutcomeAccepted, api.OutcomeRefused, api.OutcomeNotSent}
	if of := api.OutcomeOf(err); slices.Index(grave, of) < slices.Index(grave, cmp.Or(s.sent, api.OutcomeNotSent)) {
		s.sent = of
	}
}

// IsUnresolved reports whether it is not known what became of something that was sent.
func (s *Subject) IsUnresolved() bool { return s.sent == api.OutcomeUnresolved }

// attemptOf returns the attempt that an error names; "" for none.
func attemptOf(err error) ledger.ID {
	var held *ledger.Duplicate
	var conflict *ledger.FinalizeConflict
	switch {
	case errors.As(err, &held) && len(held.Attempts) > 0:
		return present.NewDuplicates(held, time.Time{}).IDs()[0]
	case errors.As(err, &conflict):
		return conflict.Other.ID
	}
	return ""
}

// End ends a command with an error. An error of a request that is not worded yet comes from a read.
func (p *Program) End(c *cobra.Command, err error) {
	if errors.As(err, new(*api.Refusal)) || errors.As(err, new(*api.Failure)) || errors.Is(err, api.ErrNotSent) {
		err = Problem(err, present.Reading, "")
	}
	p.Report(err)
	p.tellSent(c, err)
	refused, is := errors.AsType[*Refusal](err)
	byStdout := is && refused.Said && refused.Problem.IsZero()
	switch {
	case byStdout && p.Unprinted != nil && !IsSignal(p.Unprinted): // which was to say it, and could not be written
		p.Talk(0, "paydesk: "+present.Sentence(Judge(err).Words))
	case p.JSON && p.Unprinted == nil:
		o := p.object(c, err)
		output.New(p.Stdout(), output.Options{Format: output.JSON}).Object(o)
		if byStdout {
			p.Talk(0, "paydesk: "+o.What)
		}
	}
}

// tellSent says that something was sent whose result could not be printed: a person who reads only that printing failed would send
// it again.
func (p *Program) tellSent(c *cobra.Command, err error) {
	if sent := p.About.sent; p.Unprinted != nil && sent != "" && sent != api.OutcomeNotSent {
		show := p.commandAfter("paydesk activity show ATTEMPT", p.object(c, err), c)
		p.Warn("It was sent (%s), and its result could not be printed. Do not send it again: %s", sent, cmp.Or(show, "paydesk activity"))
	}
}

// Report prints why the program ends, each line with the name of the program.
func (p *Program) Report(err error) {
	r, is := errors.AsType[*Refusal](err)
	switch {
	case IsSignal(err) || is && r.Said || err.Error() == "":
		return
	case !is || r.Problem.IsZero():
		p.Talk(0, p.named(err)) // not broken: it may name a command or a path to copy
		return
	case p.saidLoss && errors.Is(err, journal.ErrLoss): // what was lost, and what comes next
		p.Warn("paydesk: %s", cmp.Or(r.Done, r.What))
		return
	}
	p.Warn("%s", p.named(r))
	if r.Detail != "" {
		p.Warn("  | %s", r.Detail)
	}
	if r.Next != "" {
		width := WidthOf(p.Err)
		if r.command != "" && strings.HasPrefix(r.Next, r.command) { // it is there to be copied, with its path
			width = 0
		}
		p.Talk(width, r.Next)
	}
}

// Tell says why something failed, before a person is asked what to do about it.
func (p *Program) Tell(err error) error {
	p.Report(err)
	if r, is := errors.AsType[*Refusal](err); is {
		r.Said = true
	}
	return err
}

// named returns an error with the name of the program on each line; in plain mode as a sentence, without where to read more.
func (p *Program) named(err error) string {
	if p.Plain {
		words, _, _ := strings.Cut(oneSentence(err), "; see paydesk")
		return present.Sentence(strings.TrimLeft(words, "-"))
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "paydesk ") {
			lines[i] = "paydesk: " + line
		}
	}
	return strings.Join(lines, "\n")
}

// object returns the refusal as JSON.
func (p *Program) object(c *cobra.Command, err error) output.Refusal {
	of := Judge(err)
	o := output.Refusal{
		Code: of.Name, Exit: int(of.Exit), What: present.Sentence(of.Words), Sent: string(cmp.Or(p.About.sent, api.OutcomeNotSent)),
		Attempt: string(cmp.Or(attemptOf(err), p.About.Attempt)), Reference: p.About.Reference.String(),
	}
	if r, is := errors.AsType[*Refusal](err); is && !r.Problem.IsZero() {
		o.What, o.Detail, o.Next = oneSentence(r), r.Detail, r.Next
	} else if err.Error() != "" && !IsSignal(err) {
		o.What = oneSentence(err)
	}
	switch {
	case of.Name == WhyUnresolved.Name && o.Sent == string(api.OutcomeAccepted) && o.Reference != "":
		o.What, of.command, of.does = "It was accepted, but its status is not known.", "paydesk status REF", "asks for it again"
	case of == WhyRefused && o.Reference != "":
		of.command, of.does = "paydesk status REF", "shows its status"
	// Of a payment that was not sent from here only paydesk case knows something.
	case o.Attempt != "":
	case of.Name == WhyRecorded.Name && o.Reference != "":
		of.command, of.does = "paydesk case REF", "shows what is known"
	default:
		of.command = strings.Replace(of.command, "activity show ATTEMPT", "case REF", 1)
	}
	o.Command = p.commandAfter(of.command, o, c)
	switch {
	case o.Next != "" || of.does == "":
	case of.command == c.CommandPath(): // it has just said what is wrong
		o.Next = "Correct that, then try again."
	case o.Command != "" || of.command == "":
		o.Next = strings.TrimSpace(o.Command+" "+of.does) + "."
	}
	return o
}

// oneSentence words an error on one line.
func oneSentence(err error) string {
	words := present.Sentence(present.Plain(strings.ReplaceAll(err.Error(), "\n", " ")))
	if rest, is := strings.CutPrefix(words, "Paydesk "); is { // a command is typed in small letters
		words = "paydesk " + rest
	}
	return words
}

// commandAfter returns the command that comes next, for the same profile and journal; "" where an argument of it is not known.
func (p *Program) commandAfter(command string, o output.Refusal, c *cobra.Command) string {
	command = " " + command + " "
	for name, value := range map[string]string{" ATTEMPT ": o.Attempt, " REF ": o.Reference, " COMMAND ": c.CommandPath()} {
		if value == "" && strings.Contains(command, name) {
			return ""
		}
		command = strings.ReplaceAll(command, name, " "+value+" ")
	}
	words := strings.Fields(command)
	if len(words) == 0 || strings.Contains(command, "'") { // blanks that are quoted divide no words
		return ""
	}
	given := GivenFor(c)
	if f := c.Flag("profile"); f != nil && f.Changed {
		given = append(given, [2]string{"--profile", f.Value.String()})
	}
	next, _, err := p.Tree().Find(words[1:]) // which sets the options back
	if err == nil && next.CommandPath() == c.CommandPath() && !strings.Contains(command, "--") {
		return "" // it has just failed
	}
	for _, option := range given {
		if err == nil && TakesGlobal(next, strings.TrimPrefix(option[0], "--")) {
			words = slices.Insert(words, 1, option[:]...)
		}
	}
	return screens.ShellCommand(words)
}

// WriteNew writes a new file, which only this user can read, and returns its path.
func WriteNew(ctx context.Context, path string, write func(io.Writer) error) (string, error) {
	path, err := export.CreateNew(ctx, path, write)
	if err != nil {
		err = FileError(err)
	}
	return present.Plain(path), err
}

// WriteText writes a text to a new file, and says where, in words with a place for its path; to stdout without a file.
func (p *Program) WriteText(ctx context.Context, file string, text []byte, says string) error {
	write := func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	if file == "" {
		return write(p.Stdout())
	}
	path, err := WriteNew(ctx, file, write)
	if err == nil {
		p.Say(says, path)
	}
	return err
}

// AnotherFile comes after the words about a file that cannot be used.
const AnotherFile = "Name another file."

// FileError is the error of a file that could not be written.
func FileError(err error) error {
	if IsSignal(err) || Judge(err) != WhyFailed { // what was to be written could not be read
		return err
	}
	return Refuse(WhyFile, present.FileProblem(err), AnotherFile)
}

// Unlistenable is the error of an address to listen at.
func Unlistenable(address string, err error) error {
	var cause syscall.Errno
	switch {
	case api.IsInUse(err):
		return Refuse(WhyAddress, "Another program listens at "+address+".", "Choose another address with --listen; port 0 picks a free one.")
	case errors.As(err, &cause):
		return Refuse(WhyFailed, "paydesk cannot listen at "+address+": "+cause.Error()+".", "Choose an address of this machine with --listen, and a port from 1024.")
	}
	return err
}

// Unreadable is the error of a file that an option names and that cannot be read.
func Unreadable(path string, err error) error {
	why := "cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Refuse(WhyFile, "There is no such file: "+present.Plain(path)+".", AnotherFile)
	case errors.Is(err, fs.ErrPermission):
		why = "cannot be read by you"
	case errors.Is(err, syscall.EISDIR):
		why = "is a folder"
	}
	return Refuse(WhyFile, "The file "+present.Plain(path)+" "+why+".", AnotherFile)
}
