-- Services of the field tell of no rental by our name for it: what they listed before is no lost one.
ALTER TABLE resold_rents
  -- Listed when it was asked for, and no rental of ours.
  ADD COLUMN strangers text[] NOT NULL DEFAULT '{}';
ALTER TABLE resold_extensions
  -- Extensions that the other told of before; null: it told of none, or needs no count.
  ADD COLUMN history_before integer;
CREATE INDEX resold_rents_lost ON resold_rents (supplier_id, asked_at) WHERE state = 'asking';
