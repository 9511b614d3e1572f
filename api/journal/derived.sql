-- What follows from the attempts, to be searched and counted quickly. Triggers keep it: a console of
-- an older version that still has the file open writes the attempts, and these tables with them.

-- The text of each attempt that Filter.Text is searched in: words up to the form feed.
-- Only whole trigrams are indexed; where in the text they are is not, which takes a third of the space.
CREATE VIRTUAL TABLE IF NOT EXISTS attempts_text USING fts5 (
	words, tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
);

-- The text of each created link that LinkFilter.Text is searched in: words after the form feed.
CREATE VIRTUAL TABLE IF NOT EXISTS links_text USING fts5 (
	words, tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
);

-- What is deleted must be gone from the file (secure_delete); FTS5 would only mark it.
INSERT INTO attempts_text (attempts_text, rank) VALUES ('secure-delete', 1);
INSERT INTO links_text (links_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER IF NOT EXISTS attempts_text_insert AFTER INSERT ON attempts BEGIN
	INSERT INTO attempts_text (rowid, words) VALUES (new.n, substr(new.words, 1, instr(new.words || char(12), char(12)) - 1));
END;
CREATE TRIGGER IF NOT EXISTS attempts_text_update AFTER UPDATE OF words ON attempts WHEN new.words <> old.words BEGIN
	INSERT OR REPLACE INTO attempts_text (rowid, words) VALUES (new.n, substr(new.words, 1, instr(new.words || char(12), char(12)) - 1));
END;
CREATE TRIGGER IF NOT EXISTS attempts_text_delete AFTER DELETE ON attempts BEGIN
	DELETE FROM attempts_text WHERE rowid = old.n;
END;

CREATE TRIGGER IF NOT EXISTS links_text_insert AFTER INSERT ON attempts WHEN new.made = 1 BEGIN
	INSERT INTO links_text (rowid, words) VALUES (new.n, substr(new.words, instr(new.words, char(12)) + 1));
END;
CREATE TRIGGER IF NOT EXISTS links_text_update AFTER UPDATE OF words, made ON attempts
WHEN new.made = 1 AND (old.made = 0 OR new.words <> old.words) BEGIN
	INSERT OR REPLACE INTO links_text (rowid, words) VALUES (new.n, substr(new.words, instr(new.words, char(12)) + 1));
END;
CREATE TRIGGER IF NOT EXISTS links_text_undo AFTER UPDATE OF made ON attempts WHEN old.made = 1 AND new.made = 0 BEGIN
	DELETE FROM links_text WHERE rowid = old.n;
END;
CREATE TRIGGER IF NOT EXISTS links_text_delete AFTER DELETE ON attempts WHEN old.made = 1 BEGIN
	DELETE FROM links_text WHERE rowid = old.n;
END;

-- The payments made through each link, counted. Their sum is billions * 1000000000 + minor: SQLite
-- continues in floating point where an integer overflows.
CREATE TABLE IF NOT EXISTS link_usage (
	environment TEXT NOT NULL,
	link TEXT NOT NULL,
	service TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	currency TEXT NOT NULL,
	paid INTEGER NOT NULL,
	differs INTEGER NOT NULL,
	payments INTEGER NOT NULL,
	billions INTEGER NOT NULL,
	minor INTEGER NOT NULL,
	PRIMARY KEY (environment, link, service, fingerprint, currency, paid, differs)
) WITHOUT ROWID;

-- The payments through links, as link_usage counts them.
CREATE VIEW IF NOT EXISTS link_payments AS
	SELECT n, environment, link, service, fingerprint, currency, status = 'SUCCESSFUL' AND mismatch = 0 AS paid,
		mismatch <> 0 AS differs, minor / 1000000000 AS billions, minor % 1000000000 AS minor
	FROM attempts WHERE kind = 'initiate' AND reference <> '' AND link <> '';

CREATE TRIGGER IF NOT EXISTS link_usage_insert AFTER INSERT ON attempts WHEN new.link <> '' BEGIN
	INSERT INTO link_usage SELECT environment, link, service, fingerprint, currency, paid, differs, 1, billions, minor
		FROM link_payments WHERE n = new.n
	ON CONFLICT DO UPDATE SET
		payments = payments + 1, billions = billions + excluded.billions, minor = minor + excluded.minor;
END;
CREATE TRIGGER IF NOT EXISTS link_usage_before_update
BEFORE UPDATE OF kind, reference, link, environment, service, fingerprint, currency, status, mismatch, minor ON attempts
WHEN old.link <> '' AND
	(new.kind, new.reference, new.link, new.environment, new.service, new.fingerprint, new.currency, new.status, new.mismatch, new.minor) <>
	(old.kind, old.reference, old.link, old.environment, old.service, old.fingerprint, old.currency, old.status, old.mismatch, old.minor)
BEGIN
	UPDATE link_usage SET payments = payments - 1, billions = link_usage.billions - p.billions, minor = link_usage.minor - p.minor
		FROM link_payments AS p WHERE p.n = old.n AND
		(link_usage.environment, link_usage.link, link_usage.service, link_usage.fingerprint, link_usage.currency, link_usage.paid, link_usage.differs) =
		(p.environment, p.link, p.service, p.fingerprint, p.currency, p.paid, p.differs);
	DELETE FROM link_usage WHERE environment = old.environment AND link = old.link AND payments = 0;
END;
CREATE TRIGGER IF NOT EXISTS link_usage_update
AFTER UPDATE OF kind, reference, link, environment, service, fingerprint, currency, status, mismatch, minor ON attempts
WHEN new.link <> '' AND
	(new.kind, new.reference, new.link, new.environment, new.service, new.fingerprint, new.currency, new.status, new.mismatch, new.minor) <>
	(old.kind, old.reference, old.link, old.environment, old.service, old.fingerprint, old.currency, old.status, old.mismatch, old.minor)
BEGIN
	INSERT INTO link_usage SELECT environment, link, service, fingerprint, currency, paid, differs, 1, billions, minor
		FROM link_payments WHERE n = new.n
	ON CONFLICT DO UPDATE SET
		payments = payments + 1, billions = billions + excluded.billions, minor = minor + excluded.minor;
END;
CREATE TRIGGER IF NOT EXISTS link_usage_delete BEFORE DELETE ON attempts WHEN old.link <> '' BEGIN
	UPDATE link_usage SET payments = payments - 1, billions = link_usage.billions - p.billions, minor = link_usage.minor - p.minor
		FROM link_payments AS p WHERE p.n = old.n AND
		(link_usage.environment, link_usage.link, link_usage.service, link_usage.fingerprint, link_usage.currency, link_usage.paid, link_usage.differs) =
		(p.environment, p.link, p.service, p.fingerprint, p.currency, p.paid, p.differs);
	DELETE FROM link_usage WHERE environment = old.environment AND link = old.link AND payments = 0;
END;
