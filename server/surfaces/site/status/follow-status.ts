import { STATUS_COMPONENTS, STATUS_DAYS, type StatusComponent, type StatusState } from '#contract/status/status.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { holdsLease } from '#server/house/nodes/node.ts'
import { type Incident, listIncidents } from './incident-queries.ts'
import { measure } from './measure.ts'
import type { Measured } from './measured.ts'
import { type DayRow, findMeasured, listDays, type Minutes, storeMeasured } from './queries.ts'

/** The contents of /status, which are shown from memory and so outlive an outage of the database. */
export type Board = {
  measured: Measured | null
  days: readonly DayRow[]
  incidents: readonly Incident[]
  /** Why the last tries to measure failed: the database was away, or something else. Null if the last one was stored. */
  trouble: 'away' | 'other' | null
  /** Replies and files made of this board, by what they depend on. */
  made: Map<string, unknown>
}

export const boardOf = perContext(
  'board of the status',
  { scope: 'process', nodes: 'told', lost: 'nothing: it is read from the tables' },
  (): Board => ({ measured: null, days: [], incidents: [], trouble: null, made: new Map() }),
)

/** A longer time without any process is an outage. A restart takes less. */
const RESTART_MINUTES = 5

/** The node that does the work of the house measures. Every node reads what was measured. */
export async function followStatus(ctx: Context): Promise<void> {
  if (holdsLease(ctx, 'house')) await measureAndStore(ctx)
  await readStatus(ctx)
}

async function measureAndStore(ctx: Context): Promise<void> {
  const board = boardOf(ctx)
  try {
    const measured = await measure(ctx)
    const minutes = minutesSince(ctx, board.measured, measured)
    await storeMeasured(ctx.db, { measured, minutes, now: ctx.clock.now() })
    board.trouble = null
  } catch (error) {
    board.trouble = ctx.db.outages.away ? 'away' : (board.trouble ?? 'other')
    throw error
  }
}

export async function readStatus(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - (STATUS_DAYS - 1) * DAY)
  const board: Omit<Board, 'trouble'> = {
    measured: await findMeasured(ctx.db),
    days: await listDays(ctx.db, dayOf(since)),
    incidents: await listIncidents(ctx.db, since),
    made: new Map(),
  }
  Object.assign(boardOf(ctx), board)
}

/** Returns the whole minutes since the last measurement, by day, part and state. The new states are those of the last minute. */
function minutesSince(ctx: Context, before: Measured | null, { at, figures }: Measured): Minutes[] {
  const now = Math.floor(Date.parse(at) / MINUTE)
  const last = before === null ? now - 1 : Math.floor(Date.parse(before.at) / MINUTE)
  const from = Math.max(last, now - 1)
  return STATUS_COMPONENTS.flatMap((component) => [
    ...split(last, from, { component, state: stateOfGap(ctx, component, from - last) }),
    ...split(from, now, { component, state: figures[component]?.state ?? 'unknown' }),
  ])
}

/**
 * Returns the state of a part while nothing was measured. Nothing was ordered while the database was away, or while no
 * process ran. A demo is stopped for the night, which is no outage.
 */
function stateOfGap(ctx: Context, component: StatusComponent, minutes: number): StatusState {
  const { trouble } = boardOf(ctx)
  if (component !== 'orders' || trouble === 'other') return 'unknown'
  if (trouble === 'away') return 'down'
  return minutes > RESTART_MINUTES && !ctx.config.demo ? 'down' : 'unknown'
}

const MINUTES_OF_DAY = DAY / MINUTE

function split(from: number, until: number, of: Pick<Minutes, 'component' | 'state'>): Minutes[] {
  const parts: Minutes[] = []
  let begin = Math.max(from, until - STATUS_DAYS * MINUTES_OF_DAY)
  while (begin < until) {
    const end = Math.min(until, (Math.floor(begin / MINUTES_OF_DAY) + 1) * MINUTES_OF_DAY)
    parts.push({ ...of, day: dayOf(new Date(begin * MINUTE)), minutes: end - begin })
    begin = end
  }
  return parts
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
