-- A memory is what is kept of one service.
CREATE TABLE memories (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	environment TEXT NOT NULL,
	service TEXT NOT NULL, -- its address, when it was last read
	fingerprint TEXT NOT NULL -- of the key, when it was last read; '' where it was not known
);

-- Currencies and statuses.
CREATE TABLE words (
	n INTEGER PRIMARY KEY,
	word TEXT NOT NULL UNIQUE
);

-- The list as it was last read. An id is the 16 bytes of a UUID in lower case, else text. Of an amount that
-- is not known only the text is there.
CREATE TABLE list (
	memory INTEGER NOT NULL REFERENCES memories,
	id ANY NOT NULL,
	minor INTEGER,
	raw TEXT,
	currency INTEGER NOT NULL REFERENCES words,
	status INTEGER NOT NULL REFERENCES words,
	PRIMARY KEY (memory, id)
) STRICT, WITHOUT ROWID;

-- The scans, of which the first of a memory is what the changes begin from.
CREATE TABLE scans (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	memory INTEGER NOT NULL REFERENCES memories,
	began INTEGER NOT NULL, -- in milliseconds, as all times
	ended INTEGER NOT NULL,
	rows INTEGER NOT NULL,
	trusted INTEGER NOT NULL,
	added INTEGER NOT NULL,
	moved INTEGER NOT NULL,
	gone INTEGER NOT NULL
) STRICT;

CREATE INDEX scans_memory ON scans (memory, n);

-- What each scan found changed: without a status before, the row is new; without one after, it is gone.
CREATE TABLE changes (
	memory INTEGER NOT NULL REFERENCES memories,
	scan INTEGER NOT NULL REFERENCES scans,
	id ANY NOT NULL,
	was_minor INTEGER,
	was_raw TEXT,
	was_currency INTEGER,
	was_status INTEGER,
	minor INTEGER,
	raw TEXT,
	currency INTEGER,
	status INTEGER,
	PRIMARY KEY (memory, scan, id)
) STRICT, WITHOUT ROWID;
