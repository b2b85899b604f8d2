-- Of a payment that its payer closed: until when its gateway still takes money for it.
ALTER TABLE payments ADD COLUMN payable_until timestamptz;
-- What the first press said, for its repetitions: locale, returnUrl and email. Gone once the gateway has answered.
ALTER TABLE payments ADD COLUMN press jsonb;

-- Each gateway is asked in its own turn, whatever waits for another.
DROP INDEX payments_check;
CREATE INDEX payments_check ON payments (gateway_id, next_check_at) WHERE next_check_at IS NOT NULL;

-- Open ones that nobody asked about any more, and those that a bank may still take back.
UPDATE payments SET next_check_at = now() WHERE next_check_at IS NULL AND (state IN ('created', 'pending', 'confirming')
  OR state IN ('paid', 'partial', 'refunded', 'disputed') AND created_at > now() - interval '120 days');
