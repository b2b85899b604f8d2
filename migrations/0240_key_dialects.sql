-- Whose way of handler_api a key speaks where its address does not say. Null: what suits most programs.
ALTER TABLE api_keys ADD COLUMN dialect text
  CONSTRAINT api_keys_dialect CHECK (dialect IN ('sms-activate', 'hero-sms', 'grizzly', 'smsbower', 'smshub'));
