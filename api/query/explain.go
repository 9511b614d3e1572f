package query

import "strings"

// Explain is the help on a language: a paragraph for each thing to know.
func (l *Language) Explain() []string {
	var examples, missing, bare []string
	for i := range l.Fields {
		f := &l.Fields[i]
		if f.Missing != "" {
			missing = append(missing, f.Name)
			continue
		}
		examples = append(examples, f.example())
		if f.Bare || f.Looks != nil {
			bare = append(bare, f.Name)
		}
	}
	lines := []string{
		"A row is found if it meets all terms that are typed beside each other. The fields are, with an example each: " + strings.Join(examples, "  ") + ".",
		"A comma means or, a - before a term means not. Capital letters do not matter.",
		"A * stands for the rest of a value: 5e62* begins so, *5e62 ends so. Words in quotation marks belong together; \\\" is a quotation mark in them.",
	}
	if len(bare) > 0 {
		lines = append(lines, "A value needs no field where it can only be one of "+strings.Join(bare, ", ")+". Other text is looked for in every field.")
	}
	if l.has(Amount) {
		lines = append(lines, "Amounts are in major units and compared exactly in the currency of their row: >100, >=12.50, 100..250, ..250. Without a field 31 finds 31.50 too. A row whose amount is not known meets no such term, with a - or without.")
	}
	if l.has(Day) {
		lines = append(lines, "A day is 2026-11-23, today or yesterday; 2026-11 is a month, 7d the last seven days. Days have ranges and comparisons, too.")
	}
	if l.has(Scan) {
		lines = append(lines, "since:last finds what is new or moved since the scan before, gone:last what is gone; a day, as in since:2026-11-20, compares with the last scan that had ended by then.")
	}
	if len(missing) > 0 {
		lines = append(lines, "Nothing is known here of: "+strings.Join(missing, ", ")+".")
	}
	return lines
}

// has reports whether a field of a kind can be searched.
func (l *Language) has(k Kind) bool {
	for i := range l.Fields {
		if f := &l.Fields[i]; f.Kind == k && f.Missing == "" {
			return true
		}
	}
	return false
}
