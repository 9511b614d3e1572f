-- A memory is what is kept of one service.
CREATE TABLE memories (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	environment TEXT NOT NULL,
	service TEXT NOT NULL, -- its address, when it was last read
	fingerprint TEXT NOT NULL -- of the key, when it was last read; '' where it was not known
);

-- The list as it was last read, in the order of the IDs: some hundred rows together, a line each (row.go). They are
-- compared one after the other and never searched.
CREATE TABLE list (
	memory INTEGER NOT NULL REFERENCES memories,
	first TEXT NOT NULL, -- the ID of the first of them
	rows TEXT NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (memory, first)
) STRICT;

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

-- What each scan found changed: without a status before, the row is new; without one after, it is gone. What else is
-- in a line is its value.
CREATE TABLE changes (
	memory INTEGER NOT NULL REFERENCES memories,
	scan INTEGER NOT NULL REFERENCES scans,
	id TEXT NOT NULL,
	was_status TEXT,
	was_value TEXT,
	status TEXT,
	value TEXT,
	PRIMARY KEY (memory, scan, id)
) STRICT, WITHOUT ROWID;
