import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import type { SignKind } from './sign.ts'

const FILE = new URL('seed/families.tsv', import.meta.url).href

/** The families of services: which services share numbers, and which take messages that name another service. */
export type Families = {
  /** Returns the family of a service; for a service without a family, the service's own code. */
  of(serviceCode: string): string
  /** Returns the services whose codes may come in messages with this service's signs (brand words or senders). */
  takersOf(serviceCode: string, kind: SignKind): readonly string[]
}

/**
 * Reads from the seed file which services form a family (share numbers). It also tells which signs (brand words and
 * senders) of other services a service takes. In the column `takes`, `tg` means all signs of Telegram, `fb:sender` only
 * the sender names of Facebook.
 */
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
