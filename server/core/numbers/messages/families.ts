import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import type { SignKind } from './sign.ts'

const FILE = new URL('seed/families.tsv', import.meta.url).href

/** Which services share numbers, and which take messages naming another of their family. */
export type Families = {
  /** The code itself when it has no family. */
  of(serviceCode: string): string
  /** Services whose codes may come under this sign. */
  takersOf(serviceCode: string, kind: SignKind): readonly string[]
}

/** `takes`: `tg` means all signs of Telegram, `fb:sender` only its senders. */
export function readFamilies(): Families {
  const rows = readSeedTable(FILE, ['family', 'code', 'takes'])
  const families = new Map(rows.map(({ family, code }) => [code, family]))
  const takers = new Map<string, { code: string; sendersOnly: boolean }[]>()
  for (const { code, takes } of rows) {
    for (const taken of takes.split(',').filter((each) => each !== '')) {
      const [owner = '', only] = taken.split(':')
      takers.set(owner, [...(takers.get(owner) ?? []), { code, sendersOnly: only === 'sender' }])
    }
  }
  return {
    of: (serviceCode) => families.get(serviceCode) ?? serviceCode,
    takersOf: (serviceCode, kind) =>
      (takers.get(serviceCode) ?? [])
        .filter((taker) => !taker.sendersOnly || kind === 'sender')
        .map(({ code }) => code),
  }
}
