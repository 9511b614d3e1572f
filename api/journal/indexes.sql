-- Of the tables in a file and at a server: what is asked for is the same.
CREATE INDEX IF NOT EXISTS facts_entry ON facts (entry, number) WHERE entry <> '';
CREATE INDEX IF NOT EXISTS facts_alike ON facts (alike, number) WHERE alike <> '';
CREATE INDEX IF NOT EXISTS facts_lately ON facts (alike, at) WHERE alike <> '';
CREATE INDEX IF NOT EXISTS facts_sent ON facts (alike, login, number) WHERE alike <> '' AND kind = 'sending';
CREATE INDEX IF NOT EXISTS facts_about ON facts (about) WHERE about <> '';

CREATE INDEX IF NOT EXISTS entries_newest ON entries (at, n) WHERE kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_under_way ON entries (environment, at) WHERE kind = 'initiate' AND reference <> '' AND final = 0;
CREATE INDEX IF NOT EXISTS entries_reference ON entries (reference, environment, service, fingerprint) WHERE reference <> '';
CREATE INDEX IF NOT EXISTS entries_spelled ON entries (lower(reference)) WHERE reference <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_alias ON entries (lower(link)) WHERE link <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_card_like ON entries (environment) WHERE reference <> '' AND length(reference) >= 13 AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_link ON entries (environment, link, at, service, fingerprint, currency, status, mismatch, minor)
	WHERE kind = 'initiate' AND reference <> '' AND link <> '';
CREATE INDEX IF NOT EXISTS entries_made ON entries (at, n) WHERE made = 1;
CREATE INDEX IF NOT EXISTS entries_unread ON entries (environment, at) WHERE made = 1 AND made_differs = 1;
CREATE INDEX IF NOT EXISTS entries_outcome ON entries (outcome, verdict, at) WHERE kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_verdict ON entries (verdict, at) WHERE verdict <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_status ON entries (status, at, n) WHERE status <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_currency ON entries (currency, at) WHERE currency <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_operator ON entries (operator, at) WHERE operator <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_mismatch ON entries (at) WHERE mismatch <> 0 AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_email ON entries (email, at) WHERE email <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_phone ON entries (phone, at) WHERE phone <> '' AND kind <> 'payment';
CREATE INDEX IF NOT EXISTS entries_answered ON entries (answered) WHERE kind = 'payment';
CREATE INDEX IF NOT EXISTS entries_pinned ON entries (environment, pinned) WHERE kind = 'payment' AND pinned <> 0;
CREATE INDEX IF NOT EXISTS entries_differing ON entries (environment) WHERE kind = 'payment' AND mismatch <> 0;
