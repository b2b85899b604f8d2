/**
 * The tables of services, countries and operators. Their codes and ids are those of other marketplaces, because
 * existing clients use them, and must never change.
 */
import { readSeedTable } from './read-seed-table.ts'

export type SeedService = { code: string; nameEn: string; nameRu: string; rank: number }

/** A country. `dial` has digits only. A second id of a country is a separate, invisible entry such as `Iran 2`. */
export type SeedCountry = {
  id: number
  nameEn: string
  nameRu: string
  iso2: string
  dial: string
  rank: number
  visible: boolean
  retry: boolean
  rent: boolean
  multi: boolean
}

/** Reads the services. An empty Russian name means that the English name is used. */
export function readSeedServices(): SeedService[] {
  return readSeedTable('services.tsv', ['code', 'name_en', 'name_ru', 'rank']).map((row) => ({
    code: row.code,
    nameEn: row.name_en,
    nameRu: row.name_ru === '' ? row.name_en : row.name_ru,
    rank: Number(row.rank),
  }))
}

export function readSeedCountries(): SeedCountry[] {
  const flags = ['visible', 'retry', 'rent', 'multi'] as const
  return readSeedTable('countries.tsv', ['id', 'name_en', 'name_ru', 'iso2', 'dial', 'rank', ...flags]).map((row) => ({
    id: Number(row.id),
    nameEn: row.name_en,
    nameRu: row.name_ru,
    iso2: row.iso2,
    dial: row.dial,
    rank: Number(row.rank),
    visible: row.visible === '1',
    retry: row.retry === '1',
    rent: row.rent === '1',
    multi: row.multi === '1',
  }))
}

/** Reads the operators' codes such as `tele2` by country id, largest operator first. */
export function readSeedOperators(): Map<number, string[]> {
  const rows = readSeedTable('operators.tsv', ['country_id', 'operators'])
  return new Map(rows.map((row) => [Number(row.country_id), row.operators.split(',')]))
}
