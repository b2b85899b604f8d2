import { DAY } from '#contract/time.ts'
import { atMost, type Exact, isLess, NOTHING } from '#server/adapters/shared/exact-decimal.ts'

/** Coins that are not final within this time lose the invoice's rate. */
const HOLDS_MS = DAY

/** Coins seen while the rate of their invoice was valid. `firm` of them are final; the others belong to `txid`. */
export type TimelyCoins = { asset: string; coins: Exact; firm: Exact; txid: string | null; seenAt: Date }

/**
 * A reply of Heleket. `came` is null if it has no sum, and `due` then stands for it. `isFirm` means that the payer
 * cannot replace the payment any more.
 */
export type InvoiceReply = {
  asset: string
  came: Exact | null
  due: Exact
  isThere: boolean
  isFirm: boolean
  txid: string | null
  at: Date
}

export function noTimelyCoins({ asset, at }: Pick<InvoiceReply, 'asset' | 'at'>): TimelyCoins {
  return { asset, coins: NOTHING, firm: NOTHING, txid: null, seenAt: at }
}

/** Updates after a reply while the rate is valid: all reported coins are in time. */
export function seenInTime(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  const { came, due, isFirm, txid, at } = look
  const { coins, firm, ...known } = sameAsset(before, look)
  if (!look.isThere) return noTimelyCoins(look)
  const now = { ...known, txid: txid ?? known.txid, seenAt: at }
  if (came !== null) return { ...now, coins: came, firm: isFirm ? came : atMost(firm, came) }
  const isNew = coins.units === 0n || isOther(known, look)
  return { ...now, firm, coins: isNew && isLess(coins, due) ? due : coins }
}

/** Updates after a later reply: another transaction does not get the rate, and vanished coins lose it. */
export function seenLater(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  const { came, isFirm, at } = look
  const sight = sameAsset(before, look)
  if (!look.isThere) return noTimelyCoins(look)
  const isOver = at.getTime() - sight.seenAt.getTime() > HOLDS_MS
  const left = isOver || isOther(sight, look) ? sight.firm : sight.coins
  const coins = came === null ? left : atMost(left, came)
  return { ...sight, coins, firm: isFirm && came !== null ? coins : atMost(sight.firm, coins) }
}

/** Sums of another coin say nothing about this one. */
function sameAsset(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  return before.asset === look.asset ? before : noTimelyCoins(look)
}

function isOther({ txid: seen }: { txid: string | null }, { txid: told }: InvoiceReply): boolean {
  return seen !== null && told !== null && seen !== told
}
