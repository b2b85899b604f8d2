-- A file that could not be made at any try: its owner is told, and may ask again at once.
ALTER TABLE data_exports
  DROP CONSTRAINT data_exports_state,
  ADD CONSTRAINT data_exports_state CHECK (state IN ('waiting', 'ready', 'too_large', 'failed'));
CREATE INDEX data_exports_waiting ON data_exports (id) WHERE state = 'waiting';
