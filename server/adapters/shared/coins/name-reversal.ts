import type { KnownReversal } from './queries.ts'

/**
 * Names a reversal. Money that goes back, returns and goes back again is a new reversal each time, though the vendor
 * has one name for it. The first reversal keeps that name, as in old data; later ones get a number.
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
