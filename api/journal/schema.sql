CREATE TABLE facts (
	name  TEXT NOT NULL PRIMARY KEY, -- 'key' and 'opened'
	value BLOB NOT NULL,
	sum   BLOB NOT NULL
);

-- One row per attempt: its current state, which follows from its events.
CREATE TABLE attempts (
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
	words TEXT NOT NULL,
	sum BLOB NOT NULL
);

CREATE INDEX attempts_newest ON attempts (at, words);
CREATE INDEX attempts_sent ON attempts (at) WHERE outcome = 'sent';
CREATE INDEX attempts_unknown ON attempts (profile, environment, service, at) WHERE outcome = 'unresolved' AND verdict = '';
CREATE INDEX attempts_under_way ON attempts (profile, environment, service, at) WHERE kind = 'initiate' AND reference <> '' AND final = 0;
CREATE INDEX attempts_alike ON attempts (profile, environment, service, currency, minor, at) WHERE kind = 'initiate';
CREATE INDEX attempts_reference ON attempts (reference, profile, environment, service) WHERE reference <> '';
CREATE INDEX attempts_link ON attempts (profile, environment, service, link, currency, status, minor, at, kind, reference)
	WHERE kind = 'initiate' AND reference <> '' AND link <> '';
CREATE INDEX attempts_made ON attempts (profile, environment, service, at) WHERE made = 1;
CREATE INDEX attempts_outcome ON attempts (outcome, at);
CREATE INDEX attempts_verdict ON attempts (verdict, at) WHERE verdict <> '';
CREATE INDEX attempts_status ON attempts (status, at) WHERE status <> '';
CREATE INDEX attempts_currency ON attempts (currency, at) WHERE currency <> '';
CREATE INDEX attempts_user ON attempts (user, at) WHERE user <> '';
CREATE INDEX attempts_profile ON attempts (profile, at) WHERE profile <> '';

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
	sum BLOB NOT NULL
);

CREATE INDEX events_attempt ON events (attempt, n);
