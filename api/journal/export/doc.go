// Package export writes journal attempts to files: many as CSV or JSON, and one with its
// timeline as a case in Markdown, for a ticket.
//
//	n, err := export.Write(w, export.CSV, export.Rows(ctx, journal, filter))
//	path, err := export.CreateFile(folder, export.FileName("activity", ".csv", now), write)
//
// No text from outside can act where a file is opened. CSV is RFC 4180 in UTF-8, with control
// characters removed and spreadsheet formulas escaped. JSON is plain ASCII. In Markdown every
// text that is not paydesk's own is a code span.
//
// The files leave out on purpose where the customer authorises and the account they pay into:
// a record does not need them, and a reader could misuse them.
package export
