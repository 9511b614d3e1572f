// Package export writes what the journal holds for other programs and for people: rows as
// CSV and JSON, and one attempt with its timeline as a case in Markdown.
//
//	err := export.Write(w, export.CSV, export.Rows(ctx, book, filter))
//	path, err := export.File(folder, export.Name("activity", ".csv", now), write)
//
// Nothing written can do anything where it is opened (R9). CSV is RFC 4180 in UTF-8, its text
// cleaned of control characters and of what a spreadsheet takes for a formula. JSON is plain
// ASCII. In Markdown every text that is not the console's own stands in a code span.
//
// Left out on purpose: where the bank has the customer authorise and the account they pay
// into, which are of no use in a record and may be used by whoever reads it.
package export
