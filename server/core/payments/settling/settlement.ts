import type { PaymentRow } from '#server/core/payments/queries/payments.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type AccountState, type Move, moveMoney } from '#server/house/money/move-money.ts'
import { changeOf, type MovementKind } from '#server/house/money/movement-kinds.ts'

/** The movements of a settlement so far and the resulting balances; a negative balance means that a debt is due. */
export type Settlement = {
  tx: Db
  row: PaymentRow
  now: Date
  moves: Move[]
  availableMicros: bigint
  debtMicros: bigint
}

export function beginSettlement(
  tx: Db,
  { row, account, now }: { row: PaymentRow; account: AccountState; now: Date },
): Settlement {
  const { availableMicros, debtMicros } = account
  return { tx, row, now, moves: [], availableMicros, debtMicros }
}

export function add(settlement: Settlement, move: Move): void {
  if (move.micros === 0n) return
  settlement.moves.push(move)
  settlement.availableMicros += changeOf(move.kind, 'available', move.micros)
  settlement.debtMicros -= changeOf(move.kind, 'debt', move.micros)
}

export function movedForDeposits({ moves }: Settlement, kind: MovementKind): bigint {
  const found = moves.filter((move) => move.kind === kind && move.reversalId === undefined)
  return found.reduce((sum, { micros }) => sum + micros, 0n)
}

/**
 * Moves the money of a settlement. Incoming money first repays a debt; what the balance cannot cover becomes a debt.
 * Reversals come last.
 */
export async function applyMoves(settlement: Settlement, account: AccountState): Promise<bigint> {
  if (settlement.moves.length === 0) return account.availableMicros
  const isTaking = ({ kind, micros, reversalId }: Move) =>
    reversalId !== undefined && changeOf(kind, 'available', micros) < 0n
  const taking = settlement.moves.filter(isTaking)
  settlement.moves = settlement.moves.filter((move) => !isTaking(move))
  const last = taking.at(-1)
  if (settlement.availableMicros < 0n && last !== undefined)
    add(settlement, { ...last, kind: 'debt', micros: -settlement.availableMicros })
  settlement.moves.push(...taking)
  const owed = settlement.debtMicros < settlement.availableMicros ? settlement.debtMicros : settlement.availableMicros
  add(settlement, { kind: 'repayment', micros: owed })
  return moveMoney(settlement.tx, { userId: settlement.row.user_id, at: settlement.now, moves: settlement.moves })
}
