import { LOCALES } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import { contentOf, fingerprintOf } from './content-of.ts'
import { findTextsHash, replaceTexts, type StoredText } from './queries.ts'
import { storeVersions } from './store-versions.ts'

/**
 * Stores the texts for the search. A start that finds them unchanged parses none; the first request for a text does.
 */
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
        body: text.plain,
      })
    return [...content[locale].articles.map(stored('article')), ...content[locale].answers.map(stored('answer'))]
  })
  await storeVersions(ctx)
  // The hash is written last, because it says that everything else is stored.
  await replaceTexts(ctx.db, { texts, hash, now: ctx.clock.now() })
}
