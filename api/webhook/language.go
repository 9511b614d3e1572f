package webhook

import "paydesk/api/query"

// Language is what can be searched in the inbox.
var Language = &query.Language{}
