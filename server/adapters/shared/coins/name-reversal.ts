import type { KnownReversal } from './queries.ts'

/**
 * What goes back, returns and goes back again is a reversal each time, though its vendor has one name for it. The first has
 * that name, as all had once; those after it a number as well.
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
