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

-- One row per attempt, and per payment that was looked up or is pinned: what its facts amount to, to be searched by.
CREATE TABLE entries (
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
	answered INTEGER NOT NULL, -- 0 before the first answer
	pinned INTEGER NOT NULL, -- 0 while it is not
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

CREATE VIEW attempts AS SELECT * FROM entries WHERE kind <> 'payment';
CREATE VIEW payments AS SELECT * FROM entries WHERE kind = 'payment';

-- All of each entry, whose checksum is of both.
CREATE TABLE bodies (
	n INTEGER PRIMARY KEY REFERENCES entries (n) ON DELETE CASCADE,
	body TEXT NOT NULL -- JSON
);
