import { ALERT_LIFETIME_MS, ALERT_REPLACE_DELAY_MS, ALERT_STAGGER_MS } from '#contract/constants.ts'

export type Alert = { id: string; type: 'info' | 'error'; text: string }

type ShownAlert = Alert & {
  /** When it goes, in milliseconds. */
  until: number
  /** It was told to make room: nothing else has to leave for the one that waits. */
  leaving: boolean
}

/** What is seen, and what waits: for its turn, for room, or for the page to be looked at. Times are milliseconds. */
export type AlertQueue = {
  shown: readonly ShownAlert[]
  waiting: readonly Alert[]
  /** The page is in the background: nothing new is shown, everything waits. */
  hidden: boolean
  /** Before this moment no waiting alert appears: one per stagger. */
  nextAt: number
}

export const NO_ALERTS: AlertQueue = { shown: [], waiting: [], hidden: false, nextAt: 0 }

/** Puts alerts at the end of the line. One whose id is already there is not repeated. */
export function addAlerts(queue: AlertQueue, alerts: readonly Alert[]): AlertQueue {
  const known = new Set([...queue.shown, ...queue.waiting].map((alert) => alert.id))
  const added = alerts.filter((alert) => !known.has(alert.id))
  return added.length === 0 ? queue : { ...queue, waiting: [...queue.waiting, ...added] }
}

export function dismissAlert(queue: AlertQueue, id: string): AlertQueue {
  return { ...queue, shown: queue.shown.filter((alert) => alert.id !== id) }
}

/** Takes back the errors, those that wait as well: what they were about is being tried again, or has been left. */
export function clearErrors(queue: AlertQueue): AlertQueue {
  const isNews = ({ type }: Alert) => type !== 'error'
  if (queue.shown.every(isNews) && queue.waiting.every(isNews)) return queue
  return { ...queue, shown: queue.shown.filter(isNews), waiting: queue.waiting.filter(isNews) }
}

/** The queue as it stands at `now`, with at most `limit` alerts seen. A pure function of its input. */
export function advanceAlerts(queue: AlertQueue, now: number, limit: number): AlertQueue {
  const shown = queue.shown.filter((alert) => alert.until > now).slice(-limit)
  const state = { ...queue, shown }
  const [next, ...rest] = queue.waiting
  if (queue.hidden || next === undefined || now < queue.nextAt) return state
  if (shown.length < limit) {
    const appeared = { ...next, until: now + ALERT_LIFETIME_MS, leaving: false }
    return { ...state, shown: [...shown, appeared], waiting: rest, nextAt: now + ALERT_STAGGER_MS }
  }
  if (shown.some((alert) => alert.leaving)) return state
  return { ...state, shown: shown.map((alert, index) => (index === 0 ? makeRoom(alert, now) : alert)) }
}

/** When `advanceAlerts` has something to do again; null when nothing will change by itself. */
export function alertsWakeAt(queue: AlertQueue, limit: number): number | null {
  const moments = queue.shown.map((alert) => alert.until)
  const roomComes = queue.shown.length >= limit && queue.shown.some((alert) => alert.leaving)
  if (queue.waiting.length > 0 && !queue.hidden && !roomComes) moments.push(queue.nextAt)
  return moments.length === 0 ? null : Math.min(...moments)
}

function makeRoom(alert: ShownAlert, now: number): ShownAlert {
  return { ...alert, until: Math.min(alert.until, now + ALERT_REPLACE_DELAY_MS), leaving: true }
}
