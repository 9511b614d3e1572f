package session

import (
	"context"
	"slices"
	"sync"

	"paydesk/api"
	"paydesk/api/ledger"
)

// The bounds of the answers of a session; the oldest are forgotten first.
const (
	keptAnswers = 1_000
	keptBytes   = 8 << 20
)

// A Subject says what an answer concerns. Several of its parts may be known; a channel validation has none.
type Subject struct {
	Operation api.Operation // "" for whatever was asked
	Reference api.Reference
	Link      api.Alias
	Attempt   ledger.ID
	Page      int // of the list; 0 for none
}

// isAbout reports whether an answer about s is one about another subject.
func (s Subject) isAbout(other Subject) bool {
	named := other.Reference != "" || other.Link != "" || other.Attempt != "" || other.Page > 0
	switch {
	case other.Operation != "" && s.Operation != other.Operation:
		return false
	case !named:
		return true
	}
	return other.Reference != "" && s.Reference == other.Reference || other.Link != "" && s.Link == other.Link ||
		other.Attempt != "" && s.Attempt == other.Attempt || other.Page > 0 && s.Page == other.Page
}

// A KeptAnswer is the last answer to an operation about a subject.
type KeptAnswer struct {
	Subject
	Message api.Text // the service's words in it
	api.Answer
}

// answers are the last answers to each operation about each subject, for as long as the session lasts.
// They are in memory only. It is safe for concurrent use.
type answers struct {
	mu    sync.Mutex
	kept  []KeptAnswer // oldest first
	bytes int
}

// Kept returns the answers of this session about a subject, newest first: the last to each operation.
// They are in memory only.
func (t *Tracker) Kept(about Subject) []KeptAnswer { return t.answers.about(about) }

func (k *answers) about(about Subject) (found []KeptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range slices.Backward(k.kept) {
		if a.isAbout(about) {
			found = append(found, a)
		}
	}
	return found
}

// Said returns the last words of the service about a payment, and what was asked then.
func (t *Tracker) Said(r api.Reference) (words api.Text, of api.Operation) {
	for _, a := range t.Kept(Subject{Reference: r}) {
		if !a.Message.Empty() && a.Operation != api.OpAuthenticate { // those concern the check
			return a.Message, a.Operation
		}
	}
	return api.Text{}, ""
}

// keep adds an answer in place of the last one to the same operation about the same subject.
func (k *answers) keep(a KeptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.kept, func(old KeptAnswer) bool { return old.Subject == a.Subject }); i >= 0 {
		k.forget(i)
	}
	k.kept = append(k.kept, a)
	for k.bytes += a.Body.Size(); len(k.kept) > keptAnswers || k.bytes > keptBytes && len(k.kept) > 1; {
		k.forget(0)
	}
}

func (k *answers) forget(i int) {
	k.bytes -= k.kept[i].Body.Size()
	k.kept = slices.Delete(k.kept, i, i+1)
}

// ask makes a request through do, if the gate admits it, and keeps its answer. Of an unrecorded request it keeps no error:
// whoever makes up events could push out all other answers. about tells from the result, which is zero after an error,
// what the answer concerns and what the service says in it.
func ask[T any](
	ctx context.Context, t *Tracker, op api.Operation, do func(context.Context) (T, error), about func(T) (Subject, api.Text),
) (v T, err error) {
	var last api.Answer
	if err = t.gate.admit(ctx, op); err == nil {
		v, err = do(api.WithAnswers(ctx, func(a api.Answer) { last = a }))
	}
	t.noteKey(err)
	if !last.At.IsZero() {
		t.rec.Journal().SetAhead(last.Ahead)
	}
	if !last.At.IsZero() && (err == nil || !api.IsUnrecorded(ctx)) {
		s, words := about(v)
		s.Operation, s.Attempt = op, ledger.ID(last.Attempt)
		t.answers.keep(KeptAnswer{Subject: s, Message: words, Answer: last})
	}
	return v, err
}
