package journal

import (
	"context"

	"paydesk/api"
	"paydesk/api/ledger"
)

// atService is [ledger.Destination.IsSameService] in SQL, which [atArgs] fill in. The indexes lead with the
// environment and what else is asked for; rows of other services in it are few.
const atService = "environment = ? AND (service IN (?, ?, ?) OR fingerprint <> '' AND fingerprint = ?)"

func atArgs(d ledger.Destination) []any {
	d = d.Stored()
	hosts := d.Hosts()
	return []any{d.Environment, hosts[0], hosts[1], hosts[2], d.Fingerprint}
}

// Fingerprint returns what identifies a secret key in this journal: its hash under the
// journal's key, which is of no use elsewhere. It is "" without a secret key.
func (j *Journal) Fingerprint(ctx context.Context, secret api.Secret) (string, error) {
	if j.shared != nil {
		use, err := j.useShared(ctx)
		if err != nil {
			return "", err
		}
		return ledger.KeyedHash(use.key, "secret key", secret.Expose()), nil
	}
	if err := j.lock(ctx); err != nil {
		return "", err
	}
	defer j.unlock()
	if !j.isUnwritten() {
		if err := j.ensureOpen(context.WithoutCancel(ctx)); err != nil {
			return "", err
		}
	}
	return ledger.KeyedHash(j.key, "secret key", secret.Expose()), nil
}
