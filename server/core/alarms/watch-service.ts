import { GATEWAY_ALARMS, SUPPLIER_ALARMS } from '#contract/mails.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { supplierListsOf } from '#server/core/catalog/offers/supplier-lists.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import { listRateFaults } from '#server/house/rates/queries.ts'
import {
  countReferralWaiting,
  countUnmatched,
  countUnowned,
  endAlarm,
  type InService,
  listAlarms,
  listInService,
  noteAbout,
} from './queries.ts'
import { type Alarm, isWatching, nameOf, setAlarm, tellUnmuted } from './set-alarm.ts'
import { findMailDown } from './watch-mail.ts'
import { type Found, findSupplierFaults } from './watch-suppliers.ts'

/** The time after which an outage of a supplier's link raises an alarm, because links fail for a moment every day. */
const LINK_DOWN_MS = MINUTE
const RATE_OLD_MS = DAY
const MOST_PAIRS = 10

export async function watchService(ctx: Context): Promise<void> {
  if (!isWatching(ctx)) return
  await tellUnmuted(ctx)
  const abouts = new Map((await listAlarms(ctx.db)).map(({ name, about }) => [name, about]))
  const standing = new Set(abouts.keys())
  const inService = await listInService(ctx.db, new Date(ctx.clock.now().getTime() - LINK_DOWN_MS))
  const found = [
    ...findLinks(ctx),
    ...findNotRunning(ctx, inService),
    ...(await findSupplierFaults(ctx, standing)),
    ...(await findRates(ctx)),
    ...(await findGatewayFaults(ctx, standing)),
    await findUnmatched(ctx, standing),
    findUnsold(ctx, { inService, standing }),
    await findUnowned(ctx),
    await findMailDown(ctx, standing),
    ...(await findReferralWaiting(ctx)),
  ]
  for (const { alarm, stands } of found) {
    const [name, { about }] = [nameOf(alarm), alarm]
    if (stands !== standing.has(name)) await setAlarm(ctx, alarm, stands)
    else if (stands && about !== '' && about !== abouts.get(name)) await noteAbout(ctx.db, { name, about })
  }
  const kept = new Set(inService.map(({ code }) => code))
  for (const alarm of standing) await endOfRemoved(ctx, alarm, kept)
}

function findLinks(ctx: Context): Found[] {
  const now = ctx.clock.now().getTime()
  return suppliersOf(ctx)
    .all()
    .flatMap((supplier) => {
      const link = supplier.link?.()
      // After a start, a standing alarm waits for the first answer of the supplier, which alone can end the alarm.
      if (link === undefined || link.unproven === true) return []
      const alarm: Alarm = { kind: 'link-down', about: supplier.code }
      if (!link.up && now - link.since.getTime() < LINK_DOWN_MS) return []
      return [{ alarm, stands: !link.up }]
    })
}

/** Finds suppliers that could not be started, which receive no messages, whatever their kind. */
function findNotRunning(ctx: Context, inService: readonly InService[]): Found[] {
  const running = new Set(
    suppliersOf(ctx)
      .all()
      .map(({ code }) => code),
  )
  return inService
    .filter(({ code, settled }) => settled && !running.has(code))
    .map(({ code }) => ({ alarm: { kind: 'link-down', about: code }, stands: true }))
}

async function findRates(ctx: Context): Promise<Found[]> {
  const rates = await listRateFaults(ctx.db, new Date(ctx.clock.now().getTime() - RATE_OLD_MS))
  return rates.flatMap(({ currency: about, old, doubtful }) => [
    { alarm: { kind: 'rate-old', about }, stands: old },
    { alarm: { kind: 'rate-doubtful', about }, stands: doubtful },
  ])
}

/** Begins an alarm for each fault that a gateway reports, and ends it when the gateway no longer reports the fault. */
async function findGatewayFaults(ctx: Context, standing: ReadonlySet<string>): Promise<Found[]> {
  const told: Alarm[] = []
  const asked = new Set<string>()
  for (const { gateway } of gatewaysOf(ctx).all()) {
    told.push(...((await gateway.listFaults?.()) ?? []))
    asked.add(gateway.code)
  }
  const names = new Set(told.map(nameOf))
  const over = [...standing].flatMap((name) => {
    const kind = GATEWAY_ALARMS.find((one) => name.startsWith(`${one} `))
    if (kind === undefined || names.has(name)) return []
    const about = name.slice(kind.length + 1)
    // A blockchain that cannot be read is also behind, so the alarm "chain-stopped" keeps "chain-behind" as it is.
    if (kind === 'chain-behind' && names.has(nameOf({ kind: 'chain-stopped', about }))) return []
    // A gateway that could not be started reports nothing, so its alarms stand.
    return asked.has(about.split(',')[0] ?? '') ? [{ kind, about }] : []
  })
  return [...told.map((alarm) => ({ alarm, stands: true })), ...over.map((alarm) => ({ alarm, stands: false }))]
}

/** Finds money in accounts of erased users, because coins and late payments still arrive at their addresses. */
async function findUnowned(ctx: Context): Promise<Found> {
  return counted('money-unowned', await countUnowned(ctx.db))
}

/**
 * Finds pairs of service and country that a higher cost took off sale. An unknown price list does not end the alarm.
 */
function findUnsold(
  ctx: Context,
  { inService, standing }: { inService: readonly InService[]; standing: ReadonlySet<string> },
): Found {
  const pairs = catalogOf(ctx).unsoldPairs().toSorted()
  const more = pairs.length - MOST_PAIRS
  const about = [...pairs.slice(0, MOST_PAIRS), ...(more > 0 ? [`+${more}`] : [])].join(', ')
  const alarm: Alarm = { kind: 'price-below-cost', about }
  const isUnknown = standing.has(nameOf(alarm)) && inService.some((supplier) => hidesOffers(ctx, supplier))
  return { alarm, stands: pairs.length > 0 || isUnknown }
}

/** Returns true if a supplier's offers are unknown before its first answer, or hidden because its health is bad. */
function hidesOffers(ctx: Context, { id, paused }: InService): boolean {
  if (paused) return false
  return supplierListsOf(ctx).of(id).activated.listed?.isSaved !== true || healthBookOf(ctx).of(id).state === 'aside'
}

/** Begins the alarm about unmatched messages at a limit and ends it at half of that, so that it does not flap. */
async function findUnmatched(ctx: Context, standing: ReadonlySet<string>): Promise<Found> {
  const most = ctx.config.alarmUnmatched
  const since = new Date(ctx.clock.now().getTime() - HOUR)
  const count = await countUnmatched(ctx.db, { since })
  const alarm: Alarm = { kind: 'unmatched', about: String(most) }
  const limit = standing.has(nameOf(alarm)) ? most / 2 : most
  return { alarm, stands: count > limit }
}

/** Finds referral withdrawals and suspects that wait for staff, as one alarm each until none waits. */
async function findReferralWaiting(ctx: Context): Promise<Found[]> {
  const { withdrawals, suspects } = await countReferralWaiting(ctx.db)
  return [counted('referral-withdrawals', withdrawals), counted('referral-suspects', suspects)]
}

function counted(kind: Alarm['kind'], count: number): Found {
  return { alarm: { kind, about: count === 0 ? '' : String(count) }, stands: count > 0 }
}

/** Ends the alarm of a removed supplier without an announcement, because such a supplier cannot recover. */
async function endOfRemoved(ctx: Context, name: string, inService: ReadonlySet<string>): Promise<void> {
  const [kindName, code] = name.split(' ')
  const kind = SUPPLIER_ALARMS.find((one) => one === kindName)
  if (kind === undefined || code === undefined || inService.has(code)) return
  await endAlarm(ctx.db, name)
  ctx.log.warn({ alarm: name, over: true, told: false }, 'an alarm is over')
}
