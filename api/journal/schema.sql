CREATE TABLE facts (
	name TEXT NOT NULL PRIMARY KEY, -- 'key check' and 'opened'
	value BLOB NOT NULL,
	checksum BLOB NOT NULL
);

-- One row per attempt: its current state.
CREATE TABLE attempts (
	n INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	at INTEGER NOT NULL,
	user TEXT NOT NULL,
	machine TEXT NOT NULL,
	pid INTEGER NOT NULL,
	started INTEGER NOT NULL,
	environment TEXT NOT NULL,
	service TEXT NOT NULL,
	minor INTEGER NOT NULL,
	currency TEXT NOT NULL,
	channel TEXT NOT NULL,
	link TEXT NOT NULL,
	card TEXT NOT NULL,
	own_reference TEXT NOT NULL,
	reference TEXT NOT NULL,
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	outcome TEXT NOT NULL,
	answered INTEGER NOT NULL,
	verdict TEXT NOT NULL,
	status TEXT NOT NULL,
	status_text TEXT NOT NULL,
	seen_at INTEGER NOT NULL,
	final INTEGER NOT NULL,
	made INTEGER NOT NULL,
	made_name TEXT NOT NULL,
	made_minor INTEGER NOT NULL,
	made_currency TEXT NOT NULL,
	made_has_amount INTEGER NOT NULL,
	made_amount_type INTEGER NOT NULL,
	made_differs TEXT NOT NULL, -- part, asked and answered, a line each
	draft_name TEXT NOT NULL,
	draft_amount_type INTEGER NOT NULL,
	fingerprint TEXT NOT NULL,
	payer_card TEXT NOT NULL,
	named TEXT NOT NULL,
	fees_minor INTEGER NOT NULL,
	total_minor INTEGER NOT NULL,
	mismatch INTEGER NOT NULL, -- what differs: 1 amount, 2 currency, 4 reference, 8 status
	mismatch_minor INTEGER NOT NULL,
	mismatch_currency TEXT NOT NULL,
	mismatch_verdict TEXT NOT NULL,
	words TEXT NOT NULL,
	body TEXT NOT NULL, -- all of it, in JSON; the other columns are a part of it, to be searched by
	checksum BLOB NOT NULL
);

CREATE INDEX attempts_newest ON attempts (at);
CREATE INDEX attempts_sent ON attempts (at) WHERE outcome = 'sent';
CREATE INDEX attempts_unknown ON attempts (environment, at) WHERE outcome = 'unresolved' AND verdict = '';
CREATE INDEX attempts_under_way ON attempts (environment, at) WHERE kind = 'initiate' AND reference <> '' AND final = 0;
CREATE INDEX attempts_alike ON attempts (environment, kind, currency, minor, at);
CREATE INDEX attempts_reference ON attempts (reference, environment, service, fingerprint) WHERE reference <> '';
CREATE INDEX attempts_spelled ON attempts (environment, reference COLLATE NOCASE) WHERE reference <> '';
CREATE INDEX attempts_link ON attempts (environment, link, at, service, fingerprint, currency, status, mismatch, minor)
	WHERE kind = 'initiate' AND reference <> '' AND link <> '';
CREATE INDEX attempts_made ON attempts (environment, link COLLATE NOCASE) WHERE made = 1;
CREATE INDEX attempts_unread ON attempts (environment, at) WHERE made = 1 AND made_differs <> '';
CREATE INDEX attempts_outcome ON attempts (outcome, at);
CREATE INDEX attempts_verdict ON attempts (verdict, at) WHERE verdict <> '';
CREATE INDEX attempts_status ON attempts (status, at) WHERE status <> '';
CREATE INDEX attempts_currency ON attempts (currency, at) WHERE currency <> '';
CREATE INDEX attempts_user ON attempts (user, at) WHERE user <> '';
CREATE INDEX attempts_service ON attempts (environment, at, service, fingerprint);
CREATE INDEX attempts_mismatch ON attempts (at) WHERE mismatch <> 0;

-- Rows are only ever added; a status that is returned again extends its row.
CREATE TABLE events (
	n INTEGER PRIMARY KEY,
	attempt INTEGER NOT NULL REFERENCES attempts (n) ON DELETE CASCADE,
	at INTEGER NOT NULL,
	until INTEGER NOT NULL,
	times INTEGER NOT NULL,
	what TEXT NOT NULL,
	detail TEXT NOT NULL,
	user TEXT NOT NULL,
	host TEXT NOT NULL,
	ssh TEXT NOT NULL,
	source TEXT NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX events_attempt ON events (attempt, n);

-- One row per payment that was looked up and that no attempt made.
CREATE TABLE lookups (
	n INTEGER PRIMARY KEY,
	at INTEGER NOT NULL,
	answered INTEGER NOT NULL,
	user TEXT NOT NULL,
	host TEXT NOT NULL,
	ssh TEXT NOT NULL,
	profile TEXT NOT NULL,
	environment TEXT NOT NULL,
	service TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	reference TEXT NOT NULL,
	minor INTEGER NOT NULL,
	currency TEXT NOT NULL,
	status TEXT NOT NULL,
	status_text TEXT NOT NULL,
	seen_at INTEGER NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX lookups_reference ON lookups (reference, environment, service, fingerprint);
CREATE INDEX lookups_newest ON lookups (answered);

CREATE TABLE lookup_events (
	n INTEGER PRIMARY KEY,
	lookup INTEGER NOT NULL REFERENCES lookups (n) ON DELETE CASCADE,
	at INTEGER NOT NULL,
	until INTEGER NOT NULL,
	times INTEGER NOT NULL,
	what TEXT NOT NULL,
	detail TEXT NOT NULL,
	user TEXT NOT NULL,
	host TEXT NOT NULL,
	ssh TEXT NOT NULL,
	source TEXT NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX lookup_events_lookup ON lookup_events (lookup, n);

-- One row per payment that somebody keeps an eye on.
CREATE TABLE pins (
	n INTEGER PRIMARY KEY,
	at INTEGER NOT NULL,
	user TEXT NOT NULL,
	host TEXT NOT NULL,
	ssh TEXT NOT NULL,
	profile TEXT NOT NULL,
	environment TEXT NOT NULL,
	service TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	reference TEXT NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX pins_service ON pins (environment, service, fingerprint);
