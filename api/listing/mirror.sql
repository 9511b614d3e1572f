-- A memory is what is kept of one service.
CREATE TABLE memories (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	environment TEXT NOT NULL,
	service TEXT NOT NULL, -- its address, when it was last read
	fingerprint TEXT NOT NULL -- of the key, when it was last read; '' where it was not known
);

-- The scans, of which the first of a memory is what the changes begin from.
CREATE TABLE scans (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	memory INTEGER NOT NULL REFERENCES memories,
	began INTEGER NOT NULL, -- in milliseconds, as all times
	ended INTEGER NOT NULL,
	rows INTEGER NOT NULL,
	trusted INTEGER NOT NULL
) STRICT;

CREATE INDEX scans_memory ON scans (memory, n);

-- The rows, each as it was from the scan that found it so until another found it otherwise, or gone; until is 0 for those that
-- the last scan left so. What one scan ended lies together, and so does each of 256 parts, which are compared one after the other.
CREATE TABLE list (
	memory INTEGER NOT NULL REFERENCES memories,
	until INTEGER NOT NULL,
	part INTEGER NOT NULL, -- by a hash of the ID
	id TEXT NOT NULL,
	since INTEGER NOT NULL,
	status TEXT NOT NULL,
	currency TEXT NOT NULL,
	minor INTEGER, -- NULL where the amount is not known
	raw TEXT, -- its text, then
	PRIMARY KEY (memory, until, part, id)
) STRICT, WITHOUT ROWID;
