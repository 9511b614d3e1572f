-- What each attempt is searched by, apart from the rest of it: a search of a text reads all of it. The journal keeps it
-- with the attempts.

-- The text of each attempt that Filter.Text is searched in: words up to the form feed.
CREATE TABLE attempts_text (
	n INTEGER PRIMARY KEY REFERENCES attempts (n) ON DELETE CASCADE,
	words TEXT NOT NULL
);

-- The text of each created link that LinkFilter.Text is searched in: words after the form feed.
CREATE TABLE links_text (
	n INTEGER PRIMARY KEY REFERENCES attempts (n) ON DELETE CASCADE,
	words TEXT NOT NULL
);
