import { readSeedTable } from './read-seed-table.ts'

/** Reads additional search words of services, such as `телега` for Telegram, by the service's code. */
export function readServiceNicknames(): ReadonlyMap<string, readonly string[]> {
  const rows = readSeedTable('service-nicknames.tsv', ['code', 'also'])
  return new Map(rows.map(({ code, also }) => [code, also.split(', ')]))
}

export function readCountryNicknames(): ReadonlyMap<number, readonly string[]> {
  const rows = readSeedTable('country-nicknames.tsv', ['id', 'also'])
  return new Map(rows.map(({ id, also }) => [Number(id), also.split(', ')]))
}
