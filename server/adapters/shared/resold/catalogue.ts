import { createHash } from 'node:crypto'
import { MEBIBYTE, SECOND } from '#contract/time.ts'
import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { runYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'
import type { ResoldAccount } from './account.ts'
import type { Names } from './names.ts'
import { type CodeKind, replaceUnmapped } from './queries/codes.ts'

export type Catalogue = {
  /** Returns the offers of the last readable reply. Throws before the first readable reply. */
  offers(): Offer[]
  refresh(): Promise<void>
}

/** A price in the supplier's codes. The supplier chooses the mobile operator if `operator` is missing. */
export type PricedPair = { country: string; service: string; operator?: string; costMicros: bigint; stock: number }

/** `hash` covers the reply, and `broken` counts unreadable prices. `keep` accepts the list and its ETag. */
export type ToldPrices = { pairs: PricedPair[]; broken: number; hash: string; keep(): void }

type Source = {
  readNames(): Promise<Names>
  /**
   * Reads a supplier's prices. Returns null if no price has changed. Sends no ETag if `anew` is true, so that the reply
   * is complete. Throws if the reply is unreadable.
   */
  readPrices(anew: boolean): Promise<ToldPrices | null>
}

/** A list is doubted if the one before had at least this many offers, and the list has at most a tenth of them. */
const WORTH_A_DOUBT = 10
const MOST_LOST = 10
/** The number of times that a doubtful list must be repeated before it is accepted. */
const MOST_DOUBTS = 3
const MAX_UNMAPPED = 2_000
const LONGEST_CODE = 64
/** The numbers of characters and offers that are processed before other work may run. */
const HASHED_AT_ONCE = MEBIBYTE
const TRANSLATED_AT_ONCE = 5_000

/** Holds the prices and stock that a supplier returned last. An unreadable reply changes nothing. */
export function createCatalogue(account: ResoldAccount, { readNames, readPrices }: Source): Catalogue {
  const { ctx, supplierId } = account
  let offers: Offer[] | null = null
  let seen = ''
  let doubts = 0

  const isDoubtful = (next: readonly Offer[]): boolean => {
    const had = offers?.length ?? 0
    if (had < WORTH_A_DOUBT || next.length * MOST_LOST > had) return false
    doubts += 1
    return doubts < MOST_DOUBTS
  }

  return {
    offers() {
      if (offers === null) throw new Error('it has not told its prices yet')
      return offers
    },
    async refresh() {
      const names = await readNames()
      const isRenamed = names.fingerprint !== account.names.fingerprint
      account.names = names
      const told = await readPrices(isRenamed)
      if (told === null) return
      const hash = createHash('sha256').update(told.hash).update(names.fingerprint).digest('base64')
      if (hash === seen) return
      const translated = await runYielding(translate(account, told.pairs))
      if (isDoubtful(translated.offers)) {
        const fields = { supplier: account.code, had: offers?.length, told: translated.offers.length }
        ctx.log.warn(fields, 'a supplier suddenly tells nearly no prices: the last ones stand for now')
        return
      }
      doubts = 0
      if (told.broken > 0) {
        ctx.log.warn({ supplier: account.code, pairs: told.broken }, 'prices of a supplier cannot be read')
      }
      await replaceUnmapped(ctx.db, { supplierId, rows: translated.unmapped, now: ctx.clock.now() })
      const isFirst = offers === null
      offers = translated.offers
      seen = hash
      told.keep()
      if (isFirst) refreshOffersSoon(ctx, supplierId)
    },
  }
}

export function* hashOf(text: string): Yielding<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < text.length; at += HASHED_AT_ONCE) {
    if (at > 0) yield
    hash.update(text.slice(at, at + HASHED_AT_ONCE))
  }
  return hash.digest('base64')
}

type Translated = { offers: Offer[]; unmapped: { kind: CodeKind; theirs: string; offers: number }[] }

function* translate({ names, settings }: ResoldAccount, pairs: readonly PricedPair[]): Yielding<Translated> {
  const { operator: unchosen, currency } = settings
  const unmapped = new Map<string, { kind: CodeKind; theirs: string; offers: number }>()
  const ours = (kind: CodeKind, theirs: string): string | null => {
    const found = names.ours(kind, theirs)
    if (found !== undefined) return found
    const entry = unmapped.get(`${kind} ${theirs}`)
    if (entry !== undefined) entry.offers += 1
    else if (unmapped.size < MAX_UNMAPPED && theirs.length <= LONGEST_CODE)
      unmapped.set(`${kind} ${theirs}`, { kind, theirs, offers: 1 })
    return null
  }
  const offers: Offer[] = []
  for (const [place, { country, service, operator = unchosen, costMicros, stock }] of pairs.entries()) {
    if (place % TRANSLATED_AT_ONCE === TRANSLATED_AT_ONCE - 1) yield
    const countryId = ours('country', country)
    const serviceCode = ours('service', service)
    if (countryId === null || serviceCode === null) continue
    offers.push({ serviceCode, countryId: Number(countryId), operator, costMicros, currency, stock })
  }
  return { offers, unmapped: [...unmapped.values()] }
}

/** Returns the delay after failed refreshes, short at first and growing to the usual interval. */
export function retryMs(failures: number, usualMs: number): number {
  return Math.min(usualMs, 2 ** Math.min(failures, 10) * SECOND)
}
