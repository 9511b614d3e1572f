package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
)

// A sent is a request as the service received it.
type sent struct {
	method, uri, proto, body string
	header                   http.Header
	close                    bool
}

// A post keeps the last request.
type post struct {
	mu   sync.Mutex
	last sent
}

func (p *post) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = sent{r.Method, r.URL.RequestURI(), r.Proto, string(b), r.Header, r.Close}
	w.WriteHeader(http.StatusTeapot)
}

func (p *post) seen() sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func TestEveryRequestMatchesTheSpecification(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	for _, test := range []struct{ operation, method, uri, body string }{
		{"initiate", "POST", "/api/payment/pay/initiate", `{"amount":12.5,"channel":"Card","currency":"GBP","narration":"Order 7","link":{"alias":"0-a1b2c3d"},` +
			`"userInformation":{"firstName":"Ada","lastName":"Obi","emailAddress":"ada@example.com","phone":"+2348000000000"},` +
			`"paymentRequestProps":{"card":{"number":"4242424242424242","cvv":"123","expMonth":12,"expYear":2039},"returnUrl":"https://shop.example/back?a=1&b=2"},` +
			`"metaData":{"order":"7","desk":"<1>"}}`},
		{"link", "POST", "/api/payment/payment-link", `{"name":"Mug","description":"A mug","linkType":0,"amountType":0,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":12.5}}`},
		{"validate", "POST", "/api/payment/pay/validate", `{"amount":{"currencyCode":"GBP","amount":12.5}}`},
		{"finalize", "POST", "/api/payment/pay/finalize", `{"paymentReference":"REF0001"}`},
		{"authenticate", "GET", "/api/payment/pay/get-auth-3ds?referenceId=REF0001", ""},
		{"transaction", "GET", "/api/payment/transactions/REF0001", ""},
		{"transactions", "GET", "/v1/api/transactions?page=1&perPage=20", ""},
	} {
		try(t.Context(), c, test.operation)
		is := got.seen()
		if is.method != test.method || is.uri != test.uri {
			t.Errorf("%s went as %s %s, want %s %s", test.operation, is.method, is.uri, test.method, test.uri)
		}
		if d := cmp.Diff(test.body, is.body); d != "" {
			t.Errorf("%s: %s", test.operation, d)
		}
		checkHeaders(t, test.operation, is)
	}
}

// checkHeaders checks the headers of a request.
func checkHeaders(t *testing.T, operation string, is sent) {
	t.Helper()
	for name, want := range map[string]string{
		"X-Api": string(secret), "Accept": "application/json", "Accept-Encoding": "identity", "Content-Type": "application/json",
		"User-Agent": "paydesk", "Idempotency-Key": "", "X-Idempotency-Key": "", "Authorization": "", "Cookie": "",
	} {
		if got := strings.Join(is.header.Values(name), ","); got != want {
			t.Errorf("%s: header %s is %q, want %q", operation, name, got, want)
		}
	}
	if is.method == "POST" && (!is.close || is.proto != "HTTP/1.1") {
		t.Errorf("%s went by %s on a connection that is kept: %v", operation, is.proto, !is.close)
	}
}

func TestTheBodyOnScreenIsTheBodySentExceptTheCard(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	bare := cardInitiation()
	bare.MetaData, bare.Link, bare.ReturnURL, bare.Narration = nil, "", "", ""
	odd := cardInitiation()
	odd.Narration = "\x1b[31m \u202e \U000e0041 \"card\":{\"number\":\""
	odd.MetaData = []api.Pair{{Key: `"card":{"number":"`, Value: "\u0085"}}
	other := transferInitiation()
	other.Channel, other.ReturnURL = "PayByAccount", "https://shop.example/back"
	for name, in := range map[string]api.Initiation{
		"whole": cardInitiation(), "bare": bare, "odd": odd, "transfer": transferInitiation(), "account": other,
	} {
		c.Initiate(t.Context(), in)
		left := strings.NewReplacer(`"`+pan+`"`, `"•••• 4242"`, `"cvv":"123"`, `"cvv":"•••"`).Replace(got.seen().body)
		shown := in.Preview()
		if d := cmp.Diff(decode(t, left), decode(t, shown)); d != "" {
			t.Errorf("%s: sent - shown +\n%s", name, d)
		}
		for _, r := range shown {
			if r != '\n' && (r < ' ' || r == 0x202e || r == 0x85 || r == 0xe0041) {
				t.Errorf("%s: %U reaches the screen", name, r)
			}
		}
		if strings.Contains(shown, pan) || strings.Contains(shown, `"123"`) {
			t.Errorf("%s: the card is shown", name)
		}
	}
}

func decode(t *testing.T, s string) (v map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, s)
	}
	return v
}

func TestTheLinkOnScreenIsTheLinkSent(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	d := api.LinkDraft{Name: "Mug & \x1b", Description: "A <mug>", Type: api.Reusable, AmountType: api.Dynamic, Amount: amount("1500", "NGN")}
	c.CreateLink(t.Context(), d)
	if d := cmp.Diff(decode(t, got.seen().body), decode(t, d.Preview())); d != "" {
		t.Error(d)
	}
	if want := `{"name":"Mug & \u001b","description":"A <mug>","linkType":1,"amountType":1,"currencyCode":"NGN","amountInfo":{"currencyCode":"NGN","amount":1}}`; got.seen().body != want {
		t.Errorf("sent %s", got.seen().body)
	}
}

// The request must have an amount also where the customer chooses it: 1 of the currency.
func TestALinkWithoutAnAmountCarriesOneOfItsCurrency(t *testing.T) {
	for code, minor := range map[string]int64{"GBP": 100, "JPY": 1, "KWD": 1000} {
		d := api.LinkDraft{AmountType: api.Dynamic, Amount: amount("0", code)}
		if got := d.SentAmount(); got.Minor != minor || got.Currency != d.Amount.Currency {
			t.Errorf("%s: %v", code, got)
		}
		if d.AmountType = api.Static; d.SentAmount() != d.Amount {
			t.Errorf("%s: a fixed amount is sent as %v", code, d.SentAmount())
		}
	}
}

func TestATransferCarriesNoCardPartAndOurOwnReferenceWhereThereIsOne(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	in := transferInitiation()
	in.ReturnURL = "https://shop.example/back"
	for own, reference := range map[string]string{"": "", "OWN1": `"reference":"OWN1",`} {
		in.OwnReference = own
		c.Initiate(t.Context(), in)
		want := `{"amount":1500,"channel":"PayByTransfer","currency":"NGN",` + reference +
			`"userInformation":{"firstName":"Ada","lastName":"Obi","emailAddress":"ada@example.com","phone":"+2348000000000"},"metaData":{}}`
		if d := cmp.Diff(want, got.seen().body); d != "" {
			t.Errorf("%q: %s", own, d)
		}
	}
}

func TestTheNumberOnScreenIsTheNumberSent(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	for _, test := range []struct{ text, code, want string }{
		{"1500", "NGN", "1500"}, {"12.50", "GBP", "12.5"}, {"0.05", "CAD", "0.05"}, {"1000000.10", "NGN", "1000000.1"},
		{"1500", "JPY", "1500"}, {"10", "JPY", "10"}, {"1.250", "KWD", "1.25"}, {"100", "KWD", "100"},
	} {
		in := transferInitiation()
		in.Amount = amount(test.text, test.code)
		c.Initiate(t.Context(), in)
		if !strings.HasPrefix(got.seen().body, `{"amount":`+test.want+`,`) || api.SentAs(in.Amount) != test.want {
			t.Errorf("%s %s: shown as %s, sent as %.40s, want %s", test.text, test.code, api.SentAs(in.Amount), got.seen().body, test.want)
		}
	}
}

func TestInvalidRequestsAreNotSent(t *testing.T) {
	c, place := newClient(t, http.NotFoundHandler())
	invalid := map[string]func(*api.Initiation){
		"no currency":      func(in *api.Initiation) { in.Amount = api.Initiation{}.Amount; in.Amount.Minor = 1 },
		"nothing":          func(in *api.Initiation) { in.Amount.Minor = 0 },
		"no channel":       func(in *api.Initiation) { in.Channel = "" },
		"no card":          func(in *api.Initiation) { in.Card = nil },
		"an empty card":    func(in *api.Initiation) { in.Card = &api.CardEntry{} },
		"a card elsewhere": func(in *api.Initiation) { in.Channel = api.ChannelTransfer },
		"a key twice":      func(in *api.Initiation) { in.MetaData = []api.Pair{{Key: "a"}, {Key: "A"}} },
		"a bad reference":  func(in *api.Initiation) { in.OwnReference = "A-1" },

		"a card number for a first name":   func(in *api.Initiation) { in.Customer.FirstName = pan },
		"a card number in an e-mail":       func(in *api.Initiation) { in.Customer.Email = pan + "@shop.example" },
		"a card number for a phone number": func(in *api.Initiation) { in.Customer.Phone = pan },
		"a card number in the narration":   func(in *api.Initiation) { in.Narration = "card " + pan },
		"a card number in the return URL":  func(in *api.Initiation) { in.ReturnURL = "https://shop.example/?c=" + pan },
		"a card number for an alias":       func(in *api.Initiation) { in.Link = pan },
		"a card number for a key":          func(in *api.Initiation) { in.MetaData = []api.Pair{{Key: pan, Value: "1"}} },
	}
	for name, f := range invalid {
		in := cardInitiation()
		f(&in)
		_, err := c.Initiate(t.Context(), in)
		if outcomeOf(err) != "failure" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkNoSecret(t, err)
	}
	for _, r := range []api.Reference{"", ".", "..", "a/b", "a b", "é", api.Reference(strings.Repeat("a", 129))} {
		_, finalize := c.Finalize(t.Context(), r)
		_, authenticate := c.Authenticate(t.Context(), r)
		_, transaction := c.Transaction(t.Context(), r)
		for _, err := range []error{finalize, authenticate, transaction} {
			if outcomeOf(err) != "failure" {
				t.Errorf("reference %q: %v", r, err)
			}
		}
	}
	for _, d := range []api.LinkDraft{{}, {Name: pan, Amount: pounds("1")}, {Name: "Mug", Description: "for " + pan, Amount: pounds("1")}} {
		if _, err := c.CreateLink(t.Context(), d); outcomeOf(err) != "failure" {
			t.Error(err)
		}
	}
	if _, err := c.ValidateChannels(t.Context(), api.LinkDraft{}.Amount); outcomeOf(err) != "failure" {
		t.Error(err)
	}
	if place.count() != 0 {
		t.Errorf("%d requests arrived", place.count())
	}
}

func TestTheListAndThePaymentsEachUseTheirOwnOrigin(t *testing.T) {
	var base, list post
	b, l := newServer(t, &base), newServer(t, &list)
	c := client(t, api.Config{BaseURL: b.URL, ListURL: l.URL + "/x/", KeyHeader: "X-API-Key", Retries: -1,
		AuthenticatePath: "/auth/{reference}", StatusPath: "/status?r={reference}&x=1"})
	for _, operation := range append(writes, "validate", "authenticate") {
		try(t.Context(), c, operation)
	}
	if base.seen().uri != "/auth/REF0001" {
		t.Errorf("authentication went to %s", base.seen().uri)
	}
	c.Transaction(t.Context(), "a:b.c-d_e")
	if base.seen().uri != "/status?r=a%3Ab.c-d_e&x=1" {
		t.Errorf("status went to %s", base.seen().uri)
	}
	if b.count() != 6 || l.count() != 0 {
		t.Errorf("%d and %d requests, want 6 and 0", b.count(), l.count())
	}
	c.Transactions(t.Context(), -5, 500)
	if list.seen().uri != "/x/v1/api/transactions?page=1&perPage=100" || l.count() != 1 || b.count() != 6 {
		t.Errorf("the list was requested as %s", list.seen().uri)
	}
	for _, is := range []sent{base.seen(), list.seen()} {
		if is.header.Get("X-API-Key") != string(secret) || is.header.Get("X-Api") != "" {
			t.Errorf("headers are %v", is.header)
		}
	}
}

// numberedPages are pages in which every text has the number of its page, some of them as few services write
// them.
func numberedPages(w http.ResponseWriter, r *http.Request) {
	var n int
	fmt.Sscan(r.URL.Query().Get("page"), &n)
	w.Header().Set("Content-Type", "application/json")
	if n%10 == 9 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"status":false,"message":"no page %d"}`, n)
		return
	}
	rows := make([]string, 0, 104)
	for i := range 96 + n%8 { // some pages are larger than they may be
		rows = append(rows, fmt.Sprintf(`{"id":"5f0c9c1e-8d0a-4c55-%04d-%012d","amount":%d,"currency":"GBP","status":"S%04d"}`, n, i, 1_000*n+i, n))
	}
	rows[1] = fmt.Sprintf(`{"id":"a \u0042 <%d>\ttab","amount":"%d.5","currency":"X%02d","status":null,"note":["%d"]}`, n, n, n%100, n)
	rows[2] = fmt.Sprintf(`{"amount":{"amount":%d}}`, n)
	rows[3] = fmt.Sprintf(`{"id":"card 4242 4242 4242 4242, page %d","amount":123456789012%d,"currency":"GBP","status":"SUCCESSFUL"}`, n, n)
	fmt.Fprintf(w, `{"status":true,"data":[%s],"meta":{"page":%d,"pageCount":200,"total":%d,"perPage":100}}`, strings.Join(rows, ","), n, 20_000+n)
}

// single is a page as it is read for a person, without what is not read for a scan.
func single(t testing.TB, c *api.Client, page int) api.Page {
	t.Helper()
	p, err := c.Transactions(t.Context(), page, 100)
	noError(t, err)
	p.Notices = nil
	for i := range p.Rows {
		p.Rows[i].Object = api.Text{}
	}
	return p
}

func TestPagesReadAtOnceAreKeptApart(t *testing.T) {
	c, _ := newClient(t, http.HandlerFunc(numberedPages))
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			var kept []api.Transaction // by value, as a scan keeps rows
			var pages []int
			for page := reader; page < 24; page += 4 {
				p, err := c.Transactions(api.ForScan(t.Context(), true), max(page, 1), 100)
				if page%10 == 9 {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				kept, pages = append(kept, p.Rows...), append(pages, max(page, 1))
			}
			for _, page := range pages {
				want := single(t, c, page).Rows
				if !reflect.DeepEqual(kept[:len(want)], want) {
					t.Errorf("page %d became\n%v\nwant\n%v", page, kept[:len(want)], want)
				}
				kept = kept[len(want):]
			}
		})
	}
	all.Wait()
}

// For a card both references are the same (2.6), unless one of them is our own.
func TestAnAnswerThatNamesTwoPaymentsIsUnresolved(t *testing.T) {
	for names, resolved := range map[string]bool{
		`"reference":"REF1","paymentReference":"REF1"`:   true,
		`"reference":"ref1","paymentReference":"REF1"`:   true,
		`"reference":"ORDER9","paymentReference":"REF1"`: true, // our own
		`"reference":"REF2","paymentReference":"REF1"`:   false,
	} {
		body := `{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentItem":{` + names + `}}}`
		c, _ := scripted(t, 0, reply{code: 200, body: strings.NewReader(body)})
		in := transferInitiation()
		in.OwnReference = "ORDER9"
		_, err := c.Initiate(t.Context(), in)
		if (err == nil) != resolved || err != nil && api.OutcomeOf(err) != api.OutcomeUnresolved {
			t.Errorf("%s: %v", names, err)
		}
	}
}
