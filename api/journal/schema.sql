CREATE TABLE IF NOT EXISTS facts (
	name TEXT NOT NULL PRIMARY KEY, -- 'key check' and 'opened'
	value BLOB NOT NULL,
	checksum BLOB NOT NULL
);

-- One row per attempt: its current state, which follows from its events.
CREATE TABLE IF NOT EXISTS attempts (
	n INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	at INTEGER NOT NULL,
	user TEXT NOT NULL,
	host TEXT NOT NULL,
	ssh TEXT NOT NULL,
	machine TEXT NOT NULL,
	pid INTEGER NOT NULL,
	started INTEGER NOT NULL,
	profile TEXT NOT NULL,
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
	why TEXT NOT NULL,
	verdict TEXT NOT NULL,
	decided_user TEXT NOT NULL,
	decided_host TEXT NOT NULL,
	decided_ssh TEXT NOT NULL,
	decided_at INTEGER NOT NULL,
	status TEXT NOT NULL,
	status_text TEXT NOT NULL,
	seen_at INTEGER NOT NULL,
	final INTEGER NOT NULL,
	bank TEXT NOT NULL,
	bank_asked INTEGER NOT NULL,
	customer_done INTEGER NOT NULL,
	finalized INTEGER NOT NULL,
	finalize_lost INTEGER NOT NULL,
	account INTEGER NOT NULL,
	account_note TEXT NOT NULL,
	account_bank TEXT NOT NULL,
	account_number TEXT NOT NULL,
	account_name TEXT NOT NULL,
	account_mode TEXT NOT NULL,
	account_expires TEXT NOT NULL,
	made INTEGER NOT NULL,
	made_id TEXT NOT NULL,
	made_name TEXT NOT NULL,
	made_description TEXT NOT NULL,
	made_page TEXT NOT NULL,
	made_page_text TEXT NOT NULL,
	made_minor INTEGER NOT NULL,
	made_currency TEXT NOT NULL,
	made_has_amount INTEGER NOT NULL,
	made_type TEXT NOT NULL,
	made_amount_type INTEGER NOT NULL,
	made_status TEXT NOT NULL,
	made_created TEXT NOT NULL,
	made_environment TEXT NOT NULL,
	made_differs TEXT NOT NULL, -- part, asked and answered, a line each
	made_lacks TEXT NOT NULL,
	draft_name TEXT NOT NULL,
	draft_description TEXT NOT NULL,
	draft_type INTEGER NOT NULL,
	draft_amount_type INTEGER NOT NULL,
	fingerprint TEXT NOT NULL,
	payer_card TEXT NOT NULL,
	named TEXT NOT NULL,
	fees_minor INTEGER NOT NULL,
	total_minor INTEGER NOT NULL,
	mismatch INTEGER NOT NULL, -- what differs: 1 amount, 2 currency, 4 reference, 8 status
	mismatch_at INTEGER NOT NULL,
	mismatch_agrees INTEGER NOT NULL,
	mismatch_minor INTEGER NOT NULL,
	mismatch_currency TEXT NOT NULL,
	mismatch_text TEXT NOT NULL,
	mismatch_reference TEXT NOT NULL,
	mismatch_status TEXT NOT NULL,
	mismatch_verdict TEXT NOT NULL,
	mismatch_user TEXT NOT NULL,
	mismatch_host TEXT NOT NULL,
	mismatch_ssh TEXT NOT NULL,
	mismatch_decided_at INTEGER NOT NULL,
	decided_before TEXT NOT NULL,
	words TEXT NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX IF NOT EXISTS attempts_newest ON attempts (at);
CREATE INDEX IF NOT EXISTS attempts_sent ON attempts (at) WHERE outcome = 'sent';
CREATE INDEX IF NOT EXISTS attempts_unknown ON attempts (environment, at) WHERE outcome = 'unresolved' AND verdict = '';
CREATE INDEX IF NOT EXISTS attempts_under_way ON attempts (environment, at) WHERE kind = 'initiate' AND reference <> '' AND final = 0;
CREATE INDEX IF NOT EXISTS attempts_alike ON attempts (environment, kind, currency, minor, at);
CREATE INDEX IF NOT EXISTS attempts_reference ON attempts (reference, environment, service, fingerprint) WHERE reference <> '';
CREATE INDEX IF NOT EXISTS attempts_spelled ON attempts (environment, reference COLLATE NOCASE) WHERE reference <> '';
CREATE INDEX IF NOT EXISTS attempts_link ON attempts (environment, link, at, service, fingerprint)
	WHERE kind = 'initiate' AND reference <> '' AND link <> '';
CREATE INDEX IF NOT EXISTS attempts_made ON attempts (environment, link COLLATE NOCASE) WHERE made = 1;
-- Links that a console of version 3 stored, whose words are not those that links are searched by.
CREATE INDEX IF NOT EXISTS attempts_unworded ON attempts (n) WHERE made = 1 AND instr(words, char(12)) = 0;
CREATE INDEX IF NOT EXISTS attempts_unread ON attempts (environment, at) WHERE made = 1 AND made_differs <> '';
CREATE INDEX IF NOT EXISTS attempts_outcome ON attempts (outcome, at);
CREATE INDEX IF NOT EXISTS attempts_verdict ON attempts (verdict, at) WHERE verdict <> '';
CREATE INDEX IF NOT EXISTS attempts_status ON attempts (status, at) WHERE status <> '';
CREATE INDEX IF NOT EXISTS attempts_currency ON attempts (currency, at) WHERE currency <> '';
CREATE INDEX IF NOT EXISTS attempts_user ON attempts (user, at) WHERE user <> '';
CREATE INDEX IF NOT EXISTS attempts_service ON attempts (environment, at, service, fingerprint);
CREATE INDEX IF NOT EXISTS attempts_mismatch ON attempts (at) WHERE mismatch <> 0;

-- Rows are only ever added; a status that is returned again extends its row.
CREATE TABLE IF NOT EXISTS events (
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

CREATE INDEX IF NOT EXISTS events_attempt ON events (attempt, n);

-- One row per payment that was looked up and that no attempt made.
CREATE TABLE IF NOT EXISTS lookups (
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

CREATE INDEX IF NOT EXISTS lookups_reference ON lookups (reference, environment, service, fingerprint);
CREATE INDEX IF NOT EXISTS lookups_newest ON lookups (answered);

CREATE TABLE IF NOT EXISTS lookup_events (
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

CREATE INDEX IF NOT EXISTS lookup_events_lookup ON lookup_events (lookup, n);

-- One row per payment that somebody keeps an eye on.
CREATE TABLE IF NOT EXISTS pins (
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

CREATE INDEX IF NOT EXISTS pins_service ON pins (environment, service, fingerprint);
