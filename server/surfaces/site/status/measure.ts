import { HOUR } from '#contract/time.ts'
import type { GatewayFault } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import { type MeasuredCodes, measureCodes } from './measure-codes.ts'
import { measureLinks } from './measure-links.ts'
import { measureReplies } from './measure-replies.ts'
import { type Figure, figure, type Measured, UNKNOWN, worseOf } from './measured.ts'
import { findDelays } from './queries.ts'
import { INTAKE_WINDOW_MS, stateOf } from './thresholds.ts'

const NO_CODES: MeasuredCodes = { figure: UNKNOWN, services: [], countries: [] }

/** Measures every part of the service. A part whose reads fail is unknown, and the others are measured. */
export async function measure(ctx: Context): Promise<Measured> {
  const beganAt = performance.now()
  await ctx.db.query({ name: 'status-answer', text: 'SELECT' })
  const answerSeconds = (performance.now() - beganAt) / 1_000
  const codes = await orUnknown(ctx, () => measureCodes(ctx), NO_CODES)
  const links = measureLinks(ctx)
  return {
    at: ctx.clock.now().toISOString(),
    figures: {
      codes: codes.figure,
      links: links.figure,
      orders: figure(buyingOf(ctx).stopped ? 'down' : stateOf('orders', answerSeconds), answerSeconds),
      ...(await measureReplies(ctx)),
      ...(await orUnknown(ctx, () => measureDelays(ctx), {})),
    },
    services: codes.services,
    countries: codes.countries,
    links: links.countries,
  }
}

async function orUnknown<Value>(ctx: Context, work: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (ctx.db.outages.away) throw error
    ctx.log.warn({ error }, 'a part of the status could not be measured')
    return otherwise
  }
}

async function measureDelays(ctx: Context): Promise<Measured['figures']> {
  const now = ctx.clock.now()
  const since = (ms: number) => new Date(now.getTime() - ms)
  const gateways = gatewaysOf(ctx).all()
  const delays = await findDelays(ctx.db, {
    now,
    intakeSince: since(INTAKE_WINDOW_MS),
    messagesSince: since(HOUR),
    gatewayIds: gateways.map(({ gateway }) => gateway.id),
    supplierIds: suppliersOf(ctx).ids(),
  })
  const messages = stateOf('messages', delays.intake)
  return {
    // Links without messages for an hour may be silent, so only a message tells that the intake works.
    messages: messages === 'working' && !delays.has_messages ? UNKNOWN : figure(messages, delays.intake),
    mails: figure(stateOf('mails', delays.mails), delays.mails),
    payments: gateways.length === 0 ? UNKNOWN : await measurePayments(ctx, delays.payments),
  }
}

/** The faults of a gateway that sees no payments. Other faults concern staff alone. */
const BLIND = new Set<GatewayFault['kind']>(['chain-stopped', 'chain-behind'])

async function measurePayments(ctx: Context, lateSeconds: number): Promise<Figure> {
  const all = gatewaysOf(ctx).all()
  let failing = 0
  for (const { gateway } of all) {
    const faults = (await gateway.listFaults?.()) ?? []
    if (faults.some(({ kind }) => BLIND.has(kind))) failing += 1
  }
  const failed = failing === 0 ? 'working' : failing === all.length ? 'down' : 'partly'
  return figure(worseOf(stateOf('payments', lateSeconds), failed), lateSeconds)
}
