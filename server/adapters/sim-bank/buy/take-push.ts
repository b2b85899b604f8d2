import { KIBIBYTE } from '#contract/time.ts'
import { isReceiptText, RECEIPT } from '#server/adapters/shared/incoming/receipt-text.ts'
import type { Intake, IntakeAnswer, IntakeRequest, Verdict } from '#server/core/suppliers/supplier.ts'
import { parseExact, writeExact } from '../wire/exact-json.ts'
import { isKeyOf } from '../wire/keys.ts'
import { unpack } from '../wire/packed.ts'
import { failure, readPush, success } from '../wire/read-push.ts'
import { BAD_ACTION, BAD_DATA, BAD_KEY, NO_OPERATION, PUSH_SMS, PUSHED_CALLS } from '../wire/words.ts'
import type { Bank } from './bank.ts'
import { notePush } from './queries/trials.ts'

const MOST_BYTES = 64 * KIBIBYTE

/** Handles PUSH_SMS and other pushes of a bank. The key in the body is checked, but stored nowhere. */
export function takePush({ ctx, supplierId, settings }: Bank): Intake {
  return {
    key: settings.intakeKey,
    answer: said(success()),
    verify(request) {
      const json = readBody(request)
      if (json === null) return { ...refused('the body is not a JSON object', BAD_DATA), body: NOTHING }
      const { key, ...rest } = json
      const body = Buffer.from(writeExact(rest))
      // The comparison takes the same time for every key, right or wrong.
      if (!isKeyOf(settings, key, ctx.clock.now())) {
        return { ...refused('the key is wrong', BAD_KEY), body }
      }
      return judge(rest, body)
    },
    async intercept({ body, receivedAt: now }) {
      const json = parseExact(body.toString('utf8')) ?? {}
      const push = readPush(json)
      if (typeof push === 'string') return null
      const { smsId, phone } = push
      const numeric = [json.smsId, json.phone].every((value) => typeof value !== 'string')
      const accepted = await notePush(ctx.db, { supplierId, phone, smsId, numeric, now })
      if (accepted === null) return null
      return said(accepted ? success() : failure('TRY_AGAIN'))
    },
    async read({ body }) {
      const push = readPush(parseExact(body.toString('utf8')) ?? {})
      if (typeof push === 'string') return { outcome: 'unread', reason: push }
      const { smsId, phone, phoneFrom: sender, text } = push
      if (isReceiptText(text)) return RECEIPT
      return { outcome: 'messages', messages: [{ messageId: `${smsId}-${phone}`, phone, sender, text }] }
    },
  }
}

const NOTHING = Buffer.alloc(0)

/** Decides about a push. A bank repeats it until SUCCESS, so only faults that it can correct are refused. */
function judge(json: Record<string, unknown>, body: Buffer): Verdict {
  const { action } = json
  if (PUSHED_CALLS.includes(action)) return { genuine: true, answer: said(failure(NO_OPERATION)) }
  if (action !== PUSH_SMS) return { genuine: true, answer: said(failure(BAD_ACTION)) }
  const push = readPush(json)
  // The refused push is stored for staff who want to know why no codes come (`supplier:test`).
  if (typeof push === 'string') return { genuine: false, reason: push, body, answer: said(failure(push)) }
  return { genuine: true, once: `${push.smsId}-${push.phone}`, body }
}

function readBody({ headers, body }: IntakeRequest): Record<string, unknown> | null {
  try {
    return parseExact(unpack(body, { encoding: headers['content-encoding'], mostBytes: MOST_BYTES }))
  } catch {
    return null
  }
}

function refused(reason: string, word: string) {
  return { genuine: false as const, reason, answer: said(failure(word), FORBIDDEN) }
}

const FORBIDDEN = 403

function said(text: string, status?: number): IntakeAnswer {
  return { type: 'application/json; charset=utf-8', text, ...(status !== undefined && { status }) }
}
