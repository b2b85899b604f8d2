import { FULL_NUMBER } from '#contract/rental.ts'
import { HOUR } from '#contract/time.ts'
import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'
import { type Answer, judge } from '../messages/judge.ts'
import type { Naming } from '../messages/naming.ts'
import type { Reading } from '../messages/reading.ts'
import type { SenderBook } from '../messages/sender-book.ts'
import { codeFor } from './read-code.ts'

export type Claim = {
  kind: 'activation' | 'rental'
  id: bigint
  userId: number
  /** The code of the service. A rental with the code `full` gets messages of every service. */
  serviceCode: string
  isWaiting: boolean
  isPaid: boolean
  againAskedAt: Date | null
  /** The time when the order ended; null means that the order still holds the number. */
  endedAt: Date | null
}

/**
 * How a message was given to an order. The first five ways charge the order, and the last three give the message to
 * nobody. `folded` messages exceed a minute's limit of messages without a code.
 */
export type Given =
  | ('reference' | 'named' | 'only-holder' | 'hinted' | 'by-hand')
  | ('late' | 'notice' | 'opened' | 'folded')
  | ('unmatched' | 'operator' | 'junk')

/** The decision about a message. A notice (`isNotice`) does not end the wait for a code and captures no money. */
export type Choice =
  | { given: 'reference' | 'named' | 'only-holder' | 'notice'; to: Claim; code: string | null; isNotice: boolean }
  | { given: 'late'; to: Claim; code: string | null }
  | { given: 'unmatched' | 'operator' | 'junk'; to: null; code: string | null }

/** The time in ms after an order's end in which a message naming its service is still stored under the order. */
export const LATE_MS = 24 * HOUR

export type Judged = {
  reading: Reading
  reference: string | null
  /** The code that the supplier itself read; null if the supplier sent none. */
  toldCode: string | null
  receivedAt: Date
}

/**
 * Decides which order gets a message (decision 0013); `storePlainly` has a part of this rule in SQL. `claims` are the
 * number's orders that are open or ended within LATE_MS, or at most the order that the message references. A doubtful
 * message goes to nobody.
 */
export function chooseOwner(message: Judged, claims: readonly Claim[], book: SenderBook): Choice {
  const { reading, reference } = message
  const nobody = (given: 'unmatched' | 'operator' | 'junk'): Choice => ({
    given,
    to: null,
    // The handover of a message that came before its order was settled uses the supplier's code (hand-over.ts).
    code: reference === null ? codeFor(reading, null) : message.toldCode,
  })
  if (reading.isBlank || reading.notText !== undefined) return nobody('junk')
  // A mobile operator's notice is never a code, even if the supplier says so.
  if (reading.naming.kind === 'operator') return nobody('operator')
  if (reference !== null) return byReference(message, claims, book) ?? nobody('unmatched')
  return likeliest(reading, findFitting(message, claims, book), book) ?? nobody('unmatched')
}

/** A message with the reference of no order goes to nobody. The supplier's code replaces our reading. */
function byReference(
  { reading, toldCode }: Pick<Judged, 'reading' | 'toldCode'>,
  [to]: readonly Claim[],
  book: SenderBook,
): Choice | null {
  if (to === undefined) return null
  if (toldCode === null) return give('reference', { to, answer: answerFor(reading, to, book), reading })
  return give('reference', { to, answer: { kind: 'code', code: toldCode }, reading })
}

/**
 * Returns the likeliest order for a message. Orders for which the message is a code come before orders for which it is
 * a notice. Orders that hold the number come before ended orders.
 */
function likeliest(reading: Reading, { way, fitting }: Fitting, book: SenderBook): Choice | null {
  const judged = fitting
    .map((to) => ({ to, answer: answerFor(reading, to, book), reading }))
    .filter(({ answer }) => answer.kind !== 'nobody')
  const weight = ({ to, answer }: { to: Claim; answer: Answer }) => urgency(to) + (answer.kind === 'notice' ? 3 : 0)
  const [first] = judged.toSorted((one, other) => weight(one) - weight(other) || newestFirst(one.to, other.to))
  return first === undefined ? null : give(way, first)
}

type Answered = { to: Claim; answer: Answer; reading: Reading }

function give(way: 'reference' | 'named' | 'only-holder', { to, answer, reading }: Answered): Choice | null {
  if (answer.kind === 'nobody') return null
  const told = answer.kind === 'code' ? answer.code : null
  if (!isLive(to)) return { given: 'late', to, code: told ?? codeFor(reading, to) }
  if (answer.kind === 'code') return { given: way, to, code: answer.code, isNotice: false }
  // A buyer who has paid may read every message.
  return { given: to.isPaid ? way : 'notice', to, code: null, isNotice: true }
}

/** A rental shows any code that can be read. */
function answerFor(reading: Reading, to: Claim, book: SenderBook): Answer {
  return to.kind === 'rental' ? { kind: 'code', code: codeFor(reading, to) } : judge(book, reading, to.serviceCode)
}

type Fitting = { way: 'named' | 'only-holder'; fitting: readonly Claim[] }

function findFitting({ reading, receivedAt }: Judged, claims: readonly Claim[], book: SenderBook): Fitting {
  const heldSince = new Date(receivedAt.getTime() - NUMBER_HELD_MS)
  const holders = claims.filter(({ endedAt }) => endedAt === null || endedAt > heldSince)
  const { naming } = reading
  if (naming.kind !== 'named') {
    // If two accounts had the number, only a message that names a service is given to an order.
    return { way: 'only-holder', fitting: isOneAccount(holders) ? holders.filter(isLive) : [] }
  }
  return { way: 'named', fitting: findNamed(naming, { claims, holders, book }) }
}

type Named = Extract<Naming, { kind: 'named' }>

function findNamed(
  naming: Named,
  { claims, holders, book }: { claims: readonly Claim[]; holders: readonly Claim[]; book: SenderBook },
): readonly Claim[] {
  const isExact = ({ serviceCode }: Claim) => serviceCode === naming.services[0]
  const fits = (claim: Claim) => fitsName(claim, naming, book)
  const fitting = holders.filter(fits)
  const exact = fitting.filter(isExact)
  // An order of the exact service wins over orders of related services, even if it has just ended.
  if (exact.length > 0 && !isOneAccount(fitting)) return exact.toSorted(likeliestFirst).slice(0, 1)
  if (fitting.length > 0 && !isOneAccount(fitting)) return []
  const live = fitting.filter(isLive)
  if (live.length > 0) return live.some(isExact) ? live.filter(isExact) : live
  // A late message goes to the last order of the service that it names, before orders of related services.
  const past = fitting.length > 0 ? fitting : claims.filter(fits)
  return (past.some(isExact) ? past.filter(isExact) : past).toSorted(newestFirst).slice(0, 1)
}

function fitsName({ kind, serviceCode }: Claim, { services, family }: Named, book: SenderBook): boolean {
  if (services.includes(serviceCode)) return true
  // A rental gets every message of its service's family.
  return kind === 'rental' && (serviceCode === FULL_NUMBER || book.familyOf(serviceCode) === family)
}

function likeliestFirst(one: Claim, other: Claim): number {
  return urgency(one) - urgency(other) || newestFirst(one, other)
}

/** Ranks an order: the lowest value is an order that waits for a code. Ended orders come last and are not charged. */
function urgency(claim: Claim): number {
  if (!isLive(claim)) return 2
  return claim.isWaiting ? 0 : 1
}

/** Sorts newest first. An activation comes before a rental of the same moment, because it is for one service only. */
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
