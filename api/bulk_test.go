package api_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"paydesk/api"
)

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
			room := make([]api.Transaction, 100)
			var kept []api.Transaction // by value, as a scan keeps rows
			var pages []int
			for page := reader; page < 24; page += 4 {
				p, err := c.Transactions(api.ForScan(t.Context(), room), max(page, 1), 100)
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
