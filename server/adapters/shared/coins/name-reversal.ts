import type { KnownReversal } from './queries.ts'

/**
 * Names a reversal (a refund or a dispute). Money may go back repeatedly, but the vendor has one name for all
 * reversals. The first reversal keeps that name, as in old data, and later ones get a number.
 */
export function nameReversal(
  name: string,
  { known, isTaken }: { known: readonly KnownReversal[]; isTaken: boolean },
): string {
  const same = known.filter(({ provider_id: id }) => id === name || id.startsWith(`${name}#`))
  const last = same.at(-1)
  if (last === undefined) return name
  return isTaken && !last.stands ? `${name}#${same.length + 1}` : last.provider_id
}
