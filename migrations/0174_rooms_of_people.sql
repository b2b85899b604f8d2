-- Somebody leaves: what they wrote to support and what their keys called goes with its row.

ALTER TABLE support_messages DROP CONSTRAINT support_messages_ticket_id_fkey;
ALTER TABLE support_messages ADD CONSTRAINT support_messages_of_ticket
  FOREIGN KEY (ticket_id) REFERENCES support_tickets (id) ON DELETE CASCADE;

ALTER TABLE support_files DROP CONSTRAINT support_files_message_id_fkey;
ALTER TABLE support_files ADD CONSTRAINT support_files_of_message
  FOREIGN KEY (message_id) REFERENCES support_messages (id) ON DELETE CASCADE;

-- The sums stay, because caps and the books count them. Null: the ticket went with its account.
ALTER TABLE support_refunds ALTER COLUMN ticket_id DROP NOT NULL, DROP CONSTRAINT support_refunds_ticket_id_fkey;
ALTER TABLE support_refunds ADD CONSTRAINT support_refunds_of_ticket
  FOREIGN KEY (ticket_id) REFERENCES support_tickets (id) ON DELETE SET NULL;

ALTER TABLE api_key_calls DROP CONSTRAINT api_key_calls_key_id_fkey;
ALTER TABLE api_key_calls ADD CONSTRAINT api_key_calls_of_key
  FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE;
