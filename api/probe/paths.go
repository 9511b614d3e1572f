package probe

import (
	"context"
	"crypto/rand"
	"errors"

	"paydesk/api"
)

// madeUpPath is a path that no service has. What it answers there tells a refusal that
// knows the operation from one that any path gets.
const madeUpPath = "/api/payment/paydesk-asks-whether-this-is-here/{reference}"

const (
	statusName       = "status path"
	authenticateName = "authentication path"
)

func pathsSkipped(why string) []Finding {
	return []Finding{
		{Name: statusName, State: Skipped, Words: "not asked, because " + why},
		{Name: authenticateName, State: Skipped, Words: "not asked, because " + why},
	}
}

// checkPaths asks for a payment that does not exist, on the two paths that the
// specification does not show and on one that is none.
func checkPaths(ctx context.Context, c api.Config) []Finding {
	client, err := api.New(c)
	if err != nil {
		return pathsSkipped("the profile cannot be used: " + err.Error())
	}
	defer client.Close()
	c.StatusPath = madeUpPath
	other, err := api.New(c)
	if err != nil {
		return pathsSkipped("the profile cannot be used: " + err.Error())
	}
	defer other.Close()
	invented := api.Reference("NONE" + rand.Text()[:14]) // of at most 20 signs, as references are
	var status, authentication, none error
	runAll(ctx, []func(context.Context){
		func(ctx context.Context) { _, status = client.Transaction(ctx, invented) },
		func(ctx context.Context) { _, authentication = client.Authenticate(ctx, invented) },
		func(ctx context.Context) { _, none = other.Transaction(ctx, invented) },
	})
	return []Finding{
		judgePath(statusName, "status_path", status, none),
		judgePath(authenticateName, "authenticate_path", authentication, none),
	}
}

// judgePath reads what came of asking for a payment that does not exist; none is what
// came of asking at a path that does not exist.
func judgePath(name, line string, err, none error) Finding {
	f := Finding{Name: name, State: Failed, Do: "ask the service for the path, and correct the line " + line + " of the profile"}
	var r *api.Refusal
	switch {
	case err == nil:
		f.State, f.Words = Warning, "a payment that was made up was answered as if it existed"
	case !errors.As(err, &r):
		f.Words = errorText(err)
	case api.KeyRejected(err):
		f.Words, f.Do = "the list takes the key, and this does not: "+errorText(err), "check that base_url and list_url belong to the same account"
	case api.Temporary(err):
		f.State, f.Words, f.Do = Warning, errorText(err), "wait a while, and ask again"
	case r.Kind == api.KindHTTP:
		f.Words = "the path may be wrong: the answer is no refusal by the service. " + errorText(err)
	case indistinguishable(r, none):
		f.State = Warning
		f.Words = "the path may be wrong: a payment that was made up is refused with the same words as a path that was made up. " + errorText(err)
	default:
		f.State, f.Words, f.Do = OK, "a payment that was made up was refused by the service itself", ""
	}
	return f
}

// indistinguishable reports whether two refusals cannot be told apart.
func indistinguishable(r *api.Refusal, none error) bool {
	var n *api.Refusal
	return errors.As(none, &n) && n.Kind == r.Kind && n.HTTP == r.HTTP && n.Text.String() == r.Text.String() && n.Code.String() == r.Code.String()
}
