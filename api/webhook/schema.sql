-- An event is one body, however often it was delivered. Times are in milliseconds since 1970, 0 for none.
CREATE TABLE events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	profile TEXT NOT NULL,
	digest BLOB NOT NULL, -- SHA-256 of the body; of one that is masked here, of what arrived and a salt that is not stored
	body BLOB NOT NULL,
	header TEXT NOT NULL, -- of the first delivery, in JSON
	masked INTEGER NOT NULL,
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	delivery INTEGER NOT NULL, -- the number of the last
	deliveries INTEGER NOT NULL,
	forwards INTEGER NOT NULL DEFAULT 0,
	verdict TEXT NOT NULL,
	judged INTEGER NOT NULL DEFAULT 0, -- the number of the last change of the verdict after the event arrived
	-- What the body says, for the search.
	name TEXT NOT NULL,
	reference TEXT NOT NULL, -- '' where it was not understood
	status TEXT NOT NULL, -- the claim, as a word of api.State
	minor INTEGER, -- the amount in minor units
	currency TEXT NOT NULL,
	early INTEGER NOT NULL DEFAULT 0 -- it claimed a success before the service reported one
) STRICT;

CREATE UNIQUE INDEX events_body ON events (profile, digest);
CREATE UNIQUE INDEX events_newest ON events (profile, delivery);
CREATE INDEX events_reference ON events (profile, reference);
CREATE INDEX events_verdict ON events (profile, verdict);
CREATE INDEX events_judged ON events (profile, judged);

-- The newest deliveries of each event.
CREATE TABLE deliveries (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	event INTEGER NOT NULL,
	profile TEXT NOT NULL,
	at INTEGER NOT NULL,
	header TEXT -- where it is another than that of the event
) STRICT;

CREATE INDEX deliveries_event ON deliveries (event, n);
CREATE INDEX deliveries_profile ON deliveries (profile, n);

-- The payments that events are about, and what the service answered.
CREATE TABLE payments (
	profile TEXT NOT NULL,
	reference TEXT NOT NULL,
	arrived INTEGER NOT NULL, -- when the last event did
	due INTEGER NOT NULL, -- when the service is to be asked; 0 for not
	known INTEGER, -- 1 where the journal or a pin has it; NULL until that was looked up
	tries INTEGER NOT NULL DEFAULT 0, -- requests since the last event
	asked INTEGER NOT NULL DEFAULT 0, -- when the last request began
	answered INTEGER NOT NULL DEFAULT 0,
	status TEXT NOT NULL DEFAULT '', -- as received
	minor INTEGER,
	currency TEXT NOT NULL DEFAULT '',
	missing INTEGER NOT NULL DEFAULT 0, -- the service does not know it
	problem TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (profile, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX payments_due ON payments (profile, known, due) WHERE due > 0;

-- The newest sendings of each event to a target.
CREATE TABLE forwards (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	event INTEGER NOT NULL,
	at INTEGER NOT NULL,
	target TEXT NOT NULL,
	replay INTEGER NOT NULL,
	status INTEGER NOT NULL,
	took INTEGER NOT NULL, -- in nanoseconds
	problem TEXT NOT NULL
) STRICT;

CREATE INDEX forwards_event ON forwards (event, n);

-- What is counted for a profile.
CREATE TABLE profiles (
	profile TEXT PRIMARY KEY,
	dropped INTEGER NOT NULL DEFAULT 0, -- deliveries
	judged INTEGER NOT NULL DEFAULT 0, -- the number of the last change of verdicts
	asking INTEGER NOT NULL DEFAULT 0 -- when the next payment that is not known may be asked about
) STRICT, WITHOUT ROWID;
