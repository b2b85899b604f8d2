import { type Inbox, receivePart } from './inbox.ts'
import type { Answer } from './session.ts'
import { decodePdu, type Pdu, STATUS } from './wire/pdu.ts'
import { readMessage } from './wire/read-message.ts'

export const MESSAGE_COMMANDS: readonly string[] = ['submit_sm', 'deliver_sm', 'data_sm']

/** The time within which a PDU with a known sequence number and content counts as a repeat. */
const REPEAT_MS = 60_000
const MAX_REMEMBERED = 256

type Remembered = { octets: Buffer; at: number; answer: Promise<Answer> }

export type MessageTaker = {
  take(pdu: Pdu): Promise<Answer>
  lost(): void
}

/** Creates the handler of messages, which acknowledges only committed ones. The peer must resend after `busyStatus`. */
export function createMessageTaker(inbox: Inbox, busyStatus: number): MessageTaker {
  const remembered = new Map<number, Remembered>()
  return {
    take: (pdu) => takeOnce(pdu),
    lost() {
      const since = inbox.ctx.clock.now().getTime() - REPEAT_MS
      for (const { octets, at } of remembered.values()) if (at > since) noteLost(inbox, octets, at)
    },
  }

  async function takeOnce(pdu: Pdu): Promise<Answer> {
    const at = inbox.ctx.clock.now().getTime()
    const before = remembered.get(pdu.sequence)
    if (before !== undefined && at - before.at < REPEAT_MS && before.octets.equals(pdu.octets)) return before.answer
    const answer = takeMessage(inbox, pdu, busyStatus)
    remember(remembered, pdu, { at, answer })
    const { status } = await answer
    // A refusal is not remembered, because the peer retries, perhaps with the same sequence number.
    if (status !== STATUS.ok && remembered.get(pdu.sequence)?.answer === answer) remembered.delete(pdu.sequence)
    return answer
  }
}

function noteLost(inbox: Inbox, octets: Buffer, at: number): void {
  const read = readMessage(decodePdu(octets))
  if (read.outcome === 'message' && read.part.partOf === null) inbox.lostAnswers.note(read.part, new Date(at))
}

function remember(
  remembered: Map<number, Remembered>,
  pdu: Pdu,
  { at, answer }: { at: number; answer: Promise<Answer> },
): void {
  remembered.delete(pdu.sequence)
  // The octets are a view of the connection's buffer, which would stay in memory without a copy.
  remembered.set(pdu.sequence, { octets: Buffer.from(pdu.octets), at, answer })
  if (remembered.size <= MAX_REMEMBERED) return
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest)
    return
  }
}

async function takeMessage(inbox: Inbox, pdu: Pdu, busyStatus: number): Promise<Answer> {
  const read = readMessage(pdu)
  if (read.outcome === 'refused') return { status: read.status }
  try {
    if (read.outcome === 'message') await receivePart(inbox, read.part)
  } catch (error) {
    inbox.ctx.log.error({ error, supplierId: inbox.supplierId }, 'an SMS could not be stored; the peer keeps it')
    return { status: busyStatus }
  }
  // A deliver_sm_resp leaves the message id empty, but the answers to submit_sm and data_sm need one.
  const messageId = pdu.command === 'deliver_sm' ? '' : inbox.ctx.random.uuid()
  return { status: STATUS.ok, fields: { message_id: messageId } }
}
