// Package export has what the journal's attempts are in a file: [Attempts], their table, and [Rows],
// which reads them for it.
//
//	n, err := export.Write(w, export.CSV, attempts.Attempts(), attempts.Rows(ctx, journal, filter), told)
//
// The writer is that of paydesk/api/export.
//
// The files leave out on purpose where the customer authorises and the account they pay into:
// a record does not need them, and a reader could misuse them.
package export
