-- What an extension cost us that was granted after its money had been given back: counted once, whoever hears of it.
ALTER TABLE charges ADD COLUMN late_cost_micros bigint
  CONSTRAINT charges_late_cost CHECK (late_cost_micros IS NULL OR late_cost_micros >= 0 AND purpose = 'extension' AND money = 'released');
