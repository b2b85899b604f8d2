-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/site/content/queries.ts: content-search

-- content-search
-- server/surfaces/site/content/queries.ts
-- $1 configuration regconfig, $2 words text[], $3 locale text, $4 phrase text, $5 kind text, $6 limit int8, $7 offset int8, $8 any text, $9 excerptOptions text
-- returns: path text, kind text, title text, total int8, excerpt text
WITH asked AS (
  SELECT to_tsquery($1::regconfig, word) || to_tsquery('simple', word) AS query,
    CASE WHEN numnode(to_tsquery($1::regconfig, word)) = 0 THEN 0.2 ELSE 1 END AS part
  FROM unnest($2::text[]) AS word
), weighed AS (
  SELECT query,
    part * ln(1 + (SELECT count(*) FROM content_texts WHERE locale = $3)::float8 / count(*)) AS weight
  FROM asked JOIN content_texts ON locale = $3 AND words @@ query GROUP BY query, part
), found AS (
  SELECT path, kind, title, body, count(*) OVER () AS total,
    sum(weight * ts_rank(words, query)) * CASE WHEN words @@ phraseto_tsquery('simple', $4) THEN 2 ELSE 1 END
    AS rank
  FROM content_texts JOIN weighed ON words @@ query
  WHERE locale = $3 AND ($5::text IS NULL OR kind = $5)
  GROUP BY locale, path HAVING 2 * sum(weight) >= (SELECT sum(weight) FROM weighed)
  ORDER BY rank DESC, path LIMIT $6 OFFSET $7
)
SELECT path, kind, title, total,
  ts_headline($1::regconfig, body, to_tsquery($1::regconfig, $8), $9)
  AS excerpt
FROM found ORDER BY rank DESC, path;
