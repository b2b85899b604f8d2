-- Whose a message is, and why: decided once, stored with it, judged again by `ledger:verify`.

ALTER TABLE messages
  -- How it was given, or that it was not. Null: stored before decisions were.
  ADD COLUMN given text,
  -- What it was taken to name, by what, and by which version of the rule. Null: nothing.
  ADD COLUMN named_by text,
  ADD COLUMN named_services text[],
  ADD COLUMN named_family text,
  ADD COLUMN naming_version smallint,
  -- The order that its supplier tied it to.
  ADD COLUMN reference text;
UPDATE messages SET given = 'unmatched' WHERE activation_id IS NULL AND rental_id IS NULL;
-- As one list of texts, because PostgreSQL reads a check anew for each write. `late` stands under an order that had ended.
ALTER TABLE messages ADD CONSTRAINT messages_given CHECK (
  given || CASE WHEN COALESCE(activation_id, rental_id) IS NULL THEN ' nobody' ELSE ' somebody' END = ANY (
    '{reference somebody, named somebody, only-holder somebody, hinted somebody, by-hand somebody, late somebody,
      unmatched nobody, operator nobody}'::text[]));
DROP INDEX messages_unmatched;
CREATE INDEX messages_aside ON messages (given, received_at) WHERE given = ANY ('{unmatched,late,operator}'::text[]);

-- Who held a number a while ago: a message may still be his.
CREATE INDEX IF NOT EXISTS activations_number_ended ON activations (phone, ended_at) WHERE ended_at IS NOT NULL AND phone IS NOT NULL;
CREATE INDEX IF NOT EXISTS rentals_number_ended ON rentals (phone, ended_at) WHERE ended_at IS NOT NULL AND phone IS NOT NULL;
