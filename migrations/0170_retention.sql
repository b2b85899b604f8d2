-- How long each row is kept (server/jobs/retention/), and who had a number when.

-- The code of a message goes with its words.
CREATE INDEX activations_code_kept ON activations (ended_at) WHERE code IS NOT NULL AND ended_at IS NOT NULL;
CREATE INDEX rentals_code_kept ON rentals (ended_at) WHERE code IS NOT NULL AND ended_at IS NOT NULL;
-- What a payment was begun with names a network and a mail address.
CREATE INDEX payments_origin_kept ON payments (created_at) WHERE network IS NOT NULL OR press IS NOT NULL;

-- Requests of authorities name a number and a time.
CREATE INDEX activations_phone ON activations (phone, created_at) WHERE phone IS NOT NULL;
CREATE INDEX rentals_phone ON rentals (phone, created_at) WHERE phone IS NOT NULL;

-- What staff did stays; the mail address of somebody who is gone does not.
CREATE FUNCTION refuse_all_but_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.at, NEW.actor, NEW.command, NEW.subject, NEW.reason) IS DISTINCT FROM
      (OLD.id, OLD.at, OLD.actor, OLD.command, OLD.subject, OLD.reason)
    OR NEW.detail IS DISTINCT FROM OLD.detail - 'email' THEN
    RAISE EXCEPTION '% is append-only: a mail address may be taken out', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER audit_log_append_only ON audit_log;
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_redacted BEFORE UPDATE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_redaction();
CREATE INDEX audit_log_subject ON audit_log (subject);
CREATE INDEX audit_log_lookups ON audit_log (id) WHERE command = 'abuse:lookup';
