-- Through which message `ledger:verify` has found that every message stands where its decision says, so that it goes on from
-- there. Messages of the last two days are looked at again: they may still be handed over.
CREATE TABLE delivery_checkpoints (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at              timestamptz NOT NULL,
  -- Whether every message was looked at, or what came after the checkpoint before.
  recounted       boolean NOT NULL,
  through_message bigint NOT NULL
);
CREATE TRIGGER delivery_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON delivery_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
