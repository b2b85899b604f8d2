-- While `supplier:certify` tests a SIM bank: pushes for this number are answered here, and are nobody's messages.
CREATE TABLE sim_bank_trials (
  supplier_id integer NOT NULL CONSTRAINT sim_bank_trials_supplier REFERENCES suppliers (id) ON DELETE RESTRICT,
  phone       text NOT NULL,
  until       timestamptz NOT NULL,
  -- So many of the first are refused, to see them come again.
  refused     smallint NOT NULL,
  came        integer NOT NULL DEFAULT 0,
  -- [{at, sms_id, numeric, accepted}], fifty at most; never the words.
  pushes      jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT sim_bank_trials_phone PRIMARY KEY (supplier_id, phone)
);
