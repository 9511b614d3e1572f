package probe

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"

	"paydesk/api"
)

// madeUpPath exists on no service. Its response shows whether a rejection comes from the operation
// or from an unknown path.
const madeUpPath = "/api/payment/paydesk-asks-whether-this-is-here/{reference}"

const (
	statusName       = "status path"
	authenticateName = "authentication path"
)

// pathsSkipped reports both paths as unchecked, so that every run has the same findings.
func pathsSkipped(why string) []Finding {
	return []Finding{
		{Name: statusName, State: Skipped, Words: "not checked: " + why},
		{Name: authenticateName, State: Skipped, Words: "not checked: " + why},
	}
}

// checkPaths requests a payment that does not exist, on the two paths that the specification leaves
// open and on a path that does not exist.
func checkPaths(ctx context.Context, c api.Config) []Finding {
	invented := inventReference()
	transaction := func(ctx context.Context, client *api.Client) error {
		_, err := client.Transaction(ctx, invented)
		return err
	}
	elsewhere := c
	elsewhere.StatusPath = madeUpPath
	var status, authentication, none error
	var all sync.WaitGroup
	all.Go(func() { status = ask(ctx, c, transaction) })
	all.Go(func() {
		authentication = ask(ctx, c, func(ctx context.Context, client *api.Client) error {
			_, err := client.Authenticate(ctx, invented)
			return err
		})
	})
	all.Go(func() { none = ask(ctx, elsewhere, transaction) })
	all.Wait()
	return []Finding{
		judgePath(statusName, "status_path", status, none),
		judgePath(authenticateName, "authenticate_path", authentication, none),
	}
}

// inventReference returns a reference of no payment: at most 20 characters, like every reference of our own.
func inventReference() api.Reference { return api.Reference("NONE" + rand.Text()[:14]) }

// CheckPayments requests the status of a payment that does not exist, which moves no money. The error says what is wrong
// with the address of payments, and what to do; nil means that the service itself rejected the request.
func CheckPayments(ctx context.Context, s interface {
	Transaction(context.Context, api.Reference) (api.Transaction, error)
}) error {
	_, err := s.Transaction(ctx, inventReference())
	if f := judgePath(statusName, "status_path", err, nil); f.State != OK {
		return &PaymentsProblem{f.Words, f.Do}
	}
	return nil
}

// A PaymentsProblem is what is wrong with the address of payments.
type PaymentsProblem struct{ Words, Do string }

// Error returns what is wrong.
func (p *PaymentsProblem) Error() string { return p.Words }

// judgePath judges a path by the error of requesting a payment that does not exist; none is the
// error of requesting it on a path that does not exist.
func judgePath(name, line string, err, none error) Finding {
	f := Finding{Name: name, State: Failed, Do: "ask the operator of the service for the path, and correct " + line + " in the profile"}
	var r *api.Refusal
	switch {
	case err == nil:
		f.State, f.Words = Warning, "a made-up payment reference was answered as if it existed"
	case !errors.As(err, &r):
		f.Words = errorText(err)
	case api.KeyRejected(err):
		f.Words, f.Do = "the list endpoint accepts the key, but this path does not: "+errorText(err), "check that base_url and list_url belong to the same account"
	case api.Temporary(err):
		f.State, f.Words, f.Do = Warning, errorText(err), "wait a while and try again"
	case r.Kind == api.KindHTTP:
		f.Words = "the path may be wrong: the rejection does not come from the service itself. " + errorText(err)
	case indistinguishable(r, none):
		f.State = Warning
		f.Words = "the path may be wrong: a made-up payment reference is rejected in the same words as a made-up path. " + errorText(err)
	default:
		f.State, f.Words, f.Do = OK, "the service itself rejected a made-up payment reference", ""
	}
	return f
}

// indistinguishable reports whether two refusals are the same to a person: then the service may not
// know the path at all.
func indistinguishable(r *api.Refusal, none error) bool {
	var n *api.Refusal
	return errors.As(none, &n) && n.Kind == r.Kind && n.HTTP == r.HTTP && n.Text.String() == r.Text.String() && n.Code.String() == r.Code.String()
}
