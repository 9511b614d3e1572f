package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paydesk/api/money"
)

// pageOfHundred is a page of 100 rows as a service would write it.
func pageOfHundred() []byte {
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf(`{"id":"5f0c9c1e-8d0a-4c55-9a51-%012d","amount":%d,"currency":"%s","status":"%s"}`,
			i, 125000+i, []string{"NGN", "GBP", "CAD"}[i%3], []string{"SUCCESSFUL", "PENDING", "FAILED", "Successfull"}[i%4]))
	}
	return []byte(`{"status":true,"data":[` + strings.Join(rows, ",") + `],"meta":{"page":1,"pageCount":13,"total":1204,"perPage":100,"skipped":0}}`)
}

func BenchmarkDecodePage(b *testing.B) {
	body := pageOfHundred()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		e, err := readOutcome(response{status: 200, mediaType: "application/json", body: body}, nil, listEnvelope)
		if err != nil {
			b.Fatal(err)
		}
		if p, _ := readPage(e, nil, true); len(p.Rows) != 100 || len(notices(p, 1, 100)) != 0 || !p.Rows[99].Known {
			b.Fatal(p.Notices)
		}
	}
}

// The same page as a scan reads it.
func BenchmarkDecodePageOfAScan(b *testing.B) {
	body, room := pageOfHundred(), make([]Transaction, 100)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		e, err := readOutcome(response{status: 200, mediaType: "application/json", body: body}, nil, listEnvelope)
		if err != nil {
			b.Fatal(err)
		}
		if p, _ := readPage(e, room, false); len(p.Rows) != 100 || !p.Rows[99].Known {
			b.Fatal(p.Rows)
		}
	}
}

// The cost of strict parsing alone.
func BenchmarkReadStrict(b *testing.B) {
	body := pageOfHundred()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readStrict(body, redactor{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same page through encoding/json, into the same rows.
func BenchmarkDecodePageEncodingJSON(b *testing.B) {
	body := pageOfHundred()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var page struct {
			Status bool
			Data   []json.RawMessage
			Meta   Meta
		}
		if err := json.Unmarshal(body, &page); err != nil {
			b.Fatal(err)
		}
		rows := make([]Transaction, 0, len(page.Data))
		for _, raw := range page.Data {
			var r struct {
				ID, Currency, Status string
				Amount               json.Number
			}
			if err := json.Unmarshal(raw, &r); err != nil {
				b.Fatal(err)
			}
			whole, err := json.MarshalIndent(raw, "", "  ")
			if err != nil {
				b.Fatal(err)
			}
			c, err := money.ParseCurrency(r.Currency)
			if err != nil {
				b.Fatal(err)
			}
			a, err := money.FromMinor(r.Amount.String(), c)
			rows = append(rows, Transaction{ID: Clean(r.ID), Amount: a, Known: err == nil, Raw: Clean(r.Amount.String()),
				Currency: Clean(r.Currency), Status: ParseStatus(r.Status), Object: Clean(string(whole))})
		}
		if len(rows) != 100 || !rows[99].Known {
			b.Fatal("wrong rows")
		}
	}
}
