export const SCALE_STEPS = {
  count: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000],
  share: [0.1, 0.2, 0.25, 0.5, 1],
  seconds: [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400],
} as const

export type ScaleSteps = keyof typeof SCALE_STEPS

/**
 * Returns the indices of the days to label: every `step`-th, counted back from the last day. People look for the last
 * day first.
 */
export function namedDays(count: number, step: number): number[] {
  const whole = Math.max(1, Math.round(step))
  return Array.from({ length: Math.ceil(count / whole) }, (_, at) => count - 1 - at * whole).reverse()
}

/** Returns the indices of the hours to label: every `step`-th, counted from midnight, as on a clock. */
export function namedHours(count: number, step: number): number[] {
  const whole = Math.max(1, Math.round(step))
  return Array.from({ length: Math.ceil(count / whole) }, (_, at) => at * whole)
}
