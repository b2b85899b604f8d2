-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/smpp/queries/parts.ts: smpp-complete-message, smpp-delete-delivered, smpp-delete-repeats, smpp-give-up-waiting, smpp-insert-message, smpp-insert-part, smpp-lock-identity, smpp-lock-overdue, smpp-mark-delivered, smpp-postpone-delivery, smpp-select-candidates, smpp-select-message, smpp-select-undelivered

-- smpp-complete-message
-- server/adapters/smpp/queries/parts.ts
-- $1 id int8, $2 now timestamptz, $3 nextAttemptAt timestamptz
-- returns: nothing
UPDATE smpp_long_messages SET ready_at = $2, next_attempt_at = $3
WHERE id = $1 AND ready_at IS NULL
  AND parts_total = (SELECT count(*) FROM smpp_parts WHERE message_id = $1);

-- smpp-delete-delivered
-- server/adapters/smpp/queries/parts.ts
-- $1 supplierId int4, $2 deliveredBefore timestamptz
-- returns: nothing
DELETE FROM smpp_long_messages WHERE supplier_id = $1 AND delivered_at <= $2;

-- smpp-delete-repeats
-- server/adapters/smpp/queries/parts.ts
-- $1 ids int8[]
-- returns: nothing
DELETE FROM smpp_long_messages m
WHERE m.id = ANY($1) AND EXISTS (
  SELECT FROM smpp_long_messages d
  WHERE d.supplier_id = m.supplier_id AND d.phone = m.phone AND d.sender = m.sender
    AND d.reference_kind = m.reference_kind AND d.reference = m.reference AND d.parts_total = m.parts_total
    AND d.delivered_at IS NOT NULL
    AND NOT EXISTS (
      SELECT FROM smpp_parts p WHERE p.message_id = m.id AND NOT EXISTS (
        SELECT FROM smpp_parts q WHERE q.message_id = d.id AND q.sequence = p.sequence
          AND q.data_coding = p.data_coding AND q.body = p.body)));

-- smpp-give-up-waiting
-- server/adapters/smpp/queries/parts.ts
-- $1 ids int8[], $2 now timestamptz
-- returns: nothing
UPDATE smpp_long_messages SET ready_at = $2, next_attempt_at = $2 WHERE id = ANY($1);

-- smpp-insert-message
-- server/adapters/smpp/queries/parts.ts
-- $1 supplierId int4, $2 phone text, $3 sender text, $4 referenceKind text, $5 reference int4, $6 partsTotal int4, $7 now timestamptz
-- returns: id int8
INSERT INTO smpp_long_messages
(supplier_id, phone, sender, reference_kind, reference, parts_total, first_part_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id;

-- smpp-insert-part
-- server/adapters/smpp/queries/parts.ts
-- $1 messageId int8, $2 sequence int4, $3 dataCoding int4, $4 body bytea, $5 now timestamptz
-- returns: nothing
INSERT INTO smpp_parts (message_id, sequence, data_coding, body, received_at)
VALUES ($1, $2, $3, $4, $5);

-- smpp-lock-identity
-- server/adapters/smpp/queries/parts.ts
-- $1 text
-- returns: pg_advisory_xact_lock void
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

-- smpp-lock-overdue
-- server/adapters/smpp/queries/parts.ts
-- $1 supplierId int4, $2 firstPartBefore timestamptz, $3 limit int8
-- returns: id int8
SELECT id FROM smpp_long_messages
WHERE supplier_id = $1 AND ready_at IS NULL AND first_part_at <= $2
ORDER BY first_part_at LIMIT $3
FOR UPDATE SKIP LOCKED;

-- smpp-mark-delivered
-- server/adapters/smpp/queries/parts.ts
-- $1 id int8, $2 now timestamptz
-- returns: nothing
UPDATE smpp_long_messages SET delivered_at = $2 WHERE id = $1 AND delivered_at IS NULL;

-- smpp-postpone-delivery
-- server/adapters/smpp/queries/parts.ts
-- $1 now timestamptz, $2 mostSeconds float8, $3 firstSeconds float8, $4 id int8
-- returns: nothing
UPDATE smpp_long_messages SET attempts = attempts + 1,
  next_attempt_at = $1::timestamptz
  + LEAST($2::float8, $3::float8 * 2 ^ LEAST(attempts, 20)) * interval '1 second'
WHERE id = $4;

-- smpp-select-candidates
-- server/adapters/smpp/queries/parts.ts
-- $1 dataCoding int4, $2 body bytea, $3 sequence int4, $4 supplierId int4, $5 phone text, $6 sender text, $7 referenceKind text, $8 reference int4, $9 partsTotal int4, $10 repeatsSince timestamptz
-- returns: id int8, isReady bool, isDelivered bool, hasPart bool, isSame bool
SELECT m.id, m.ready_at IS NOT NULL AS "isReady", m.delivered_at IS NOT NULL AS "isDelivered",
  p.message_id IS NOT NULL AS "hasPart", COALESCE(p.data_coding = $1 AND p.body = $2, false) AS "isSame"
FROM smpp_long_messages m
LEFT JOIN smpp_parts p ON p.message_id = m.id AND p.sequence = $3
WHERE supplier_id = $4 AND phone = $5 AND sender = $6
  AND reference_kind = $7 AND reference = $8 AND parts_total = $9 AND (m.delivered_at IS NULL OR m.delivered_at > $10)
ORDER BY m.id
FOR UPDATE OF m;

-- smpp-select-message
-- server/adapters/smpp/queries/parts.ts
-- $1 id int8
-- returns: supplierId int4, sender text, phone text, total int4, sequence int4, dataCoding int4, body bytea
SELECT m.supplier_id AS "supplierId", m.sender, m.phone, m.parts_total AS total,
  p.sequence, p.data_coding AS "dataCoding", p.body
FROM smpp_long_messages m JOIN smpp_parts p ON p.message_id = m.id
WHERE m.id = $1 AND m.ready_at IS NOT NULL AND m.delivered_at IS NULL
ORDER BY p.sequence;

-- smpp-select-undelivered
-- server/adapters/smpp/queries/parts.ts
-- $1 supplierId int4, $2 dueAt timestamptz, $3 maxAttempts int4, $4 limit int8
-- returns: id int8
SELECT id FROM smpp_long_messages
WHERE supplier_id = $1 AND ready_at IS NOT NULL AND delivered_at IS NULL
  AND next_attempt_at <= $2 AND attempts < $3
ORDER BY next_attempt_at LIMIT $4;
