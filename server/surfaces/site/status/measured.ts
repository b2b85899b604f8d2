import { STATUS_STATES, type StatusComponent, type StatusState } from '#contract/status/status.ts'

export type Figure = { state: StatusState; value: number | null; usual: number | null; sample: number | null }

/** The shares of codes of one service or country. */
export type Shares<Id> = {
  id: Id
  state: StatusState
  share: number | null
  usual: number | null
  sample: number | null
}

export type CountryLinks = { id: number; up: number; total: number }

/** A measurement of the service, as it is stored. It names no supplier and has no exact number of sales. */
export type Measured = {
  at: string
  figures: Partial<Record<StatusComponent, Figure>>
  services: Shares<string>[]
  countries: Shares<number>[]
  links: CountryLinks[]
}

export const UNKNOWN: Figure = { state: 'unknown', value: null, usual: null, sample: null }

export function figure(state: StatusState, value: number | null): Figure {
  return { ...UNKNOWN, state, value: value === null ? null : rounded(value) }
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

export function worseOf(one: StatusState, other: StatusState): StatusState {
  return rank(one) >= rank(other) ? one : other
}

export function rank(state: StatusState): number {
  return STATUS_STATES.indexOf(state)
}

const SAMPLE_STEPS = [10, 20, 50, 100, 200, 500, 1_000]

/** Rounds a number of purchases down to a step, so that /status does not tell sales. */
export function sampleOf(count: number): number | null {
  return SAMPLE_STEPS.findLast((step) => step <= count) ?? null
}
