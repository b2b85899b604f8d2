import { createHash } from 'node:crypto'
import { LOCALES } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'
import { contentOf } from './content-of.ts'
import { replaceTexts, type StoredText } from './queries.ts'
import { storeVersions } from './store-versions.ts'

export async function storeContent(ctx: Context): Promise<void> {
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
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
  await replaceTexts(ctx.db, { texts, hash, now: ctx.clock.now() })
  await storeVersions(ctx)
}
