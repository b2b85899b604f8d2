import { readSeedTable } from './read-seed-table.ts'

/** What people type for a service besides its names (`телега`), by its code. */
export function readServiceNicknames(): ReadonlyMap<string, readonly string[]> {
  const rows = readSeedTable('service-nicknames.tsv', ['code', 'also'])
  return new Map(rows.map(({ code, also }) => [code, also.split(', ')]))
}

/** The same for countries (`англия`), by their ids. */
export function readCountryNicknames(): ReadonlyMap<number, readonly string[]> {
  const rows = readSeedTable('country-nicknames.tsv', ['id', 'also'])
  return new Map(rows.map(({ id, also }) => [Number(id), also.split(', ')]))
}
