import { createHash } from 'node:crypto'
import { LOCALES } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import { contentOf, fingerprintOf } from './content-of.ts'
import { findTextsHash, replaceTexts, type StoredText, storeVersion } from './queries.ts'

/** The documents to which a member agrees at registration. Members are told when one of the documents changes. */
const AGREED = ['terms-of-use', 'privacy-policy'] as const

/** Stores articles and answers for the search. Unchanged texts are parsed only when somebody first requests a text. */
export async function storeContent(ctx: Context): Promise<void> {
  const hash = fingerprintOf(ctx)
  if ((await findTextsHash(ctx.db)) === hash) return
  const content = await contentOf(ctx)
  const texts: StoredText[] = LOCALES.flatMap((locale) => {
    const stored =
      (kind: StoredText['kind']) =>
      (text: (typeof content.ru.articles)[number] | (typeof content.ru.answers)[number]) => ({
        locale,
        path: text.path,
        kind,
        title: text.front.title,
        description: text.front.description,
        asked: 'asked' in text.front ? text.front.asked : '',
        body: text.plain,
      })
    return [...content[locale].articles.map(stored('article')), ...content[locale].answers.map(stored('answer'))]
  })
  await storeVersions(ctx)
  // The hash is written last, because it says that everything else is stored.
  await replaceTexts(ctx.db, { texts, hash, now: ctx.clock.now() })
}

/**
 * Stores the version of each document. A version is named by the latest date of the texts in all languages and a digest
 * of their HTML, because settings also change the words.
 */
async function storeVersions(ctx: Context): Promise<void> {
  const content = await contentOf(ctx)
  for (const document of AGREED) {
    const texts = LOCALES.flatMap((locale) => content[locale].documents.get(document) ?? [])
    const days = texts.map(({ front }) => front.updated).sort()
    const digest = createHash('sha256')
      .update(JSON.stringify(texts.map(({ html }) => html)))
      .digest()
    const version = `${days.at(-1) ?? ''} ${digest.toString('hex').slice(0, 12)}`
    await storeVersion(ctx.db, { document, version, digest, now: ctx.clock.now() })
  }
}
