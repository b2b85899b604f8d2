-- Calls alike were one line wherever they came from, with the last address alone: it hid somebody else's use of a key.
ALTER TABLE api_key_calls DROP CONSTRAINT api_key_calls_pkey, ADD PRIMARY KEY (key_id, fold_at, call, result, address);
