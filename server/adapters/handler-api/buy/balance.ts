import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { meaningOf } from '../wire/words.ts'
import type { Account } from './account.ts'

/** Reads our balance at the supplier. Throws if the balance cannot be read. */
export async function askBalance({ ask, link }: Pick<Account, 'ask' | 'link'>): Promise<bigint> {
  const reply = await ask({ action: 'getBalance' })
  link.note('key', meaningOf(reply.word) !== 'bad-key')
  const text = reply.word === 'ACCESS_BALANCE' ? reply.rest : undefined
  // A negative balance buys nothing, so it is read as 0.
  const micros = readAmount(
    (text ?? (isRecord(reply.json) ? reply.json.balance : undefined))?.toString().replace(/^-.*/, '0'),
  )
  if (micros === null) throw new Error(`a balance was answered with ${reply.word ?? `status ${reply.status}`}`)
  return micros
}

export async function readBalance(account: Account): Promise<void> {
  const micros = await askBalance(account)
  account.funds.read({ micros, at: account.ctx.clock.now() })
}
