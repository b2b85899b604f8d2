import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

export type StoredText = {
  locale: Locale
  path: string
  kind: 'article' | 'answer'
  title: string
  description: string
  /** How people ask, empty for an article. */
  asked: string
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
      SELECT g.* FROM unnest($locales::text[], $paths::text[], $kinds::text[], $titles::text[], $descriptions::text[], $askings::text[],
        $bodies::text[], $configurations::text[])
        AS g (locale, path, kind, title, description, asked, body, configuration), fresh
    ), gone AS (
      DELETE FROM content_texts c USING fresh
      WHERE NOT EXISTS (SELECT FROM given g WHERE (g.locale, g.path) = (c.locale, c.path))
    )
    INSERT INTO content_texts (locale, path, kind, title, body, words)
    SELECT locale, path, kind, title, body,
      setweight(to_tsvector(configuration::regconfig, ${plain('title')}), 'A')
        || setweight(to_tsvector(configuration::regconfig, ${plain('asked')}), 'A')
        || setweight(to_tsvector('simple', ${plain('asked')}), 'A')
        || setweight(to_tsvector(configuration::regconfig, ${plain('description')}), 'B')
        || setweight(to_tsvector(configuration::regconfig, ${plain('body')}), 'C')
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
      askings: column((text) => text.asked),
      bodies: column((text) => text.body),
      configurations: column((text) => CONFIGURATIONS[text.locale]),
    },
  })
  return rowCount > 0
}

/** Searches are folded, so «ё» is «е» in what is searched too. */
function plain(column: string): string {
  return `translate(${column}, 'ёЁ', 'еЕ')`
}

export type FoundText = { path: string; kind: 'article' | 'answer'; title: string; excerpt: string; total: bigint }

/** The marks around a found word are control characters, because neither texts nor HTML contain them. */
const EXCERPT_OPTIONS = 'StartSel=\u0001, StopSel=\u0002, MaxWords=30, MinWords=15, MaxFragments=1'

/**
 * Searches articles and answers. `meant` has the alternatives for each word. A rare word weighs more, and a word of the
 * title or of `asked` more than a word of the text. A text counts twice if `asked` has the words in a row. A
 * found text has words of at least half of the search's weight, so a text may lack a word that people add.
 */
export async function searchTexts(
  db: Db,
  input: {
    locale: Locale
    meant: string[][]
    kind: 'article' | 'answer' | null
    limit: number
    offset: number
  },
): Promise<FoundText[]> {
  const { rows } = await db.query<FoundText>({
    name: 'content-search',
    text: `WITH asked AS (
      SELECT to_tsquery($configuration::regconfig, word) || to_tsquery('simple', word) AS query,
        CASE WHEN numnode(to_tsquery($configuration::regconfig, word)) = 0 THEN 0.2 ELSE 1 END AS part
      FROM unnest($words::text[]) AS word
    ), weighed AS (
      SELECT query,
        part * ln(1 + (SELECT count(*) FROM content_texts WHERE locale = $locale)::float8 / count(*)) AS weight
      FROM asked JOIN content_texts ON locale = $locale AND words @@ query GROUP BY query, part
    ), found AS (
      SELECT path, kind, title, body, count(*) OVER () AS total,
        sum(weight * ts_rank(words, query)) * CASE WHEN words @@ phraseto_tsquery('simple', $phrase) THEN 2 ELSE 1 END
          AS rank
      FROM content_texts JOIN weighed ON words @@ query
      WHERE locale = $locale AND ($kind::text IS NULL OR kind = $kind)
      GROUP BY locale, path HAVING 2 * sum(weight) >= (SELECT sum(weight) FROM weighed)
      ORDER BY rank DESC, path LIMIT $limit OFFSET $offset
    )
    SELECT path, kind, title, total,
      ts_headline($configuration::regconfig, body, to_tsquery($configuration::regconfig, $any), $excerptOptions)
        AS excerpt
    FROM found ORDER BY rank DESC, path`,
    values: {
      ...input,
      configuration: CONFIGURATIONS[input.locale],
      excerptOptions: EXCERPT_OPTIONS,
      words: input.meant.map(toQueryText),
      phrase: input.meant.map(([likeliest]) => likeliest).join(' '),
      any: toQueryText(input.meant.flat()),
    },
  })
  return rows
}

/** Writes for example `'вотсап' | 'whatsapp'`. No word has punctuation of the query syntax. */
function toQueryText(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' | ')
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
