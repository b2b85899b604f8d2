-- What was asked of YooKassa for a payment. Its key of repeats holds for a day, and for the same words alone.

CREATE TABLE yookassa_orders (
  transaction_id text PRIMARY KEY REFERENCES payments (transaction_id),
  -- JSON, letter by letter as it was sent.
  body           text NOT NULL,
  first_sent_at  timestamptz NOT NULL,
  last_sent_at   timestamptz NOT NULL,
  -- YooKassa's own id, once it is known.
  payment_id     text
);
