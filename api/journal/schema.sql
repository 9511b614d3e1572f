CREATE TABLE about (
	name TEXT NOT NULL PRIMARY KEY, -- 'key check' and 'opened'
	value BLOB NOT NULL,
	checksum BLOB NOT NULL
);

-- What happened, in its order: rows are only ever added. A purge leaves number, digest and head.
CREATE TABLE facts (
	number INTEGER PRIMARY KEY,
	entry TEXT NOT NULL, -- the id of an attempt or a payment
	at INTEGER NOT NULL,
	kind TEXT NOT NULL,
	body TEXT NOT NULL, -- JSON
	login TEXT NOT NULL, -- at a server of whoever states it; '' in a file
	alike TEXT NOT NULL, -- keyed hashes of what others have in common with its entry: see Entry.Alike
	about TEXT NOT NULL, -- and Entry.Name
	open TEXT NOT NULL, -- of an attempt that is sent: those like it that may be duplicates of the next
	digest BLOB NOT NULL, -- of all columns before but number
	head BLOB NOT NULL, -- of number, digest, and the head before
	until INTEGER NOT NULL, -- an answer that was given again extends its row, outside the chain
	times INTEGER NOT NULL,
	checksum BLOB NOT NULL -- of number, alike, open, until and times
);

CREATE INDEX facts_entry ON facts (entry, number) WHERE entry <> '';
CREATE INDEX facts_alike ON facts (alike, number) WHERE alike <> '';
CREATE INDEX facts_lately ON facts (alike, at) WHERE alike <> '';
CREATE INDEX facts_sent ON facts (alike, login, number) WHERE alike <> '' AND kind = 'sending';
CREATE INDEX facts_about ON facts (about) WHERE about <> '';

-- One row per attempt: what its facts amount to.
CREATE TABLE attempts (
	n INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	at INTEGER NOT NULL,
	operator TEXT NOT NULL,
	environment TEXT NOT NULL,
	service TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	currency TEXT NOT NULL,
	minor INTEGER NOT NULL,
	asked INTEGER NOT NULL, -- whether the amount is known
	channel TEXT NOT NULL,
	card TEXT NOT NULL,
	link TEXT NOT NULL,
	reference TEXT NOT NULL,
	email TEXT NOT NULL, -- keyed hashes
	phone TEXT NOT NULL,
	payer_card TEXT NOT NULL,
	outcome TEXT NOT NULL,
	verdict TEXT NOT NULL,
	status TEXT NOT NULL,
	status_text TEXT NOT NULL, -- in lower case
	final INTEGER NOT NULL,
	mismatch INTEGER NOT NULL, -- what differs: 1 amount, 2 currency, 4 reference, 8 status
	mismatch_verdict TEXT NOT NULL,
	made INTEGER NOT NULL, -- a link
	made_name TEXT NOT NULL,
	made_differs INTEGER NOT NULL,
	due_currency TEXT NOT NULL, -- what the link charges
	due_minor INTEGER NOT NULL,
	due INTEGER NOT NULL,
	names TEXT NOT NULL, -- in lower case, a line each
	link_words TEXT NOT NULL,
	words TEXT NOT NULL,
	checksum BLOB NOT NULL
);

CREATE INDEX attempts_newest ON attempts (at, n);
CREATE INDEX attempts_under_way ON attempts (environment, at) WHERE kind = 'initiate' AND reference <> '' AND final = 0;
CREATE INDEX attempts_reference ON attempts (reference, environment, service, fingerprint) WHERE reference <> '';
CREATE INDEX attempts_spelled ON attempts (lower(reference)) WHERE reference <> '';
CREATE INDEX attempts_alias ON attempts (lower(link)) WHERE link <> '';
CREATE INDEX attempts_card_like ON attempts (environment) WHERE reference <> '' AND length(reference) >= 13;
CREATE INDEX attempts_link ON attempts (environment, link, at, service, fingerprint, currency, status, mismatch, minor)
	WHERE kind = 'initiate' AND reference <> '' AND link <> '';
CREATE INDEX attempts_made ON attempts (at, n) WHERE made = 1;
CREATE INDEX attempts_unread ON attempts (environment, at) WHERE made = 1 AND made_differs = 1;
CREATE INDEX attempts_outcome ON attempts (outcome, verdict, at);
CREATE INDEX attempts_verdict ON attempts (verdict, at) WHERE verdict <> '';
CREATE INDEX attempts_status ON attempts (status, at, n) WHERE status <> '';
CREATE INDEX attempts_currency ON attempts (currency, at) WHERE currency <> '';
CREATE INDEX attempts_operator ON attempts (operator, at) WHERE operator <> '';
CREATE INDEX attempts_mismatch ON attempts (at) WHERE mismatch <> 0;
CREATE INDEX attempts_email ON attempts (email, at) WHERE email <> '';
CREATE INDEX attempts_phone ON attempts (phone, at) WHERE phone <> '';

-- All of each attempt; the columns of attempts are a part of it, to be searched by, and its checksum is of both.
CREATE TABLE bodies (
	n INTEGER PRIMARY KEY REFERENCES attempts (n) ON DELETE CASCADE,
	body TEXT NOT NULL -- JSON
);

-- One row per payment that was looked up or is pinned: what its facts amount to. It is an index of facts, as attempts are.
CREATE TABLE payments (
	n INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	environment TEXT NOT NULL,
	service TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	reference TEXT NOT NULL,
	minor INTEGER NOT NULL,
	currency TEXT NOT NULL,
	answered INTEGER NOT NULL, -- 0 before the first answer
	pinned INTEGER NOT NULL, -- 0 while it is not
	mismatch INTEGER NOT NULL,
	body TEXT NOT NULL, -- all of it, in JSON
	checksum BLOB NOT NULL
);

CREATE INDEX payments_reference ON payments (reference, environment, service, fingerprint);
CREATE INDEX payments_answered ON payments (answered);
CREATE INDEX payments_pinned ON payments (environment, pinned) WHERE pinned <> 0;
CREATE INDEX payments_mismatch ON payments (environment) WHERE mismatch <> 0;
