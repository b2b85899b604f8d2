import { z } from 'zod'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { openNotice } from '#server/core/numbers/activations/open-notice.ts'
import { findActivation, findStatus, type StatusRow } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import type { Context } from '#server/house/context.ts'
import { mayBuy } from '#server/house/http/caller.ts'
import { keyAction } from '../action.ts'
import { type Answer, json, lastField, text, word } from '../answer.ts'
import { protocolTime } from '../dialects/times.ts'
import { activationId, flag } from '../parameters/parameter-schemas.ts'
import { heroSms } from './all-sms.ts'
import { codeOrText, currentMessage, MESSAGES_READ } from './current-message.ts'

const SMS_VERIFICATION = 0

/** `fullText` is Tiger's option to get the whole text instead of the code. */
type Shown = { dialect: ServedDialect; fullText: boolean }

/** `whole` loads the full row, which is needed only for replies with messages. */
type Polled = { status: StatusRow; whole(): Promise<ActivationRow | null> }

type Replies = {
  waiting(dialect: ServedDialect): Answer
  received(ctx: Context, polled: Polled, shown: Shown): Promise<Answer>
  waitingAgain(ctx: Context, polled: Polled, dialect: ServedDialect): Promise<Answer>
}

export const getStatus = statusAction({
  waiting: () => text('STATUS_WAIT_CODE'),
  received: async (ctx, polled, { fullText }) =>
    text(`STATUS_OK:${lastField(fullText ? await textOf(ctx, polled) : await codeOf(ctx, polled))}`),
  waitingAgain: async (ctx, polled) => text(`STATUS_WAIT_RETRY:${lastField(await codeOf(ctx, polled))}`),
})

export const getStatusV2 = statusAction({
  waiting: nothingYet,
  received: async (ctx, polled, { dialect }) => {
    const told = await findMessages(ctx, polled)
    return told === null ? nothingYet(dialect) : arrived(told, dialect)
  },
  // The earlier code is not repeated, because a program would take it for the new one.
  waitingAgain: (_ctx, _polled, dialect) => Promise.resolve(nothingYet(dialect)),
})

function nothingYet({ statusV2 }: ServedDialect): Answer {
  if (statusV2 === 'data') return json({ verificationType: 'sms', data: null, sms: null, call: null })
  const waiting = { verificationType: SMS_VERIFICATION, sms: null, call: null }
  return json(statusV2 === 'list' ? { ...waiting, activationStatus: 0 } : waiting)
}

type Messages = { row: ActivationRow; message: MessageRow; messages: readonly MessageRow[] }

function arrived({ row, message, messages }: Messages, dialect: ServedDialect): Answer {
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

function smsOf(dialect: ServedDialect, { received_at: at, code, body }: MessageRow) {
  return { dateTime: protocolTime(dialect, at), code: code ?? '', text: body ?? '' }
}

export const getFullSms = statusAction({
  waiting: () => text('STATUS_WAIT_CODE'),
  received: async (ctx, polled) => text(`FULL_SMS:${await textOf(ctx, polled)}`),
  waitingAgain: () => Promise.resolve(text('STATUS_WAIT_CODE')),
})

function statusAction(replies: Replies) {
  return keyAction({
    scope: 'read',
    parameters: z.object({ id: activationId, full_text: flag }),
    refusals: { id: word('NO_ACTIVATION') },
    async handle(ctx, member, { id, full_text: fullText }, dialect) {
      const own = { id, userId: member.userId }
      const status = await findStatus(ctx.db, own)
      if (status === null) return word('NO_ACTIVATION')
      // A program that requests the full text also wants to read a notice without a code, and pays for it.
      const opened = fullText && status.state === 'waiting' && mayBuy(member) ? await openNotice(ctx, own) : null
      const polled = { status: opened ?? status, whole: () => findActivation(ctx.db, own) }
      return replyFor(ctx, polled, { replies, shown: { dialect, fullText } })
    },
  })
}

async function replyFor(
  ctx: Context,
  polled: Polled,
  { replies, shown }: { replies: Replies; shown: Shown },
): Promise<Answer> {
  const { state } = polled.status
  switch (state) {
    case 'waiting':
      return replies.waiting(shown.dialect)
    case 'received':
      return replies.received(ctx, polled, shown)
    case 'waiting_again':
      return replies.waitingAgain(ctx, polled, shown.dialect)
    case 'finished':
    case 'cancelled':
    case 'expired':
    case 'used':
      return text('STATUS_CANCEL')
    case 'reserving':
    case 'failed':
      // The buyer gets no id of a reserving or failed activation.
      return word('NO_ACTIVATION')
    default:
      return state satisfies never
  }
}

async function codeOf(ctx: Context, polled: Polled): Promise<string> {
  const { code, again_asked_at: askedAt, state } = polled.status
  // The most frequent poll finds one code, which needs no second query.
  if (code !== null && (askedAt === null || state === 'waiting_again')) return code
  return codeOrText((await findMessages(ctx, polled))?.message)
}

async function textOf(ctx: Context, polled: Polled): Promise<string> {
  return (await findMessages(ctx, polled))?.message.body ?? ''
}

async function findMessages(ctx: Context, { whole }: Polled): Promise<Messages | null> {
  const row = await whole()
  if (row === null) return null
  const newest = await listMessages(ctx.db, 'activation', { numbers: [row], perNumber: MESSAGES_READ })
  const messages = newest.get(row.id) ?? []
  const message = currentMessage(row, messages)
  return message === undefined ? null : { row, message, messages }
}
