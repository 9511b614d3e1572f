package journal

// addLeases gives the unresolved ones of some rows their leases.
func (t *readTx) addLeases(rows []*row) error {
	open := map[int64]*row{}
	var numbers []hit
	for _, r := range rows {
		if r.IsUnresolved() {
			open[r.n] = r
			numbers = append(numbers, hit{n: r.n})
		}
	}
	if len(open) == 0 {
		return nil
	}
	of, all := t.dialect.among("attempt", numbers)
	events, err := collect(t, scanned(func() *eventRow { return &eventRow{table: attemptEvents} }),
		attemptEvents.selects+"WHERE "+of+" AND what IN ('"+Taken+"', '"+Released+"', '"+Decided+"') AND at > ? ORDER BY n", all, unixNano(t.now.Add(-LeaseTime)))
	for _, e := range events {
		r := open[e.owner]
		r.Lease = r.Lease.After(e.Event, t.j.opts.Operator, t.now)
	}
	return err
}
