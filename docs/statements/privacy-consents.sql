-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/privacy/consents/queries.ts: consents-agree, consents-list

-- consents-agree
-- server/core/privacy/consents/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: nothing
INSERT INTO consents (user_id, document, version, given_by, at)
SELECT $1, document, version, 'notice', $2 FROM document_versions WHERE is_current
ON CONFLICT (user_id, document, version) DO NOTHING;

-- consents-list
-- server/core/privacy/consents/queries.ts
-- $1 userId int4
-- returns: document text, version text, at timestamptz
SELECT document, version, at FROM consents WHERE user_id = $1 ORDER BY at DESC, document LIMIT 100;
