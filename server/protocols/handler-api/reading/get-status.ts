import { z } from 'zod'
import type { Context } from '#server/context.ts'
import { findStatus, type StatusRow } from '#server/numbers/activations/queries/read.ts'
import { listMessages, type MessageRow } from '#server/numbers/listing/queries/messages.ts'
import { keyAction } from '../action.ts'
import { type Answer, json, lastField, text, word } from '../answer.ts'
import type { Dialect } from '../dialects/dialects.ts'
import { protocolTime } from '../dialects/times.ts'
import { activationId, flag } from '../parameters/parameter-schemas.ts'
import { heroSms } from './all-sms.ts'
import { codeOrText, currentMessage, MESSAGES_READ } from './current-message.ts'

const SMS_VERIFICATION = 0

/** `fullText`: Tiger's, the whole text in place of the code. */
type Shown = { dialect: Dialect; fullText: boolean }

/** The replies that differ between the three status actions. */
type Replies = {
  waiting(dialect: Dialect): Answer
  received(ctx: Context, row: StatusRow, shown: Shown): Promise<Answer>
  waitingAgain(ctx: Context, row: StatusRow, dialect: Dialect): Promise<Answer>
}

export const getStatus = statusAction({
  waiting: () => text('STATUS_WAIT_CODE'),
  received: async (ctx, row, { fullText }) =>
    text(`STATUS_OK:${lastField(fullText ? await textOf(ctx, row) : await codeOf(ctx, row))}`),
  waitingAgain: async (ctx, row) => text(`STATUS_WAIT_RETRY:${lastField(await codeOf(ctx, row))}`),
})

export const getStatusV2 = statusAction({
  waiting: nothingYet,
  received: async (ctx, row, { dialect }) => {
    const messages = await findMessages(ctx, row)
    const message = currentMessage(row, messages)
    return message === undefined ? nothingYet(dialect) : arrived(row, { message, messages }, dialect)
  },
  // The earlier code would be taken for the new one.
  waitingAgain: (_ctx, _row, dialect) => Promise.resolve(nothingYet(dialect)),
})

function nothingYet({ statusV2 }: Dialect): Answer {
  if (statusV2 === 'data') return json({ verificationType: 'sms', data: null, sms: null, call: null })
  const waiting = { verificationType: SMS_VERIFICATION, sms: null, call: null }
  return json(statusV2 === 'list' ? { ...waiting, activationStatus: 0 } : waiting)
}

type Messages = { message: MessageRow; messages: readonly MessageRow[] }

function arrived(row: StatusRow, { message, messages }: Messages, dialect: Dialect): Answer {
  const sms = smsOf(dialect, message)
  switch (dialect.statusV2) {
    case 'sms':
      return json({ verificationType: SMS_VERIFICATION, sms, call: null })
    case 'data':
      return json({ verificationType: 'sms', data: heroSms(dialect, row, message), sms, call: null })
    case 'list': {
      const all = messages.toReversed().map((each) => smsOf(dialect, each))
      return json({ verificationType: SMS_VERIFICATION, activationStatus: 1, sms: all, call: null })
    }
    default:
      return dialect.statusV2 satisfies never
  }
}

function smsOf(dialect: Dialect, { received_at: at, code, body }: MessageRow) {
  return { dateTime: protocolTime(dialect, at), code: code ?? '', text: body ?? '' }
}

export const getFullSms = statusAction({
  waiting: () => text('STATUS_WAIT_CODE'),
  received: async (ctx, row) => text(`FULL_SMS:${await textOf(ctx, row)}`),
  waitingAgain: () => Promise.resolve(text('STATUS_WAIT_CODE')),
})

function statusAction(replies: Replies) {
  return keyAction({
    scope: 'read',
    parameters: z.object({ id: activationId, full_text: flag }),
    refusals: { id: word('NO_ACTIVATION') },
    async handle(ctx, member, { id, full_text: fullText }, dialect) {
      const row = await findStatus(ctx.db, { id, userId: member.userId })
      return row === null ? word('NO_ACTIVATION') : replyFor(ctx, row, { replies, shown: { dialect, fullText } })
    },
  })
}

async function replyFor(
  ctx: Context,
  row: StatusRow,
  { replies, shown }: { replies: Replies; shown: Shown },
): Promise<Answer> {
  switch (row.state) {
    case 'waiting':
      return replies.waiting(shown.dialect)
    case 'received':
      return replies.received(ctx, row, shown)
    case 'waiting_again':
      return replies.waitingAgain(ctx, row, shown.dialect)
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

async function codeOf(ctx: Context, row: StatusRow): Promise<string> {
  // The most frequent poll: a single code needs no second query.
  if (row.code !== null && (row.again_asked_at === null || row.state === 'waiting_again')) return row.code
  return codeOrText(await findMessage(ctx, row))
}

async function textOf(ctx: Context, row: StatusRow): Promise<string> {
  return (await findMessage(ctx, row))?.body ?? ''
}

async function findMessage(ctx: Context, row: StatusRow): Promise<MessageRow | undefined> {
  return currentMessage(row, await findMessages(ctx, row))
}

async function findMessages(ctx: Context, row: StatusRow): Promise<readonly MessageRow[]> {
  const messages = await listMessages(ctx.db, 'activation', { numbers: [row], perNumber: MESSAGES_READ })
  return messages.get(row.id) ?? []
}
