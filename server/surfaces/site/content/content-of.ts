import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DELETION_DAYS,
  EXPORT_DAYS,
  KEY_CALL_KEEP_DAYS,
  LOOSE_FILE_KEEP_DAYS,
  NOTIFICATION_KEEP_DAYS,
} from '#contract/account-constants.ts'
import { KEY_CALLS_SHOWN } from '#contract/api-key.ts'
import { type Locale, RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import type { FACT_NAMES } from './content-file.ts'
import type { Content } from './read-content.ts'

const CONTENT_FOLDER = join(import.meta.dirname, '../../../../content')

const loadedOf = perContext(
  'content of the site',
  { scope: 'process', nodes: 'own', lost: 'nothing: it is read from its files' },
  (): { reading: Promise<Record<Locale, Content>> | null } => ({ reading: null }),
)

/**
 * Reads the site's articles, answers and documents once, and caches them for the life of the process. Throws
 * StartRefused, which names every mistake.
 */
export function contentOf(ctx: Context): Promise<Record<Locale, Content>> {
  const loaded = loadedOf(ctx)
  loaded.reading ??= readAll(ctx).catch((error: unknown) => {
    loaded.reading = null
    throw error
  })
  return loaded.reading
}

/**
 * Hashes everything that decides the site's texts: their files, the facts inserted into them, and the code that reads
 * them.
 */
export function fingerprintOf(ctx: Context): string {
  const hash = createHash('sha256').update(JSON.stringify(factsOf(ctx)))
  for (const folder of [CONTENT_FOLDER, import.meta.dirname]) {
    // Files are read synchronously, because no request is served yet, and promises cost three times as much.
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      hash.update(`${entry.parentPath}/${entry.name}\0${bytes.length}\0`).update(bytes)
    }
  }
  return hash.digest('base64url')
}

/** The parsers are imported lazily, because a start that reads no text needs neither YAML nor Markdown. */
async function readAll(ctx: Context): Promise<Record<Locale, Content>> {
  const [{ readContent }, { ContentMistakes }] = await Promise.all([
    import('./read-content.ts'),
    import('./content-file.ts'),
  ])
  return readContent(CONTENT_FOLDER, factsOf(ctx)).catch((error: unknown) => {
    throw error instanceof ContentMistakes ? new StartRefused(error.message) : error
  })
}

function factsOf(ctx: Context): Record<Locale, Record<(typeof FACT_NAMES)[number], string>> {
  const { config } = ctx
  const catalog = catalogOf(ctx)
  const same = {
    activation_minutes: minutes(config.activationSeconds),
    early_cancel_minutes: minutes(config.earlyCancelSeconds),
    contact_email: config.contactEmail,
    public_url: config.publicUrl.origin,
    message_keep_days: String(config.messageKeepDays),
    session_days: String(config.sessionDays),
    session_keep_days: String(config.sessionKeepDays),
    gateway_event_keep_days: String(config.gatewayEventKeepDays),
    receipt_keep_days: String(config.receiptKeepDays),
    deletion_days: String(DELETION_DAYS),
    export_days: String(EXPORT_DAYS),
    key_call_keep_days: String(KEY_CALL_KEEP_DAYS),
    key_calls_shown: String(KEY_CALLS_SHOWN),
    notification_keep_days: String(NOTIFICATION_KEEP_DAYS),
    loose_file_keep_days: String(LOOSE_FILE_KEEP_DAYS),
  }
  const counted = (locale: Locale) => ({
    services_count: catalog.services.size.toLocaleString(locale),
    countries_count: catalog.countries.size.toLocaleString(locale),
  })
  return {
    ru: { ...same, ...counted('ru'), rent_periods: rentPeriods('ru') },
    en: { ...same, ...counted('en'), rent_periods: rentPeriods('en') },
  }
}

function minutes(seconds: number): string {
  return String(Math.round((seconds / 60) * 10) / 10)
}

/** Writes for example «4 часа, 1 день … или 60 дней». */
function rentPeriods(locale: Locale): string {
  const words = RENT_PERIODS_HOURS.map((hours) => {
    const days = hours / 24
    const [value, unit] = days >= 1 ? [days, 'day' as const] : [hours, 'hour' as const]
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  })
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(words)
}
