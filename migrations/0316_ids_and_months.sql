-- Every row of `events` gets a last moment, so that 0318 can make the table the first part of a partitioned one without reading
-- it under a lock. At least a month is left until then. NOT VALID locks the table for an instant; 0317 reads its rows.
DO $$
DECLARE
  ends timestamptz;
BEGIN
  SELECT (date_trunc('month', greatest(now(), max(at)) AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'
  INTO ends FROM events;
  EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_until CHECK (at < %L) NOT VALID', ends);
END $$;

-- The ids that suppliers gave their messages, for as long as a supplier may repeat one. The index of ids on `messages` grows for
-- ever; a later release drops it. No foreign key: the trigger alone writes here, with the row's own id.
CREATE TABLE message_ids (
  supplier_id integer NOT NULL,
  supplier_message_id text NOT NULL,
  message_id bigint NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT message_ids_once PRIMARY KEY (supplier_id, supplier_message_id)
);
CREATE INDEX message_ids_received ON message_ids USING brin (received_at);

-- A trigger, because release 0.1.0 stores messages too. It names the constraint that both releases know as a repeat. It runs
-- after the insert, so that a repeat is refused by the index on `messages`, and never waits for the statement of 0317.
CREATE FUNCTION store_message_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_ids (supplier_id, supplier_message_id, message_id, received_at)
  VALUES (NEW.supplier_id, NEW.supplier_message_id, NEW.id, NEW.received_at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE unique_violation USING MESSAGE = 'a supplier repeats a message', CONSTRAINT = 'messages_supplier_id_unique';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_store_id AFTER INSERT ON messages FOR EACH ROW WHEN (NEW.supplier_message_id IS NOT NULL)
  EXECUTE FUNCTION store_message_id();
