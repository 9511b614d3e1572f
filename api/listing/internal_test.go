package listing

import "paydesk/api"

// InPages are rows as a scan adds them.
func InPages(all []api.Row, per int) *Rows {
	r := newRows()
	for len(all) > 0 {
		page := all[:min(per, len(all))]
		all = all[len(page):]
		if _, err := r.add(page, false); err != nil {
			panic(err)
		}
	}
	return r
}

// InFile is how many rows of what may be in a file have a text.
func InFile(r *Rows, text string) (n int, err error) {
	err = r.db.QueryRow("SELECT count(*) FROM main.list WHERE id LIKE '%'||?1||'%' OR raw LIKE '%'||?1||'%'", text).Scan(&n)
	return n, err
}
