package sandbox

import "time"

// statusPage shows the customer a payment's status, without links to what is next.
func (p *payment) statusPage(is state, now time.Time) page {
	switch {
	case is == initiated:
		return page{
			title: "Your bank is waiting for your answer",
			body:  paymentFacts(p) + paragraph("You left your bank's page without answering, so nothing was paid. The payment is waiting for your answer."),
		}
	case is == pending && p.transfer != nil:
		return p.transferPage(now)
	case is == pending:
		return page{
			title: "The payment is being processed",
			body:  paymentFacts(p) + paragraph("The card was accepted. The payment is not complete yet."),
		}
	case is == successful:
		return page{title: "The payment is complete", body: paymentFacts(p)}
	}
	return page{title: "The payment failed", body: paymentFacts(p) + paragraph(p.failureReason(now))}
}

func (p *payment) failureReason(now time.Time) string {
	switch {
	case p.transfer != nil && p.received(now) > 0:
		return "The account expired before the full amount arrived. Only " + p.money(p.received(now)) + " was received."
	case p.transfer != nil:
		return "The account expired before the money arrived."
	case p.card.answered == answerRejected:
		return "You rejected it at your bank."
	}
	return "The card was declined."
}

// transferPage shows the account to pay into.
func (p *payment) transferPage(now time.Time) page {
	t, account := p.transfer, p.transfer.wire()
	rows := []string{
		"Amount", p.money(t.due),
		"Bank", account.Bank,
		"Account number", account.AccountNumber,
		"Account name", account.AccountName,
		"Valid until", t.expires.UTC().Format("2 January 2006, 15:04:05 UTC"),
		"Reference", p.reference,
	}
	if paid := p.received(now); paid > 0 {
		rows = append(rows, "Paid so far", p.money(paid), "Still to pay", p.money(t.due-paid))
	}
	return page{title: "Pay by bank transfer", body: paragraph(account.Note) + definitionList(rows...)}
}

// money formats an amount in the payment's currency.
func (p *payment) money(n int64) string { return formatMajor(n).String() + " " + p.currency }
