-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/site/content/queries.ts: content-search

-- content-search
-- server/surfaces/site/content/queries.ts
-- $1 meant text, $2 configuration regconfig, $3 search text, $4 locale text, $5 kind text, $6 limit int8, $7 offset int8, $8 excerptOptions text
-- returns: path text, kind text, title text, total int8, excerpt text
WITH asked AS (
  SELECT CASE WHEN $1::text IS NULL THEN websearch_to_tsquery($2::regconfig, $3)
    ELSE to_tsquery($2::regconfig, $1) END
    AS query
), found AS (
  SELECT path, kind, title, body, ts_rank(words, query) AS rank, count(*) OVER () AS total
  FROM content_texts, asked WHERE locale = $4 AND words @@ query AND ($5::text IS NULL OR kind = $5)
  ORDER BY rank DESC, path LIMIT $6 OFFSET $7
)
SELECT path, kind, title, total, ts_headline($2::regconfig, body, query, $8) AS excerpt
FROM found, asked ORDER BY rank DESC, path;
