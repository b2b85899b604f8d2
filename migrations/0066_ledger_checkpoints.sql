-- What `ledger:verify` has proved, so that it goes on from there. The digest is of every balance as it was after the last of
-- those transfers; each row repeats the hash of the one before it, so that none can be changed or taken out unseen.
CREATE TABLE ledger_checkpoints (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at               timestamptz NOT NULL,
  -- Whether everything was recounted, or what came after the checkpoint before.
  recounted        boolean NOT NULL,
  through_transfer bigint NOT NULL,
  balances_digest  bytea NOT NULL,
  previous_hash    bytea,
  hash             bytea NOT NULL
);
-- Two checks that end at once make one chain, not two.
CREATE UNIQUE INDEX ledger_checkpoints_chain ON ledger_checkpoints (previous_hash) NULLS NOT DISTINCT;
CREATE TRIGGER ledger_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A running balance is summed a million times: in whole numbers of 64 bits that costs a third of `sum`, which counts in
-- numeric. It fails when it would overflow, as the balances themselves do.
CREATE AGGREGATE sum_micros (bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0', COMBINEFUNC = int8pl, PARALLEL = SAFE);
