/** Returns a share from 0 to 1 in whole per cent, rounded down, because 100 % means all. */
export function wholePercent(share: number): number {
  // The small addend corrects floating point, which makes 0.29 * 100 slightly less than 29.
  return Math.floor(share * 100 + 1e-9)
}
