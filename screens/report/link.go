package report

import (
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// OfLink returns the report of a link that was created from here, or of an unresolved attempt to create one.
func OfLink(l journal.LinkRecord, now time.Time) Report {
	k := OfAttempt(l.Attempt, nil, ledger.Destination{}, now)
	if l.CreatedLink == nil {
		return Of(k)
	}
	link := *l.CreatedLink
	a := l.Attempt
	if a.Decision == ledger.Found { // it can be used like one whose answer arrived, and a fact says that none did
		a.Outcome = ledger.Accepted
	}
	r := Report{Title: "Link " + string(link.Alias), Amount: l.LinkAmount(), Status: present.AttemptCell(a, now)}
	if link.AmountType == api.Static && !link.HasAmount {
		r.Amount, r.Remark = "", "(the service states no amount)"
	}
	switch {
	case l.MustBeRead():
		r.Says = k.says()
	case l.Paid > 0 && r.Status.Tone == ui.ToneDone && l.Differ == 0 && link.Differences() == "":
		r.Status.Text = "PAID" // without the colour of a success: that is the payment's alone
	}
	r.Sections = linkSections(l)
	return r
}

// OfDifferences returns how a link differs from what was asked.
func OfDifferences(l api.Link) Report {
	compared := Table{Titles: []string{"requested", "answered"}}
	for _, d := range l.Differs {
		part := strings.TrimSuffix(present.Sentence(d.Part.Line(0)), ".")
		compared.Rows = append(compared.Rows, Row{part, []ui.Cell{{Text: d.Asked.Line(0)}, {Text: d.Answered.Line(0), Tone: ui.ToneMismatch}}})
	}
	return Report{
		Status: ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}, Says: []Words{{Text: present.LinkMismatch, Rank: 2}},
		Sections: []Section{{Title: "Requested and answered", Table: compared, Facts: []Fact{{Label: "Lacks", Value: present.NotAnswered(&l), Rank: 1}}}},
	}
}

// linkSections are what is known of a link, what a person needs first of all, then by what it is found again and what the service says of
// it besides. One that must be read first has no URL.
func linkSections(l journal.LinkRecord) []Section {
	link := *l.CreatedLink
	page := Fact{Label: "URL", Value: link.Page.String(), In: OffPage} // on its page it stands above all else
	switch {
	case l.MustBeRead():
		page = Fact{Label: "Page", Value: "shown once its differences were read", In: OnScreens}
	case link.Page.IsZero():
		page = Fact{Label: "Page", Value: "none that is safe to open", In: OffPage}
	}
	created := Fact{Label: "Created", At: l.At, By: present.Operator(l.By)}
	if l.At.IsZero() {
		created.Value = timestamp(link.Created)
	}
	var facts []Fact
	for i, d := range link.Differs {
		f := Fact{Value: d.String(), Tone: ui.ToneMismatch}
		if i == 0 {
			f.Label = "Differs"
		}
		facts = append(facts, f)
	}
	named := []Fact{page, {Label: "Name", Value: link.Name.Prose(0)}}
	if l.MustBeRead() {
		facts = append(facts, named...)
	} else {
		facts = append(named, facts...)
	}
	facts = append(facts, Fact{Label: "Lacks", Value: present.NotAnswered(&link), Rank: 1})
	if l.Outcome == ledger.Unresolved {
		facts = append(facts, Fact{Label: "Found", Value: "by a person; the service's answer never arrived", At: l.DecidedAt, By: present.Operator(l.DecidedBy)})
	}
	facts = append(facts,
		Fact{Label: "Paid", Value: paidSentence(l)},
		Fact{Label: "Can be paid", Value: present.Uses(link, l.Paid > 0)},
		created,
		Fact{Label: "Last used", At: l.LastUsed, Rank: 1},
		Fact{Label: "Description", Value: link.Description.Prose(0)},
		Fact{Label: "Fees", Value: "may be added when it is paid", In: OnPage})
	return []Section{{Title: "Link", Facts: facts}, {Title: "Details", Facts: []Fact{
		{Label: "Alias", Value: string(link.Alias), Muted: true, In: OnPage | InText},
		{Label: "ID", Value: link.ID.Line(0), Muted: true, Rank: 5},
		{Label: "Status", Value: link.Status.Line(0), Muted: true},
		{Label: "Environment", Value: link.Environment.Line(0), Muted: true},
		{Label: "Message", Value: present.Quote(link.Message), Muted: true, Rank: 5},
		{Label: "Attempt", Value: string(l.ID), Muted: true, Rank: 5},
	}}}
}

// paidSentence returns what was paid through a link from here; "" where no journal knows.
func paidSentence(l journal.LinkRecord) string {
	switch {
	case l.ID == "":
		return ""
	case l.Accepted == 0:
		return "nothing from here yet"
	}
	words := present.Thousands(l.Paid) + " of " + present.Thousands(l.Accepted) + " payments from here SUCCESSFUL"
	if l.Differ > 0 {
		words = present.Thousands(l.Differ) + " " + present.Mismatch + " · " + words // first: the line may be cut
	}
	var totals []string
	for _, a := range l.Total {
		totals = append(totals, a.String())
	}
	if len(totals) > 0 {
		words = strings.Join(totals, ", ") + " · " + words
	}
	return words
}

// timestamp is a time of the service in the local zone, as far as it can be read.
func timestamp(at api.Timestamp) string {
	switch {
	case at.Time.IsZero():
		return at.Text.Line(0)
	case !at.Zoned:
		return at.Time.Format(time.DateTime) + " (zone not given)"
	}
	return at.Time.Local().Format(time.DateTime + " MST")
}

// Links are the columns of the links that were created here.
func Links() []Column[journal.LinkRecord] {
	return []Column[journal.LinkRecord]{
		{Column: ui.Column{Title: "Alias", Width: 14, Grow: true}, Printed: 12, On: Anywhere, Cell: aliasCell},
		{Column: ui.Column{Title: "Name", Width: 12, Grow: true}, On: Screen, Cell: Text(linkName)},
		{Column: ui.Column{Title: "Amount", Width: 16, Right: true}, Printed: 18, On: Anywhere, Cell: linkAmount},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return l.Amount.Currency.Code() })},
		{Column: ui.Column{Title: "Paid", Width: 5, Right: true}, On: Screen | Terminal, Cell: Text(paidRatio)},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return strconv.Itoa(l.Paid) })},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return strconv.Itoa(l.Accepted) })},
		{Column: ui.Column{Title: "Created", Width: len(Minute), Drop: 1, Quiet: true}, On: Anywhere, Cell: Time(func(l journal.LinkRecord) time.Time { return l.At }, minute)},
		{Column: ui.Column{Title: "Last used", Width: len(Minute), Drop: 2}, On: Screen, Cell: Text(func(l journal.LinkRecord) string { return minute(l.LastUsed) })},
		{Column: ui.Column{Title: "Name"}, On: Terminal | Pipe, Cell: Text(linkName)},
		{On: Pipe, Cell: Text(linkURL)},
	}
}

// aliasCell is the alias of a link, or what is in doubt about it.
func aliasCell(l journal.LinkRecord, _ Medium) ui.Cell {
	switch {
	case l.CreatedLink == nil:
		return ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
	case l.MustBeRead():
		return ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	case l.CreatedLink.Differences() != "":
		return ui.Cell{Text: string(l.CreatedLink.Alias), Tone: ui.ToneMismatch}
	}
	return ui.Cell{Text: string(l.CreatedLink.Alias)}
}

func linkName(l journal.LinkRecord) string {
	if l.CreatedLink == nil {
		return present.Plain(l.Draft.Name)
	}
	return l.CreatedLink.Name.Prose(60)
}

// linkAmount returns what a link charges.
func linkAmount(l journal.LinkRecord, on Medium) ui.Cell {
	switch {
	case on != Screen:
		return attemptAmount(l.Attempt, on)
	case l.AsLink().AmountType == api.Dynamic:
		return ui.Cell{Text: present.CustomerChooses}
	}
	return ui.Cell{Text: l.LinkAmount()}
}

// paidRatio returns how many payments through a link succeeded, of those that were tried.
func paidRatio(l journal.LinkRecord) string {
	switch {
	case l.CreatedLink == nil:
		return ""
	case l.Accepted == 0:
		return "-"
	}
	return strconv.Itoa(l.Paid) + "/" + strconv.Itoa(l.Accepted)
}

// linkURL returns where a link is paid; "" where that has to be read first, or is not known.
func linkURL(l journal.LinkRecord) string {
	if l.CreatedLink == nil || l.MustBeRead() {
		return ""
	}
	return l.CreatedLink.Page.String()
}

// minute is a local time without seconds; "" for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(Minute)
}
