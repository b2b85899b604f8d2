import type { OpenNumber } from '#server/adapters/shared/resold/open-number.ts'
import type { ReadMessage } from '#server/adapters/shared/resold/sold-number.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { readToldCode } from '#server/adapters/shared/resold/wire/told-code.ts'
import { readItem } from '../wire/read-active.ts'
import type { Reply } from '../wire/read-reply.ts'
import { meaningOf } from '../wire/words.ts'
import { type Account, orderNameOf } from './account.ts'

export type Status = { isOver: boolean; isAgain: boolean; messages: ReadMessage[] }

type Asked = Pick<OpenNumber, 'reference' | 'activationId'>

const WAITS: Status = { isOver: false, isAgain: false, messages: [] }

/** Polls one number. Throws if the supplier's reply tells nothing about the number. */
export async function askStatus(account: Account, number: Asked, signal?: AbortSignal): Promise<Status> {
  if (account.dialect.orderId === 'lookup') return askOrder(account, number, signal)
  const parameters = { id: number.activationId }
  const reply = await account.ask({ action: 'getStatus', parameters, ...(signal && { signal }) })
  const meaning = meaningOf(reply.word)
  if (meaning === 'no-activation' || meaning === 'over') return { ...WAITS, isOver: true }
  switch (reply.word) {
    case 'STATUS_WAIT_CODE':
      return WAITS
    case 'STATUS_WAIT_RETRY':
    case 'STATUS_WAIT_RESEND':
      return { ...WAITS, isAgain: true }
    case 'STATUS_CANCEL':
    case 'ACCESS_CANCEL':
      return { ...WAITS, isOver: true }
    case 'STATUS_OK':
    case 'FULL_SMS': {
      const told = reply.rest.replace(/^(['"])(.*)\1$/s, '$2')
      const isCode = reply.word === 'STATUS_OK'
      const whole = isCode ? await askText(account, number, signal) : null
      const code = isCode ? readToldCode(told) : null
      return { ...WAITS, messages: [{ id: null, sender: '', text: whole ?? told, code }] }
    }
    default:
      throw new Error(`a status was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
}

/** Polls a number at another installation of Ringpost, which also returns messages that came just before the end. */
async function askOrder(account: Account, { reference }: Asked, signal?: AbortSignal): Promise<Status> {
  const parameters = { orderId: orderNameOf(account, reference) }
  const reply = await account.ask({ action: 'getOrder', parameters, ...(signal && { signal }) })
  const answer = isRecord(reply.json) ? reply.json : {}
  if (answer.order === 'none') return { ...WAITS, isOver: true }
  const item = answer.order === 'open' || answer.order === 'ended' ? readItem(answer, '3') : null
  if (item === null) throw new Error(`an order was answered with ${reply.word ?? `status ${reply.status}`}`)
  return { isOver: answer.order === 'ended', isAgain: item.isAgain, messages: item.messages }
}

/** Returns the text of a message, or null if the supplier tells only the code. */
async function askText(account: Account, { activationId }: Asked, signal?: AbortSignal): Promise<string | null> {
  const action = account.dialect.text
  if (action === null) return null
  const reply = await account.ask({ action, parameters: { id: activationId }, ...(signal && { signal }) })
  return action === 'getFullSms' ? readFullSms(reply) : readStatusV2(reply)
}

function readFullSms(reply: Reply): string | null {
  return reply.word === 'FULL_SMS' && reply.rest !== '' ? reply.rest : null
}

function readStatusV2({ json }: Reply): string | null {
  if (!isRecord(json)) return null
  const messages = [json.sms, json.data].flatMap((value) => (Array.isArray(value) ? value : [value])).filter(isRecord)
  const text = messages.at(-1)?.text
  return typeof text === 'string' && text !== '' ? text : null
}
