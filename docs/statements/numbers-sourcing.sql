-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/sourcing/queries/not-for-sale.ts: sourcing-not-for-sale
-- server/core/numbers/sourcing/queries/unsettled.ts: numbers-count-unsettled

-- sourcing-not-for-sale
-- server/core/numbers/sourcing/queries/not-for-sale.ts
-- $1 phone text, $2 serviceCode text
-- returns: not_for_sale bool
SELECT EXISTS (SELECT FROM activations WHERE phone = $1 AND state IN ('waiting', 'received', 'waiting_again'))
  OR EXISTS (SELECT FROM rentals WHERE phone = $1 AND state = 'active')
  OR EXISTS (SELECT FROM activations WHERE phone = $1 AND ended_at IS NOT NULL AND first_code_at IS NOT NULL
      AND (service_code = $2 OR $2 = 'full')) AS not_for_sale;

-- numbers-count-unsettled
-- server/core/numbers/sourcing/queries/unsettled.ts
-- returns: kind text, number int8, oldest timestamptz
SELECT 'activation' AS kind, count(*) AS number, min(created_at) AS oldest FROM activations WHERE state = 'reserving' AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
UNION ALL SELECT 'rental', count(*), min(created_at) FROM rentals WHERE state = 'reserving' AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
UNION ALL SELECT 'preorder', count(*), min(a.created_at) FROM preorders p JOIN activations a ON a.id = p.activation_id
WHERE p.state = 'buying'
UNION ALL SELECT 'extension', count(*), min(c.created_at) FROM rentals r JOIN charges c ON c.id = r.extension_id
WHERE r.extension_id IS NOT NULL AND r.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox);
