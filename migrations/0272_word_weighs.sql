-- What an account says of a number by giving it back is believed twice in seven days, and nine times more for each code that it
-- paid for in these days. A few accounts would take numbers or a supplier from sale for nothing otherwise.
--
-- Its purchases in vain of the seven days before `asked_at`, those among its latest 1 000. `believed`: the oldest, by their ends.
-- `giving` is an activation that is being given back, whatever is stored of it. A rental has no `activation_id`.
-- What the supplier took back itself is nobody's word.
--
-- VOLATILE on purpose, as used_is_free: a statement that waited for the account's lock counts what was committed meanwhile.
CREATE FUNCTION buyer_misses(buyer integer, asked_at timestamptz, giving bigint)
  RETURNS TABLE (activation_id bigint, believed boolean) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  free_misses     CONSTANT integer := 2;
  misses_per_code CONSTANT integer := 9;
  among           CONSTANT integer := 1000;
  since           CONSTANT timestamptz := asked_at - interval '7 days';
BEGIN
  RETURN QUERY WITH week AS (
    (SELECT a.id, a.ended_at, a.money = 'captured' AS paid, a.id = giving OR a.state IN ('cancelled', 'expired')
        OR a.state = 'used' AND NOT EXISTS (SELECT FROM used_reports u WHERE u.activation_id = a.id AND u.by_supplier) AS vain
      FROM activations a WHERE a.user_id = buyer AND a.created_at > since
      ORDER BY a.created_at DESC, a.id DESC LIMIT among)
    UNION ALL
    (SELECT NULL, r.ended_at, r.captured_at IS NOT NULL, r.state = 'cancelled'
      FROM rentals r WHERE r.user_id = buyer AND r.created_at > since
      ORDER BY r.created_at DESC, r.id DESC LIMIT among)
  )
  SELECT w.id, row_number() OVER (ORDER BY w.ended_at, w.id)
      <= free_misses + misses_per_code * (SELECT count(*) FROM week p WHERE p.paid)
  FROM week w WHERE w.vain;
END $$;

-- Whether its word has weight: all of them are believed.
CREATE FUNCTION word_weighs(buyer integer, asked_at timestamptz, giving bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM buyer_misses(buyer, asked_at, giving) m WHERE NOT m.believed);
END $$;
