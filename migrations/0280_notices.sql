-- Decision 0013: a message is a code, a notice, or nobody's.

-- When the last closed notice came. Null: none.
ALTER TABLE activations ADD COLUMN notice_at timestamptz;

-- `notice`: it ended no wait and took no money; its words are closed until the order is paid for. `opened`: its buyer paid
-- to read it. `folded`: one of too many without a code in a minute. `junk`: nobody can read anything in it.
ALTER TABLE messages DROP CONSTRAINT messages_given;
ALTER TABLE messages ADD CONSTRAINT messages_given CHECK (
  given || CASE WHEN COALESCE(activation_id, rental_id) IS NULL THEN ' nobody' ELSE ' somebody' END = ANY (
    '{reference somebody, named somebody, only-holder somebody, hinted somebody, by-hand somebody, late somebody,
      notice somebody, opened somebody, folded somebody, unmatched nobody, operator nobody, junk nobody}'::text[]));
DROP INDEX messages_aside;
CREATE INDEX messages_aside ON messages (given, received_at) WHERE given = ANY ('{unmatched,late,operator,junk}'::text[]);

-- "Not my code": a report of the message that took the price, which gave it back. It counts with those of used numbers.
ALTER TABLE used_reports ADD COLUMN message_id bigint REFERENCES messages (id);
COMMENT ON COLUMN used_reports.message_id IS 'Null: the number was used. Else this message was no code of its order.';
CREATE INDEX used_reports_messages ON used_reports (reported_at) WHERE message_id IS NOT NULL;

-- A sender whose messages enough buyers reported as no codes of theirs is learnt to be nobody's. With `*` it is a pattern.
ALTER TABLE ignored_senders DROP CONSTRAINT ignored_senders_source;
ALTER TABLE ignored_senders ADD CONSTRAINT ignored_senders_source CHECK (source IN ('seed', 'staff', 'learnt'));

-- As before (0055), but a code that its buyer reported as not his is none between two reports.
CREATE OR REPLACE FUNCTION used_is_free(buyer integer, service text, country integer, asked_at timestamptz, free_reports integer,
  free_percent integer, in_a_row integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  since    timestamptz := asked_at - interval '24 hours';
  first_at timestamptz;
  reports  bigint;
  needed   bigint;
BEGIN
  SELECT reported_at INTO first_at FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since
  ORDER BY reported_at DESC OFFSET in_a_row - 1 LIMIT 1;
  -- No number is its buyer's for longer than a day, so an earlier purchase had no code since.
  IF FOUND AND NOT EXISTS (SELECT FROM activations
    WHERE user_id = buyer AND created_at > first_at - interval '24 hours' AND first_code_at > first_at
      AND NOT EXISTS (SELECT FROM used_reports WHERE activation_id = activations.id))
  THEN
    RETURN false;
  END IF;
  SELECT count(*) INTO reports FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since AND service_code = service AND country_id = country;
  IF reports < free_reports THEN
    RETURN true;
  END IF;
  IF free_percent = 0 THEN
    RETURN false;
  END IF;
  -- Counted no further than it matters.
  needed := ((reports + 1) * 100 + free_percent - 1) / free_percent;
  RETURN needed <= (SELECT count(*) FROM (SELECT FROM activations
    WHERE user_id = buyer AND created_at > since AND service_code = service AND country_id = country
      AND state NOT IN ('reserving', 'failed') LIMIT needed) purchases);
END $$;
