-- What a server has besides the tables, which are those of a file: see tables in schema.go.

-- Nobody states a fact under another name, in the future, or elsewhere than at the end of the chain, or begins what was begun.
CREATE OR REPLACE FUNCTION paydesk_stated() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	last RECORD;
BEGIN
	SELECT number, head INTO last FROM facts ORDER BY number DESC LIMIT 1;
	IF NEW.login <> session_user OR NEW.at > extract(epoch FROM clock_timestamp() + interval '1 minute') * 1000000000
		OR NEW.number <> coalesce(last.number, 0) + 1
		OR NEW.kind IN ('sending', 'noticed') AND EXISTS (SELECT FROM facts WHERE entry = NEW.entry AND entry <> '')
		OR NEW.head <> sha256(coalesce(last.head, '') || int8send(NEW.number) || NEW.digest) THEN
		RAISE EXCEPTION 'a fact is stated at the end of the chain, under the name of who states it';
	END IF;
	RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER stated BEFORE INSERT ON facts FOR EACH ROW EXECUTE FUNCTION paydesk_stated();

-- A text in lower case, of every script.
CREATE OR REPLACE FUNCTION paydesk_fold(TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN lower($1 COLLATE "und-x-icu");

-- Where a text is in another, as SQLite says it.
CREATE OR REPLACE FUNCTION instr(TEXT, TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN strpos($1, $2);

-- Other consoles read again when something has changed. Of what is stored nothing is said.
CREATE OR REPLACE FUNCTION paydesk_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('paydesk_' || TG_TABLE_SCHEMA, TG_TABLE_NAME);
	RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON entries FOR EACH STATEMENT EXECUTE FUNCTION paydesk_changed();
CREATE OR REPLACE TRIGGER changed AFTER INSERT OR UPDATE ON facts FOR EACH STATEMENT EXECUTE FUNCTION paydesk_changed();

-- Deletes what was sent, looked up and pinned before a time, at most so many attempts, and takes out of the facts about it
-- what they say: number, digest and head stay. Who only uses the journal deletes nothing younger than 90 days.
CREATE OR REPLACE FUNCTION paydesk_purge(before BIGINT, most INTEGER) RETURNS VOID LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	gone TEXT[];
BEGIN
	IF before > extract(epoch FROM clock_timestamp() - interval '90 days' + interval '1 minute') * 1000000000
		AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = to_regclass('facts')), 'MEMBER') THEN
		RAISE EXCEPTION 'only the owner deletes what is younger' USING ERRCODE = 'PD001';
	END IF;
	WITH deleted AS (DELETE FROM entries AS p WHERE kind = 'payment' AND answered < before AND pinned < before AND NOT (pinned <> 0 AND EXISTS (
		SELECT 1 FROM attempts AS a WHERE a.reference = p.reference AND a.reference <> '' AND a.environment = p.environment)) RETURNING id)
	SELECT array_agg(id) INTO gone FROM deleted;
	UPDATE facts SET entry = '', at = 0, body = '', login = '', about = '' WHERE entry = ANY (gone) AND entry <> '';
	-- The condition stands outside too: only that one is checked again on a row that another console changed meanwhile. That
	-- an attempt is old, and that it is known what became of it, is read in its facts: a row can be changed.
	WITH deleted AS (DELETE FROM entries WHERE n IN (SELECT n FROM attempts AS a WHERE at < before AND NOT (outcome = 'sent' OR
			outcome = 'unresolved' AND verdict = '' OR mismatch <> 0 AND mismatch_verdict = '') AND
			NOT (kind = 'finalize' AND EXISTS (SELECT FROM attempts AS p WHERE p.kind = 'initiate' AND p.reference = a.reference AND
				p.environment = a.environment AND (p.outcome = 'sent' OR p.outcome = 'unresolved' AND p.verdict = '' OR
				p.mismatch <> 0 AND p.mismatch_verdict = ''))) AND
			EXISTS (SELECT FROM facts AS s WHERE s.entry = a.id AND s.entry <> '' AND s.kind = 'sending' AND s.at < before AND (
				EXISTS (SELECT FROM facts AS f WHERE f.entry = a.id AND f.entry <> '' AND f.kind = 'answered' AND
					CAST(f.body AS JSONB) #>> '{what,outcome}' <> 'unresolved' AND
					(f.login = s.login OR CAST(s.body AS JSONB) #>> '{what,kind}' = 'finalize')) OR
				coalesce((SELECT CAST(f.body AS JSONB) #>> '{what,decision}' FROM facts AS f WHERE f.entry = a.id AND f.entry <> '' AND
					f.kind = 'decided' ORDER BY f.number DESC LIMIT 1), '') IN ('found', 'not found', 'gave up', 'no longer followed')))
			ORDER BY at LIMIT most)
		AND at < before AND NOT (outcome = 'sent' OR outcome = 'unresolved' AND verdict = '' OR mismatch <> 0 AND mismatch_verdict = '') RETURNING id)
	SELECT array_agg(id) INTO gone FROM deleted;
	UPDATE facts SET entry = '', at = 0, body = '', login = '', about = '' WHERE entry = ANY (gone) AND entry <> '';
END $$;

-- Who uses the journal adds facts and changes none but when an answer was last given; what they amount to is an index of
-- them. The version says who may write.
DO $$ BEGIN
	EXECUTE format('REVOKE UPDATE, DELETE ON about, facts FROM %I', current_schema() || '_use');
	EXECUTE format('REVOKE DELETE ON entries, bodies FROM %I', current_schema() || '_use');
	EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON attempts, payments FROM %I', current_schema() || '_use');
	EXECUTE format('GRANT UPDATE (until, times, checksum) ON facts TO %I', current_schema() || '_use');
EXCEPTION WHEN undefined_object THEN NULL;
END $$;
