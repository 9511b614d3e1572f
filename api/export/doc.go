// Package export writes rows to files that other programs read: as CSV, as a JSON array, or as
// JSON Lines. It has one writer for all rows, and one way to make a file of them.
//
//	path, err := export.CreateFile(ctx, folder, name, func(w io.Writer) error {
//		n, err = export.Write(w, export.CSV, table, rows, told)
//		return err
//	})
//
// Rows are written as they are read, so that a million take no more memory than one.
//
// No text from outside can act where a file is opened. CSV is RFC 4180 in UTF-8, with control
// characters removed and spreadsheet formulas escaped. JSON is plain ASCII.
//
// [Transactions] is the table of the service's list. That of the journal is in
// paydesk/api/journal/export.
package export
