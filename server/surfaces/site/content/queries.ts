import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

export type StoredText = {
  locale: Locale
  path: string
  kind: 'article' | 'answer'
  title: string
  description: string
  body: string
}

const CONFIGURATIONS: Record<Locale, 'russian' | 'english'> = { ru: 'russian', en: 'english' }

export async function findTextsHash(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>({
    text: `SELECT value #>> '{}' AS hash FROM settings WHERE key = 'content_hash'`,
  })
  return rows[0]?.hash ?? null
}

export async function replaceTexts(
  db: Db,
  input: { texts: readonly StoredText[]; hash: string; now: Date },
): Promise<boolean> {
  const column = (of: (text: StoredText) => string) => input.texts.map(of)
  const { rowCount } = await db.query({
    text: `WITH fresh AS (
      INSERT INTO settings (key, value, updated_at) VALUES ('content_hash', to_jsonb($hash::text), $now)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
        WHERE settings.value IS DISTINCT FROM excluded.value
      RETURNING key
    ), given AS (
      SELECT g.* FROM unnest($locales::text[], $paths::text[], $kinds::text[], $titles::text[], $descriptions::text[],
        $bodies::text[], $configurations::text[])
        AS g (locale, path, kind, title, description, body, configuration), fresh
    ), gone AS (
      DELETE FROM content_texts c USING fresh
      WHERE NOT EXISTS (SELECT FROM given g WHERE (g.locale, g.path) = (c.locale, c.path))
    )
    INSERT INTO content_texts (locale, path, kind, title, body, words)
    SELECT locale, path, kind, title, body,
      setweight(to_tsvector(configuration::regconfig, title), 'A')
        || setweight(to_tsvector(configuration::regconfig, description), 'B')
        || setweight(to_tsvector(configuration::regconfig, body), 'C')
    FROM given
    ON CONFLICT (locale, path) DO UPDATE
    SET kind = excluded.kind, title = excluded.title, body = excluded.body, words = excluded.words`,
    values: {
      ...input,
      locales: column((text) => text.locale),
      paths: column((text) => text.path),
      kinds: column((text) => text.kind),
      titles: column((text) => text.title),
      descriptions: column((text) => text.description),
      bodies: column((text) => text.body),
      configurations: column((text) => CONFIGURATIONS[text.locale]),
    },
  })
  return rowCount > 0
}

export type FoundText = { path: string; kind: 'article' | 'answer'; title: string; excerpt: string; total: bigint }

/** The marks around a found word are control characters, because neither texts nor HTML contain them. */
const EXCERPT_OPTIONS = 'StartSel=\u0001, StopSel=\u0002, MaxWords=30, MinWords=15, MaxFragments=1'

/**
 * Searches articles and answers, and ranks matches in titles highest. `meant`, if given, replaces `search` by
 * alternatives for each word.
 */
export async function searchTexts(
  db: Db,
  input: {
    locale: Locale
    search: string
    meant: string[][] | null
    kind: 'article' | 'answer' | null
    limit: number
    offset: number
  },
): Promise<FoundText[]> {
  const { rows } = await db.query<FoundText>({
    name: 'content-search',
    text: `WITH asked AS (
      SELECT CASE WHEN $meant::text IS NULL THEN websearch_to_tsquery($configuration::regconfig, $search)
        ELSE to_tsquery($configuration::regconfig, $meant) END
        AS query
    ), found AS (
      SELECT path, kind, title, body, ts_rank(words, query) AS rank, count(*) OVER () AS total
      FROM content_texts, asked WHERE locale = $locale AND words @@ query AND ($kind::text IS NULL OR kind = $kind)
      ORDER BY rank DESC, path LIMIT $limit OFFSET $offset
    )
    SELECT path, kind, title, total, ts_headline($configuration::regconfig, body, query, $excerptOptions) AS excerpt
    FROM found, asked ORDER BY rank DESC, path`,
    values: {
      ...input,
      configuration: CONFIGURATIONS[input.locale],
      excerptOptions: EXCERPT_OPTIONS,
      meant: input.meant === null ? null : toQueryText(input.meant),
    },
  })
  return rows
}

/** Writes for example `('вотсап' | 'whatsapp') & ('код')`. No word has punctuation of the query syntax. */
function toQueryText(meant: string[][]): string {
  return meant
    .filter((words) => words.length > 0)
    .map((words) => `(${words.map((word) => `'${word}'`).join(' | ')})`)
    .join(' & ')
}

/**
 * Makes this version of a document (such as the terms of use) the current one. A former version may become current
 * again.
 */
export async function storeVersion(
  db: Db,
  input: { document: string; version: string; digest: Buffer; now: Date },
): Promise<void> {
  await db.query({
    text: `WITH former AS (
      UPDATE document_versions SET is_current = false
      WHERE document = $document AND version <> $version AND is_current RETURNING document
    ), passed AS (SELECT count(*) FROM former)
    INSERT INTO document_versions (document, version, digest, since, is_current)
    SELECT $document, $version, $digest, $now, true FROM passed
    ON CONFLICT (document, version) DO UPDATE SET is_current = true WHERE NOT document_versions.is_current`,
    values: input,
  })
}
