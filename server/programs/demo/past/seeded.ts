/** Draws that are equal at every first start, so that each demo has the same history. */
export type Seeded = {
  /** Returns a number from 0 up to 1, without 1. */
  share(): number
  between(least: number, most: number): number
  /** Returns a whole number from `least` to `most`. */
  whole(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  weighed<Item>(items: readonly (readonly [Item, number])[]): Item
  hex(bytes: number): string
}

/** Makes draws by mulberry32, which is short and good enough for a history. */
export function createSeeded(seed: number): Seeded {
  let state = seed
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  return {
    share,
    whole,
    between: (least, most) => least + share() * (most - least),
    pick: (items) =>
      weighedBy(
        share(),
        items.map((item) => [item, 1] as const),
      ),
    weighed: (items) => weighedBy(share(), items),
    hex: (bytes) => Array.from({ length: bytes }, () => whole(0, 255).toString(16).padStart(2, '0')).join(''),
  }
}

function weighedBy<Item>(share: number, items: readonly (readonly [Item, number])[]): Item {
  let left = share * items.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [item, weight] of items) {
    if (left < weight) return item
    left -= weight
  }
  const last = items.at(-1)
  if (last === undefined) throw new RangeError('there is nothing to draw from')
  return last[0]
}
