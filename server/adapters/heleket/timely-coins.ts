import { DAY } from '#contract/time.ts'
import { atMost, type Exact, isLess, NOTHING } from '#server/adapters/shared/exact-decimal.ts'

/** The time within which coins must become final, or else they lose the invoice's rate. */
const HOLDS_MS = DAY

/** The coins seen while their invoice's rate was valid. `firm` of them are final, and `txid` brings the others. */
export type TimelyCoins = { asset: string; coins: Exact; firm: Exact; txid: string | null; seenAt: Date }

/** A reply of Heleket. `came` is null without a sum, and `due` then counts. The payer cannot replace a firm payment. */
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

/**
 * Returns the coins that arrived while the invoice's rate was valid, given a reply from that time. All coins in the
 * reply count.
 */
export function seenInTime(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  const { came, due, isFirm, txid, at } = look
  const { coins, firm, ...known } = sameAsset(before, look)
  if (!look.isThere) return noTimelyCoins(look)
  const now = { ...known, txid: txid ?? known.txid, seenAt: at }
  if (came !== null) return { ...now, coins: came, firm: isFirm ? came : atMost(firm, came) }
  const isNew = coins.units === 0n || isOther(known, look)
  return { ...now, firm, coins: isNew && isLess(coins, due) ? due : coins }
}

/**
 * Returns the coins that arrived while the invoice's rate was valid, given a later reply. Coins of a new transaction
 * and vanished coins do not count.
 */
export function seenLater(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  const { came, isFirm, at } = look
  const sight = sameAsset(before, look)
  if (!look.isThere) return noTimelyCoins(look)
  const isOver = at.getTime() - sight.seenAt.getTime() > HOLDS_MS
  const left = isOver || isOther(sight, look) ? sight.firm : sight.coins
  const coins = came === null ? left : atMost(left, came)
  return { ...sight, coins, firm: isFirm && came !== null ? coins : atMost(sight.firm, coins) }
}

/** Drops the known coins if the reply names another coin, because sums of different coins cannot be compared. */
function sameAsset(before: TimelyCoins, look: InvoiceReply): TimelyCoins {
  return before.asset === look.asset ? before : noTimelyCoins(look)
}

function isOther({ txid: seen }: { txid: string | null }, { txid: told }: InvoiceReply): boolean {
  return seen !== null && told !== null && seen !== told
}
