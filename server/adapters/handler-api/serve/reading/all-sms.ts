import { z } from 'zod'
import { ACTIVE_STATES } from '#contract/activation.ts'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { keyAction } from '../action.ts'
import { json, word } from '../answer.ts'
import { protocolTime } from '../dialects/times.ts'
import { activationId } from '../parameters/parameter-schemas.ts'

const MAX_MESSAGES = 1_000

/** Lists the messages of an open activation like HeroSMS, newest first. */
export const getAllSms = keyAction({
  scope: 'read',
  parameters: z.object({
    id: activationId,
    size: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(MAX_PAGE_SIZE),
    page: z.coerce.number().int().min(1).max(MAX_MESSAGES).catch(1),
  }),
  refusals: { id: word('NO_ACTIVATION') },
  async handle(ctx, member, { id, size, page }, dialect) {
    const row = await findActivation(ctx.db, { id, userId: member.userId })
    if (row === null || row.state === 'reserving' || row.state === 'failed') return word('NO_ACTIVATION')
    if (!ACTIVE_STATES.some((state) => state === row.state)) return word('ACTIVATION_NOT_ACTIVE')
    const perNumber = Math.min(page * size, MAX_MESSAGES)
    const found = (await listMessages(ctx.db, 'activation', { numbers: [row], perNumber })).get(row.id) ?? []
    const data = found.slice((page - 1) * size, page * size).map((message) => heroSms(dialect, row, message))
    return json({ data, meta: { total: row.sms_count, service: row.service_code } })
  },
})

export function heroSms(
  dialect: ServedDialect,
  row: Pick<ActivationRow, 'service_code'>,
  { id, sender, code, body, received_at: at }: MessageRow,
) {
  return {
    id: id.toString(),
    phoneFrom: sender,
    code,
    text: body,
    service: row.service_code,
    date: protocolTime(dialect, at),
    type: 'sms',
  }
}
