import type { Locale } from '#contract/constants.ts'
import { STATUS_COMPONENTS, type StatusComponent, type StatusReply, type StatusState } from '#contract/status/status.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import { type Board, boardOf } from './follow-status.ts'
import { type Measured, UNKNOWN, worseOf } from './measured.ts'
import { OLD_MS } from './thresholds.ts'

/** Shows the last measurement from memory, with what this process knows of the database now. */
export function shownStatus(ctx: Context, locale: Locale): StatusReply {
  const old = ctx.db.outages.away || isOld(ctx)
  return once(ctx, `reply ${locale}`, () => makeStatus(ctx, { locale, old }))
}

/** Returns what was made of the same board and the same state of the database, or makes it. */
export function once<Made>(ctx: Context, name: string, make: () => Made): Made {
  const { made } = boardOf(ctx)
  const { away, refusesWrites } = ctx.db.outages
  const key = `${name} ${away} ${refusesWrites} ${isOld(ctx)}`
  // The cast is safe, because a name begins with its kind, and all of a kind have one type.
  const known = made.get(key) as Made | undefined
  if (known !== undefined) return known
  const fresh = make()
  made.set(key, fresh)
  return fresh
}

function isOld(ctx: Context): boolean {
  const { measured } = boardOf(ctx)
  return measured === null || ctx.clock.now().getTime() - Date.parse(measured.at) > OLD_MS
}

function makeStatus(ctx: Context, { locale, old }: { locale: Locale; old: boolean }): StatusReply {
  const board = boardOf(ctx)
  const { measured, days, incidents } = board
  const ofComponent = Map.groupBy(days, ({ component }) => component)
  // Nobody knows what works by old figures.
  const now = (state: StatusState) => (old && state === 'working' ? 'unknown' : state)
  const components = STATUS_COMPONENTS.map((id) => {
    const shown = component(ctx, id, { measured, days: ofComponent.get(id) ?? [] })
    return { ...shown, state: now(shown.state) }
  })
  const named = (row: { service_code: string; country_id: number }) => kindRecord(ctx, row, locale)
  const inCountry = (id: number) => {
    const { name, iso2 } = named({ service_code: '', country_id: id }).country
    return { name, iso2 }
  }
  return {
    status: true,
    measured_at: measured?.at ?? null,
    old,
    state: components.reduce<StatusState>((worst, { state }) => worseOf(worst, state), 'unknown'),
    components,
    services: (measured?.services ?? []).map((row) => ({
      ...row,
      state: now(row.state),
      name: named({ service_code: row.id, country_id: 0 }).service.name,
    })),
    countries: (measured?.countries ?? []).map((row) => ({ ...row, state: now(row.state), ...inCountry(row.id) })),
    links: (measured?.links ?? []).map((row) => ({ ...row, ...inCountry(row.id) })),
    incidents: incidents.map(({ id, components: about, notes, opened_at: openedAt, closed_at: closedAt }) => ({
      id,
      components: about,
      opened_at: openedAt.toISOString(),
      closed_at: closedAt?.toISOString() ?? null,
      notes: notes.map((note) => ({ at: note.at, text: note[locale] })),
    })),
  }
}

function component(
  ctx: Context,
  id: StatusComponent,
  { measured, days }: { measured: Measured | null; days: Board['days'] },
): StatusReply['components'][number] {
  const { state, value, usual, sample } = measured?.figures[id] ?? UNKNOWN
  const isAway = id === 'orders' && ctx.db.outages.away
  return {
    id,
    state: id === 'orders' ? stateOfOrders(ctx, state) : state,
    value: isAway ? null : value,
    usual,
    sample,
    available: availability(days),
    days: days.map(({ day, working, slow, partly, down }) => ({ day, working, slow, partly, down })),
  }
}

/** This process sees an outage of the database before anything can be measured. */
function stateOfOrders({ db }: Context, measured: StatusState): StatusState {
  if (db.outages.away) return 'down'
  return db.outages.refusesWrites ? worseOf('partly', measured) : measured
}

/** Rounds down to hundredths of a per cent, because 100 % means that nothing failed. */
function availability(days: Board['days']): number | null {
  let [good, all] = [0, 0]
  for (const { working, slow, partly, down } of days) {
    good += working + slow
    all += working + slow + partly + down
  }
  return all === 0 ? null : Math.floor((good / all) * 10_000) / 10_000
}
