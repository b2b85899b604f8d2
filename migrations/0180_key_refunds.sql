-- A key gets back what support gave back of its purchases, on the day of the purchase: `refund` of transfers.
CREATE OR REPLACE FUNCTION key_spent(key integer, asked_at timestamptz, besides bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  day timestamptz := date_trunc('day', asked_at, 'UTC');
BEGIN
  RETURN (SELECT COALESCE(sum(a.price_micros), 0) FROM activations a
      WHERE a.api_key_id = key AND a.created_at >= day AND a.money <> 'released' AND a.id IS DISTINCT FROM besides
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.activation_id = a.id AND t.kind = 'refund'))
    + (SELECT COALESCE(sum(c.price_micros), 0) FROM charges c
      WHERE c.api_key_id = key AND c.created_at >= day AND c.money <> 'released'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund'))
    + (SELECT COALESCE(sum(CASE WHEN p.state IN ('waiting', 'buying') THEN p.max_price_micros
        WHEN p.state = 'bought' AND a.money <> 'released'
          AND NOT EXISTS (SELECT FROM transfers t WHERE t.activation_id = a.id AND t.kind = 'refund')
        THEN a.price_micros ELSE 0 END), 0)
      FROM preorders p LEFT JOIN activations a ON a.id = p.activation_id WHERE p.api_key_id = key AND p.created_at >= day);
END $$;
