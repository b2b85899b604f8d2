import { ALERT_LIFETIME_MS, ALERT_REPLACE_DELAY_MS, ALERT_STAGGER_MS } from '#contract/constants.ts'

export type Alert = { id: string; type: 'info' | 'error'; text: string }

type ShownAlert = Alert & {
  until: number
  /** True for the one alert that disappears early to make room for a waiting alert. */
  leaving: boolean
}

/** Times in the queue are in epoch milliseconds. */
export type AlertQueue = {
  shown: readonly ShownAlert[]
  waiting: readonly Alert[]
  /** True if the page is in the background, so that alerts wait. */
  hidden: boolean
  /** No waiting alert appears before this time, so that alerts appear one after another. */
  nextAt: number
}

export const NO_ALERTS: AlertQueue = { shown: [], waiting: [], hidden: false, nextAt: 0 }

export function addAlerts(queue: AlertQueue, alerts: readonly Alert[]): AlertQueue {
  const known = new Set([...queue.shown, ...queue.waiting].map((alert) => alert.id))
  const added = alerts.filter((alert) => !known.has(alert.id))
  return added.length === 0 ? queue : { ...queue, waiting: [...queue.waiting, ...added] }
}

export function dismissAlert(queue: AlertQueue, id: string): AlertQueue {
  return { ...queue, shown: queue.shown.filter((alert) => alert.id !== id) }
}

/** Removes errors from the queue of alerts, because the user retries the action, or opens or closes a dialog. */
export function clearErrors(queue: AlertQueue): AlertQueue {
  const isNews = ({ type }: Alert) => type !== 'error'
  if (queue.shown.every(isNews) && queue.waiting.every(isNews)) return queue
  return { ...queue, shown: queue.shown.filter(isNews), waiting: queue.waiting.filter(isNews) }
}

/** Returns the queue at the time `now`, with at most `limit` alerts shown. The function is pure. */
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

/** Returns the time at which `advanceAlerts` has to run next; null if nothing changes by itself. */
export function alertsWakeAt(queue: AlertQueue, limit: number): number | null {
  const moments = queue.shown.map((alert) => alert.until)
  const roomComes = queue.shown.length >= limit && queue.shown.some((alert) => alert.leaving)
  if (queue.waiting.length > 0 && !queue.hidden && !roomComes) moments.push(queue.nextAt)
  return moments.length === 0 ? null : Math.min(...moments)
}

function makeRoom(alert: ShownAlert, now: number): ShownAlert {
  return { ...alert, until: Math.min(alert.until, now + ALERT_REPLACE_DELAY_MS), leaving: true }
}
