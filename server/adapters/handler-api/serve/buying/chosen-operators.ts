import { ANY_OPERATOR } from '#contract/catalog.ts'

/** Returns the named operators that have offers, in the order in which to try them. Null means any operator. */
export function chosenOperators(names: readonly string[], offers: readonly { operator: string }[]): (string | null)[] {
  const chosen = new Set<string | null>()
  for (const name of names) {
    const found =
      name === ANY_OPERATOR ? null : offers.find(({ operator }) => operator.toLowerCase() === name)?.operator
    if (found !== undefined) chosen.add(found)
    if (found === null) break
  }
  return chosen.size === 0 ? [null] : [...chosen]
}
