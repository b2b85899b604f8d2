import { z } from 'zod'
import type { Context } from '#server/context.ts'
import { findActivation } from '#server/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/numbers/listing/queries/messages.ts'
import { keyAction } from './action.ts'
import { type Answer, json, lastField, protocolTime, text, word } from './answer.ts'
import { codeOrText, currentMessage, MESSAGES_READ } from './current-message.ts'
import { activationId } from './parameters/parameter-schemas.ts'

const SMS_VERIFICATION = 0

/** The replies that differ between the three status actions. */
type Replies = {
  waiting: Answer
  received(ctx: Context, row: ActivationRow): Promise<Answer>
  waitingAgain(ctx: Context, row: ActivationRow): Promise<Answer>
}

export const getStatus = statusAction({
  waiting: text('STATUS_WAIT_CODE'),
  received: async (ctx, row) => text(`STATUS_OK:${lastField(await codeOf(ctx, row))}`),
  waitingAgain: async (ctx, row) => text(`STATUS_WAIT_RETRY:${lastField(await codeOf(ctx, row))}`),
})

const nothingYet = json({ verificationType: SMS_VERIFICATION, sms: null, call: null })
export const getStatusV2 = statusAction({
  waiting: nothingYet,
  received: async (ctx, row) => {
    const message = await findMessage(ctx, row)
    const sms = message && {
      dateTime: protocolTime(message.received_at),
      code: message.code ?? '',
      text: message.body ?? '',
    }
    return json({ verificationType: SMS_VERIFICATION, sms: sms ?? null, call: null })
  },
  // The earlier code would be taken for the new one.
  waitingAgain: () => Promise.resolve(nothingYet),
})

export const getFullSms = statusAction({
  waiting: text('STATUS_WAIT_CODE'),
  received: async (ctx, row) => text(`FULL_SMS:${(await findMessage(ctx, row))?.body ?? ''}`),
  waitingAgain: () => Promise.resolve(text('STATUS_WAIT_CODE')),
})

function statusAction(replies: Replies) {
  return keyAction({
    scope: 'read',
    parameters: z.object({ id: activationId }),
    refusals: { id: word('NO_ACTIVATION') },
    async handle(ctx, member, { id }) {
      const row = await findActivation(ctx.db, { id, userId: member.userId })
      return row === null ? word('NO_ACTIVATION') : replyFor(ctx, row, replies)
    },
  })
}

async function replyFor(ctx: Context, row: ActivationRow, replies: Replies): Promise<Answer> {
  switch (row.state) {
    case 'waiting':
      return replies.waiting
    case 'received':
      return replies.received(ctx, row)
    case 'waiting_again':
      return replies.waitingAgain(ctx, row)
    case 'finished':
    case 'cancelled':
    case 'expired':
    case 'used':
      return text('STATUS_CANCEL')
    case 'reserving':
    case 'failed':
      // The buyer never got its id.
      return word('NO_ACTIVATION')
    default:
      return row.state satisfies never
  }
}

async function codeOf(ctx: Context, row: ActivationRow): Promise<string> {
  // The most frequent poll: a single code needs no second query.
  if (row.code !== null && (row.again_asked_at === null || row.state === 'waiting_again')) return row.code
  return codeOrText(await findMessage(ctx, row))
}

async function findMessage(ctx: Context, row: ActivationRow): Promise<MessageRow | undefined> {
  const messages = await listMessages(ctx.db, 'activation', { numbers: [row], perNumber: MESSAGES_READ })
  return currentMessage(row, messages.get(row.id) ?? [])
}
