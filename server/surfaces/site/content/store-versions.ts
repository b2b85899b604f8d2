import { createHash } from 'node:crypto'
import { LOCALES } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import { contentOf } from './content-of.ts'
import { storeVersion } from './queries.ts'

/** A member agrees to these documents at registration, and is told when one of them changes. */
const AGREED = ['terms-of-use', 'privacy-policy'] as const

/** Names a version by the languages' later day and a digest of their HTML, as settings change the words too. */
export async function storeVersions(ctx: Context): Promise<void> {
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
