import { FULL_NUMBER } from '#contract/rental.ts'
import { HOUR } from '#contract/time.ts'
import type { Naming } from '#server/numbers/messages/naming.ts'
import { NUMBER_HELD_MS } from '#server/suppliers/supplier.ts'

export type Claim = {
  kind: 'activation' | 'rental'
  id: bigint
  userId: number
  /** Every service, of a rental `full`. */
  serviceCode: string
  /** It waits for its first or another code. */
  isWaiting: boolean
  againAskedAt: Date | null
  /** null: it holds the number. */
  endedAt: Date | null
}

/** The last two belong to nobody; they and `late` charge nobody. */
export type Given = ('reference' | 'named' | 'only-holder' | 'hinted' | 'by-hand') | ('late' | 'unmatched' | 'operator')

export type Choice =
  | { given: 'reference' | 'named' | 'only-holder' | 'hinted'; to: Claim }
  | { given: 'late'; to: Claim }
  | { given: 'unmatched' | 'operator'; to: null }

/** A named message is kept under an order that ended so recently. */
export const LATE_MS = 24 * HOUR

const NOBODY: Choice = { given: 'unmatched', to: null }

/**
 * The one rule of ownership (decision 0008), for all kinds and `storePlainly`. `claims`: all orders of the
 * number, at most LATE_MS past; with a reference, that order or none. In doubt the message is nobody's.
 */
export function chooseOwner(
  message: { naming: Naming; reference: string | null; receivedAt: Date },
  claims: readonly Claim[],
  familyOf: (serviceCode: string) => string,
): Choice {
  const { naming, reference, receivedAt } = message
  // Not even the supplier's word makes an operator's notice a code.
  if (naming.kind === 'operator') return { given: 'operator', to: null }
  if (reference !== null) return byReference(claims)
  const heldSince = new Date(receivedAt.getTime() - NUMBER_HELD_MS)
  const holders = claims.filter(({ endedAt }) => endedAt === null || endedAt > heldSince)
  if (naming.kind === 'mentioned') return byMention(holders)
  if (naming.kind === 'named') return byName(naming, { claims, holders, familyOf })
  return (naming.kind === 'hinted' ? byHint(naming.services, holders) : null) ?? unnamed(holders)
}

/** A reference to no order of the supplier is not guessed about. */
function byReference(claims: readonly Claim[]): Choice {
  const [to] = claims
  if (to === undefined) return NOBODY
  return { given: to.endedAt === null ? 'reference' : 'late', to }
}

type Named = Extract<Naming, { kind: 'named' }>

function byName(
  naming: Named,
  {
    claims,
    holders,
    familyOf,
  }: { claims: readonly Claim[]; holders: readonly Claim[]; familyOf: (serviceCode: string) => string },
): Choice {
  const fits = (claim: Claim) => fitsName(claim, naming, familyOf)
  const fitting = holders.filter(fits)
  if (fitting.length === 0) return lateFor(claims.filter(fits), naming)
  const exact = fitting.filter(({ serviceCode }) => serviceCode === naming.services[0])
  // The exact service wins over its relatives, even when its order has just ended.
  if (exact.length > 0 && !isOneAccount(fitting)) return given('named', exact)
  if (!isOneAccount(fitting)) return NOBODY
  const live = fitting.filter(isLive)
  const liveExact = exact.filter(isLive)
  if (live.length === 0) return lateFor(fitting, naming)
  return given('named', liveExact.length > 0 ? liveExact : live)
}

function fitsName(
  { kind, serviceCode }: Claim,
  { services, family }: Named,
  familyOf: (serviceCode: string) => string,
): boolean {
  if (services.includes(serviceCode)) return true
  // A rental gets whatever its service signs with.
  return kind === 'rental' && (serviceCode === FULL_NUMBER || familyOf(serviceCode) === family)
}

/** The last holder of the service; the exact one before its relatives. */
function lateFor(fitting: readonly Claim[], { services }: Named): Choice {
  const exact = fitting.filter(({ serviceCode }) => serviceCode === services[0])
  const [to] = (exact.length > 0 ? exact : fitting).toSorted(newestFirst)
  return to === undefined ? NOBODY : { given: 'late', to }
}

/** Counts only with exactly one fitting holder; null otherwise. */
function byHint(services: readonly string[], holders: readonly Claim[]): Choice | null {
  const [to, ...others] = holders.filter(({ serviceCode }) => services.includes(serviceCode))
  return to !== undefined && others.length === 0 && isLive(to) ? { given: 'hinted', to } : null
}

/** It may be an advert: the holder sees it, but it captures no price. */
function byMention(holders: readonly Claim[]): Choice {
  return holders.some(({ kind, isWaiting }) => kind === 'activation' && isWaiting) ? NOBODY : unnamed(holders)
}

function unnamed(holders: readonly Claim[]): Choice {
  return isOneAccount(holders) && holders.some(isLive) ? given('only-holder', holders.filter(isLive)) : NOBODY
}

/** The newest that waits; ended ones last, which charge nobody. */
function given(how: 'named' | 'only-holder', fitting: readonly Claim[]): Choice {
  const [to] = fitting.toSorted((one, other) => urgency(one) - urgency(other) || newestFirst(one, other))
  if (to === undefined) return NOBODY
  return { given: isLive(to) ? how : 'late', to }
}

function urgency(claim: Claim): number {
  if (!isLive(claim)) return 2
  return claim.isWaiting ? 0 : 1
}

/** Both may have been sold in one moment: the activation is for one service. */
function newestFirst(one: Claim, other: Claim): number {
  if (one.kind !== other.kind) return one.kind === 'activation' ? -1 : 1
  return Number(other.id - one.id)
}

function isLive({ endedAt }: Claim): boolean {
  return endedAt === null
}

function isOneAccount(claims: readonly Claim[]): boolean {
  return new Set(claims.map(({ userId }) => userId)).size === 1
}
