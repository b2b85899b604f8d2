-- Both read many rows and block nobody: a message that comes meanwhile has its id from the trigger of 0316.
INSERT INTO message_ids (supplier_id, supplier_message_id, message_id, received_at)
SELECT supplier_id, supplier_message_id, id, received_at FROM messages WHERE supplier_message_id IS NOT NULL ORDER BY id
ON CONFLICT DO NOTHING;

ALTER TABLE events VALIDATE CONSTRAINT events_until;
