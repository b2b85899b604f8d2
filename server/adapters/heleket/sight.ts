import { DAY } from '#contract/time.ts'
import { atMost, type Exact, isLess, NOTHING } from '#server/adapters/shared/exact-decimal.ts'

/** Coins that are not final within this time lose the invoice's rate. */
const HOLDS_MS = DAY

/** Coins seen while the rate of their invoice was valid. `firm` of them are final; the others belong to `txid`. */
export type Sight = { asset: string; coins: Exact; firm: Exact; txid: string | null; seenAt: Date }

/**
 * A reply of Heleket. `came` is null if it has no sum, and `due` then stands for it. `isFirm` means that the payer
 * cannot replace the payment any more.
 */
export type Look = {
  asset: string
  came: Exact | null
  due: Exact
  isThere: boolean
  isFirm: boolean
  txid: string | null
  at: Date
}

export function sightOfNothing({ asset, at }: Pick<Look, 'asset' | 'at'>): Sight {
  return { asset, coins: NOTHING, firm: NOTHING, txid: null, seenAt: at }
}

/** Updates after a reply while the rate is valid: all reported coins are in time. */
export function seenInTime(before: Sight, look: Look): Sight {
  const { came, due, isFirm, txid, at } = look
  const { coins, firm, ...known } = sameAsset(before, look)
  if (!look.isThere) return sightOfNothing(look)
  const now = { ...known, txid: txid ?? known.txid, seenAt: at }
  if (came !== null) return { ...now, coins: came, firm: isFirm ? came : atMost(firm, came) }
  const isNew = coins.units === 0n || isOther(known, look)
  return { ...now, firm, coins: isNew && isLess(coins, due) ? due : coins }
}

/** Updates after a later reply: another transaction does not get the rate, and vanished coins lose it. */
export function seenLater(before: Sight, look: Look): Sight {
  const { came, isFirm, at } = look
  const sight = sameAsset(before, look)
  if (!look.isThere) return sightOfNothing(look)
  const isOver = at.getTime() - sight.seenAt.getTime() > HOLDS_MS
  const left = isOver || isOther(sight, look) ? sight.firm : sight.coins
  const coins = came === null ? left : atMost(left, came)
  return { ...sight, coins, firm: isFirm && came !== null ? coins : atMost(sight.firm, coins) }
}

/** Sums of another coin say nothing about this one. */
function sameAsset(before: Sight, look: Look): Sight {
  return before.asset === look.asset ? before : sightOfNothing(look)
}

function isOther({ txid: seen }: { txid: string | null }, { txid: told }: Look): boolean {
  return seen !== null && told !== null && seen !== told
}
