import { isRecord, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { Intake, IntakeReading } from '#server/core/suppliers/supplier.ts'
import type { Account } from '../account.ts'
import type { Hints } from './hints.ts'

/** All known services expect 200 in reply to a push. DaisySMS accepts any 2xx. */
const ANSWER = { type: 'text/plain; charset=utf-8', text: 'OK' }

/**
 * Receives pushes, which are requests about new messages that services send unsigned. So a push only causes a poll, and
 * the codes in it are not read.
 */
export function createPushIntake(
  account: Account,
  { key, hints }: { key: string; hints: Pick<Hints, 'note'> },
): Intake {
  return {
    key,
    answer: ANSWER,
    verify: ({ method }) =>
      // The secret URL is the only check of a push. A repeated push does no harm.
      method === 'POST' ? { genuine: true, once: null } : { genuine: false, reason: 'it is no POST' },
    async read({ body }) {
      const activationId = activationOf(body)
      if (activationId === null) return ignored('it names no activation')
      const number = [...account.open.values()].find((one) => one.activationId === activationId)
      if (number === undefined) return ignored('it names no open number of ours')
      hints.note(number.reference)
      return ignored(`${number.reference} is looked at`)
    },
  }
}

const ignored = (reason: string): IntakeReading => ({ outcome: 'ignored', reason })

function activationOf(body: Buffer): string | null {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(json) ? textOf(json.activationId) : null
  } catch {
    return null
  }
}
