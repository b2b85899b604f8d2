import type { StatusComponent, StatusState } from '#contract/status/status.ts'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'

/** `slow`, `partly` and `down` are bounds. Beyond a bound, in the direction of `worse`, the state is that or worse. */
type Threshold = {
  measured: string
  worse: 'above' | 'below'
  slow?: number
  partly?: number
  down?: number
  why: string
}

/** docs/status.md shows this table. */
export const THRESHOLDS: Readonly<Record<StatusComponent, Threshold>> = {
  codes: {
    measured: 'codes per purchase of the last hour, as a share of the usual',
    worse: 'below',
    slow: 0.85,
    partly: 0.6,
    down: 0.2,
    why: 'a sixth fewer codes is what buyers notice; below a fifth a purchase is as good as lost',
  },
  messages: {
    measured: 'seconds that a received message waits until it is stored, the longest of the last minute',
    worse: 'above',
    slow: 10,
    partly: 60,
    down: 300,
    why: 'people ask for another code after a minute; services drop a code after five',
  },
  links: {
    measured: 'share of links to suppliers that work; a country without any is `partly`',
    worse: 'below',
    partly: 0.5,
    down: 0.01,
    why: 'one link is lost every week, and others sell the same numbers meanwhile',
  },
  orders: {
    measured: 'seconds until the database answers; `down` while it is away or buying is stopped',
    worse: 'above',
    slow: 0.25,
    partly: 2,
    why: 'a purchase makes three statements, which then take a second; after two seconds purchases queue',
  },
  site: {
    measured: 'seconds within which 95 % of pages were answered in five minutes',
    worse: 'above',
    slow: 1,
    partly: 3,
    why: 'a page above a second feels slow; people leave after three',
  },
  api: {
    measured: 'seconds within which 95 % of calls were answered in five minutes, without those that wait for a code',
    worse: 'above',
    slow: 3,
    partly: 10,
    why: 'a purchase may ask a supplier for eight seconds; programs give up after ten',
  },
  mails: {
    measured: 'seconds that the oldest letter waits',
    worse: 'above',
    slow: 120,
    partly: 600,
    down: 1800,
    why: 'a letter has a code that people wait for, which is good for ten minutes',
  },
  payments: {
    measured:
      'seconds by which the oldest check of a payment is late; `partly` or `down` if some or all gateways see no payments',
    worse: 'above',
    slow: 120,
    partly: 600,
    why: 'money that was sent should be on the balance within minutes',
  },
}

/** From these shares of replies with a status of 5xx on, pages or calls count as failing. */
export const FAILING = { partly: 0.05, down: 0.5 } as const

/** A smaller number of purchases says nothing about the share of codes. */
export const LEAST_PURCHASES = 20
export const LEAST_PURCHASES_OF_WEEK = 10
export const LEAST_WEEKS = 2
/** A share is worse than usual only if chance alone, as standard deviations, explains it no more. */
export const CHANCE_DEVIATIONS = 2
/** Fewer replies say nothing about the time of most replies. */
export const LEAST_REPLIES = 20
export const REPLIES_WINDOW_MS = 5 * MINUTE
export const CODES_WINDOW_MS = HOUR
export const INTAKE_WINDOW_MS = MINUTE
/** Figures that are older are marked as old. Figures are measured every 15 seconds. */
export const OLD_MS = 90 * SECOND

export function stateOf(component: StatusComponent, value: number): StatusState {
  const { worse, slow, partly, down } = THRESHOLDS[component]
  const isBeyond = (bound: number | undefined) =>
    bound !== undefined && (worse === 'above' ? value > bound : value < bound)
  return isBeyond(down) ? 'down' : isBeyond(partly) ? 'partly' : isBeyond(slow) ? 'slow' : 'working'
}
