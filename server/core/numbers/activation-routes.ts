import type { PurchaseInput } from '#contract/activation.ts'
import type { KeyScope } from '#contract/api-key.ts'
import { activations } from '#contract/calls/number-calls.ts'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { memberNow } from '#server/core/accounts/sign-in/caller-of.ts'
import { withoutText } from '#server/core/numbers/listing/message-record.ts'
import type { Context } from '#server/house/context.ts'
import { keyForbidden, notFound } from '#server/house/errors/errors.ts'
import { type Call, route, type Wire } from '#server/house/http/call.ts'
import { type Member, type MemberCaller, mayRead } from '#server/house/http/caller.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { readPrice } from '#server/house/http/read-price.ts'
import { askForAnotherCode } from './activations/ask-another-code.ts'
import { cancelActivation, markActivationUsed } from './activations/cancel.ts'
import { finishActivation } from './activations/finish.ts'
import { listActiveNumbers } from './activations/list-active.ts'
import { openActivation } from './activations/open-notice.ts'
import { findActivation } from './activations/queries/read.ts'
import type { ActivationRow } from './activations/queries/row.ts'
import { toRecords } from './activations/record.ts'
import { waitForCode } from './activations/wait-for-code.ts'
import { buyActivation } from './purchase/buy.ts'
import { buyMany } from './purchase/buy-many.ts'
import { repeatActivation } from './purchase/repeat.ts'
import { replaceActivation } from './purchase/replace.ts'
import { reportNotMyCode } from './refunds/not-my-code.ts'

export const activationCalls: Call[] = [
  route(activations.active, listActiveNumbers),
  route(activations.buy, (ctx, caller, input, wire) =>
    buy(ctx, caller, { item: input, idempotencyKey: idempotencyKeyOf(wire) }),
  ),
  route(activations.buyMany, async (ctx, caller, { items }, wire) => {
    const data = await buyMany(ctx, {
      caller,
      items,
      idempotencyKey: idempotencyKeyOf(wire),
      hungUp: hungUp(wire),
      requireBuyer: async () => {
        if (wire !== undefined) await requireStill(ctx, wire, { begunBy: caller.member, call: activations.buyMany })
      },
      buy: (item, idempotencyKey) => buy(ctx, caller, { item, idempotencyKey }),
    })
    return { status: true, data }
  }),
  route(activations.one, async (ctx, caller, { id, wait }, wire) => {
    const found = await waitForCode(ctx, {
      waitSeconds: wire === undefined ? 0 : wait,
      onHangUp: (hangUp) => wire?.reply.raw.on('close', hangUp),
      find: () => findActivation(ctx.db, { id, userId: caller.member.userId }),
    })
    if (wire !== undefined && wait > 0) await requireStill(ctx, wire, { begunBy: caller.member, call: activations.one })
    if (found === null) throw notFound()
    return answer(ctx, caller, found)
  }),
  ...(
    [
      [activations.cancel, cancelActivation],
      [activations.again, askForAnotherCode],
      [activations.finish, finishActivation],
      [activations.used, markActivationUsed],
      [activations.open, openActivation],
      [activations.notMyCode, reportNotMyCode],
    ] as const
  ).map(([call, run]) =>
    route(call, async (ctx, caller, { id }) =>
      answer(ctx, caller, await run(ctx, { activationId: id, userId: caller.member.userId })),
    ),
  ),
  ...(
    [
      [activations.replace, replaceActivation],
      [activations.repeat, repeatActivation],
    ] as const
  ).map(([call, run]) =>
    route(call, async (ctx, caller, { id, price }, wire) => {
      const { userId } = caller.member
      const purchase = {
        shownPriceMicros: readPrice(price),
        idempotencyKey: idempotencyKeyOf(wire),
        apiKeyId: caller.member.key?.id ?? null,
      }
      return answer(ctx, caller, await run(ctx, { activationId: id, userId, ...purchase }))
    }),
  ),
]

/** Checks during a long call that the caller may still call. Throws UNAUTHENTICATED, BLOCKED or FORBIDDEN. */
async function requireStill(
  ctx: Context,
  { request }: Wire,
  { begunBy, call }: { begunBy: Member; call: { who: { scope: KeyScope } } },
): Promise<void> {
  const { key } = await memberNow(ctx, request, begunBy)
  const { scope } = call.who
  if (key?.scopes.includes(scope) === false) throw keyForbidden(scope)
}

function hungUp(wire: Wire | undefined): AbortSignal {
  const left = new AbortController()
  wire?.reply.raw.on('close', () => left.abort())
  return left.signal
}

async function buy(
  ctx: Context,
  caller: MemberCaller,
  { item, idempotencyKey }: { item: PurchaseInput; idempotencyKey: string | undefined },
) {
  const { member } = caller
  const { activation } = await buyActivation(ctx, {
    userId: member.userId,
    currency: member.currency,
    serviceCode: item.service_id,
    countryId: item.country_id,
    operator: item.operator_id === undefined || item.operator_id === ANY_OPERATOR ? null : item.operator_id,
    shownPriceMicros: readPrice(item.price),
    maxPriceMicros: readPrice(item.max_price, 'max_price'),
    idempotencyKey,
    apiKeyId: member.key?.id ?? null,
    channel: 'site',
  })
  return answer(ctx, caller, activation)
}

async function answer(ctx: Context, caller: MemberCaller, row: ActivationRow) {
  const [data] = await toRecords(ctx, [row], caller.locale)
  if (data === undefined) throw new Error('a record was lost')
  return { status: true as const, data: mayRead(caller.member) ? data : withoutText(data) }
}
