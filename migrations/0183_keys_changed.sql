-- What a key may do can be changed. Sockets belong to the rules they were let in by: a change that takes something away
-- raises the number, and those of before are closed.
ALTER TABLE api_keys ADD COLUMN rules_version integer NOT NULL DEFAULT 0;

-- As before, and what staff gave back is given back to the day of the purchase: the page says that money which comes back
-- does not count.
CREATE OR REPLACE FUNCTION key_spent(key integer, asked_at timestamptz, besides bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  day timestamptz := date_trunc('day', asked_at, 'UTC');
  buyer integer := (SELECT user_id FROM api_keys WHERE id = key);
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE api_key_id = key AND created_at >= day AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE api_key_id = key AND created_at >= day AND money <> 'released')
    + (SELECT COALESCE(sum(CASE WHEN p.state IN ('waiting', 'buying') THEN p.max_price_micros
        WHEN p.state = 'bought' AND a.money <> 'released' THEN a.price_micros ELSE 0 END), 0)
      FROM preorders p LEFT JOIN activations a ON a.id = p.activation_id WHERE p.api_key_id = key AND p.created_at >= day)
    - (SELECT COALESCE(sum(t.amount_micros), 0) FROM transfers t
      LEFT JOIN activations a ON a.id = t.activation_id AND a.id IS DISTINCT FROM besides
      LEFT JOIN charges c ON c.id = t.charge_id LEFT JOIN preorders p ON p.activation_id = a.id
      -- Nothing is given back before it is bought.
      WHERE t.kind = 'refund' AND t.user_id = buyer AND t.at >= day
        AND ((a.api_key_id = key AND a.created_at >= day) OR (c.api_key_id = key AND c.created_at >= day)
          OR (p.api_key_id = key AND p.created_at >= day)));
END $$;
