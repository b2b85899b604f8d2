export type Target = { atLeast: number } | { atMost: number }

/** Measures several functions in alternating order, so that changes of the machine's speed affect all of them alike. */
export async function takeTurns<Name extends string, Figure>(
  rounds: number,
  contenders: Record<Name, () => Promise<Figure>>,
): Promise<Record<Name, Figure[]>> {
  // Object.keys loses the type of the keys, so a cast is needed.
  const names = Object.keys(contenders) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Name, Figure[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await contenders[name]())
  }
  return figures
}

export function ratiosOf(figures: readonly number[], base: readonly number[]): number[] {
  return figures.map((figure, round) => figure / (base[round] ?? Number.NaN))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function printFigures(what: string, figures: readonly number[], unit: string): void {
  console.log(
    `  ${what.padEnd(NAME_WIDTH)} ${figures.map(short).join('  ')}   median ${short(median(figures))} ${unit}`,
  )
}

export function printRatio(what: string, ratios: readonly number[], target: Target | null): void {
  const found = median(ratios)
  const rounds = ratios.map((ratio) => ratio.toFixed(2)).join('  ')
  const judged = target === null ? '' : `, ${judge(found, target)}`
  console.log(`  ${what.padEnd(NAME_WIDTH)} ${rounds}   median ${found.toFixed(2)}${judged}`)
}

export function judge(found: number, target: Target): string {
  const good = 'atLeast' in target ? found >= target.atLeast : found <= target.atMost
  const wanted = 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`
  return `${wanted}: ${good ? 'ok' : 'short'}`
}

const NAME_WIDTH = 46

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}
