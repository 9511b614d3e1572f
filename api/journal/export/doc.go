// Package export has what the journal's attempts are in a file: [Attempts], their table, and [Rows],
// which reads them for it; and one attempt with its timeline as a case in Markdown, for a ticket.
//
//	n, err := export.Write(w, export.CSV, attempts.Attempts(), attempts.Rows(ctx, journal, filter), told)
//
// The writer is that of paydesk/api/export. In Markdown every text that is not paydesk's own is a
// code span.
//
// The files leave out on purpose where the customer authorises and the account they pay into:
// a record does not need them, and a reader could misuse them.
package export
