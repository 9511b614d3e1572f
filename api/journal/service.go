package journal

import (
	"context"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// atService is [ledger.Destination.IsSameService] in SQL, which [atArgs] fill in. The indexes lead with the
// environment and what else is asked for; rows of other services in it are few.
const atService = "environment = ? AND (service IN (?, ?, ?) OR fingerprint <> '' AND fingerprint = ?)"

// ofService is it of the rows of a table that has another name.
func ofService(table string) string {
	return strings.NewReplacer("environment", table+".environment", "service", table+".service", "fingerprint", table+".fingerprint").Replace(atService)
}

func atArgs(d ledger.Destination) []any {
	d = d.Stored()
	hosts := d.Hosts()
	return []any{d.Environment, hosts[0], hosts[1], hosts[2], d.Fingerprint}
}

// Fingerprint returns what identifies a secret key in this journal: its hash under the
// journal's key, which is of no use elsewhere. It is "" without a secret key.
func (j *Journal) Fingerprint(ctx context.Context, secret api.Secret) (string, error) {
	err := j.settle(ctx)
	if err == nil && j.key.Load() == nil { // a file that cannot be opened says why when it is to be written
		err = j.transact(ctx, nil, func(*writeTx) error { return nil })
	}
	if err != nil {
		return "", err
	}
	return ledger.KeyedHash(*j.key.Load(), "secret key", secret.Expose()), nil
}
