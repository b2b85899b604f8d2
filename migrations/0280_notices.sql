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
