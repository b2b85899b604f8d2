import type { Currency } from '#contract/money.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { internStrings } from '#server/house/db/intern-strings.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { OUTCOME_BOUNDS_SECONDS } from '../health/outcome-bounds.ts'
import { columnsOf } from './offer-columns.ts'
import { SUPPLIER_PRESENT } from './save-queries.ts'

export type ServiceRow = { code: string; name_en: string; name_ru: string; position: number; blocked_at: Date | null }
export type CountryRow = {
  id: number
  name_en: string
  name_ru: string
  iso2: string
  dial: string
  position: number
  visible: boolean
  retry: boolean
  rent: boolean
  multi: boolean
}
export type SupplierListRow = {
  id: number
  code: string
  kind: string
  settings: Record<string, unknown>
  settings_version: number
  paused_at: Date | null
  /** The preference among suppliers at one price, in per cent; 100 is neutral. */
  weight_percent: number
  purchases_per_minute: number | null
}
export type OutcomeRow = {
  supplier_id: number
  service_code: string
  country_id: number
  operator: string
  purchases: number
  uncounted: number
  codes: number
  seconds_counts: number[]
}

export async function listServiceRows(db: Db): Promise<ServiceRow[]> {
  return (await db.query<ServiceRow>({ text: 'SELECT * FROM services ORDER BY position, code' })).rows
}

export async function listCountryRows(db: Db): Promise<CountryRow[]> {
  return (await db.query<CountryRow>({ text: 'SELECT * FROM countries ORDER BY position, id' })).rows
}

export async function listSupplierRows(db: Db): Promise<SupplierListRow[]> {
  const text = `SELECT id, code, kind, settings, settings_version, paused_at, weight_percent, purchases_per_minute
    FROM suppliers WHERE removed_at IS NULL AND NOT sandbox ORDER BY id`
  return (await db.query<SupplierListRow>({ text })).rows
}

export async function listRemovedSupplierIds(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({ text: 'SELECT id FROM suppliers WHERE removed_at IS NOT NULL' })
  return rows.map((row) => row.id)
}

/** Stores a supplier's settings, encrypted with the current key, unless the command line changed them meanwhile. */
export async function resealSettings(
  db: Db,
  supplier: { id: number; settings_version: number; settings: Record<string, unknown> },
): Promise<void> {
  await db.query({
    text: 'UPDATE suppliers SET settings = $3 WHERE id = $1 AND settings_version = $2',
    values: [supplier.id, supplier.settings_version, JSON.stringify(supplier.settings)],
  })
}

/**
 * Stores the state of a supplier's link. Returns the earlier state, or null if the given state is outdated or
 * unchanged.
 */
export async function storeLink(
  db: Db,
  { supplierId, up, since, why = null }: { supplierId: number; up: boolean; since: Date; why?: string | null },
): Promise<{ was: boolean | null } | null> {
  const { rows } = await db.query<{ was: boolean | null }>({
    text: `UPDATE suppliers s SET link_up = $up, link_changed_at = $since, link_why = $why
      FROM (SELECT id, link_up AS was FROM suppliers WHERE id = $supplierId FOR NO KEY UPDATE) earlier
      WHERE s.id = earlier.id AND (s.link_changed_at IS NULL OR s.link_changed_at <= $since)
        AND (s.link_up, s.link_changed_at, s.link_why) IS DISTINCT FROM ($up, $since, $why::text) RETURNING earlier.was`,
    values: { supplierId, up, since, why },
  })
  return rows[0] ?? null
}

/**
 * Marks a supplier that could not be started as down. Returns false if it was already stored as down for this reason.
 */
export async function storeNotStarted(
  db: Db,
  failure: { supplierId: number; since: Date; why: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `UPDATE suppliers SET link_why = $why, link_up = CASE WHEN link_up THEN false ELSE link_up END,
        link_changed_at = CASE WHEN link_up THEN $since ELSE link_changed_at END
      WHERE id = $supplierId AND (link_up OR link_why IS DISTINCT FROM $why::text)`,
    values: failure,
  })
  return rowCount === 1
}

export async function clearNotStarted(db: Db, supplierId: number): Promise<void> {
  await db.query({
    text: 'UPDATE suppliers SET link_why = NULL WHERE id = $1 AND link_why IS NOT NULL',
    values: [supplierId],
  })
}

export async function findUsdRate(db: Db): Promise<bigint | null> {
  const { rows } = await db.query<{ rub_micros: bigint }>({
    text: `SELECT rub_micros FROM exchange_rates WHERE currency = 'usd'`,
  })
  return rows[0]?.rub_micros ?? null
}

const VERSION = `(SELECT (value #>> '{}')::integer FROM settings WHERE key = 'catalog_version')`
const STOPPED = `(SELECT (value #>> '{}')::boolean FROM settings WHERE key = 'buying_stopped')`

export const CATALOG_CHANGED = `COALESCE(${VERSION}, 0) <> $catalogVersion OR COALESCE(${STOPPED}, false) <> $buyingStopped`

/** Returns the catalogue's version, which grows with every manual change and which the server polls every second. */
export async function findCatalogVersion(db: Db): Promise<{ version: number; buyingStopped: boolean }> {
  const { rows } = await db.query<{ version: number | null; stopped: boolean | null }>({
    name: 'catalog-version',
    text: `SELECT ${VERSION} AS version, ${STOPPED} AS stopped`,
  })
  return { version: rows[0]?.version ?? 0, buyingStopped: rows[0]?.stopped ?? false }
}

export async function raiseCatalogVersion(db: Db, now: Date): Promise<void> {
  await db.query({
    text: `INSERT INTO settings (key, value, updated_at) VALUES ('catalog_version', '1', $1)
      ON CONFLICT (key) DO UPDATE SET value = to_jsonb((settings.value #>> '{}')::integer + 1), updated_at = $1`,
    values: [now],
  })
}

type OfferRow = {
  service_code: string
  country_id: number
  operator: string
  cost_micros: bigint
  currency: Currency
  stock: number
}

export async function listOfferRows(db: Db, supplierId: number): Promise<Offer[]> {
  const { rows } = await db.query<OfferRow>({
    text: `SELECT service_code, country_id, operator, cost_micros, currency, stock FROM offers WHERE supplier_id = $1`,
    values: [supplierId],
  })
  const once = internStrings()
  return rows.map((row) => ({
    serviceCode: once(row.service_code),
    countryId: row.country_id,
    operator: once(row.operator),
    costMicros: row.cost_micros,
    currency: once(row.currency),
    stock: row.stock,
  }))
}

/**
 * Replaces the offers of a supplier. Unchanged rows are not written, and unknown services and countries are skipped.
 */
export async function replaceOffers(db: Db, input: { supplierId: number; offers: Offer[]; now: Date }): Promise<void> {
  const { supplierId, now } = input
  await db.query({
    text: `WITH present AS (${SUPPLIER_PRESENT}), given AS (
      SELECT g.* FROM unnest($serviceCodes::text[], $countryIds::integer[], $operators::text[], $costsMicros::bigint[],
        $currencies::text[], $stocks::integer[])
        AS g (service_code, country_id, operator, cost_micros, currency, stock)
      JOIN services s ON s.code = g.service_code JOIN countries c ON c.id = g.country_id
    ), gone AS (
      DELETE FROM offers o WHERE supplier_id = $supplierId AND EXISTS (SELECT FROM present) AND NOT EXISTS (
        SELECT FROM given g WHERE (g.service_code, g.country_id, g.operator) = (o.service_code, o.country_id, o.operator))
    )
    INSERT INTO offers (supplier_id, service_code, country_id, operator, cost_micros, currency, stock, refreshed_at)
    SELECT $supplierId, service_code, country_id, operator, cost_micros, currency, stock, $now FROM given
    WHERE EXISTS (SELECT FROM present)
    ON CONFLICT (supplier_id, service_code, country_id, operator) DO UPDATE
    SET cost_micros = excluded.cost_micros, currency = excluded.currency, stock = excluded.stock, refreshed_at = $now
    WHERE (offers.cost_micros, offers.currency, offers.stock) IS DISTINCT FROM (excluded.cost_micros, excluded.currency, excluded.stock)`,
    values: { supplierId, now, ...(await runYielding(columnsOf(input.offers))) },
    limitMs: SLOW_LIMIT_MS,
  })
}

const CLASSES = Array.from({ length: OUTCOME_BOUNDS_SECONDS.length + 1 }, (_, place) => place + 1)

type MeasuredPair = Pick<OutcomeRow, 'service_code' | 'country_id'> & { measured: MeasuredSums[] }
type MeasuredSums = [
  supplierId: number,
  operator: string,
  purchases: number,
  uncounted: number,
  codes: number,
  seconds: number[],
]

/**
 * Lists the outcomes of purchases since a time. PostgreSQL sends one JSON row for each service and country, because
 * plain rows and arrays take five times as long to parse.
 */
export async function listOutcomes(db: Db, since: Date): Promise<OutcomeRow[]> {
  const seconds = CLASSES.map((place) => `sum(seconds_counts[${place}])`).join(', ')
  const { rows } = await db.query<MeasuredPair>({
    text: `SELECT service_code, country_id, json_agg(sums) AS measured FROM (
        SELECT service_code, country_id, json_build_array(supplier_id, operator, sum(purchases), sum(uncounted), sum(codes),
            json_build_array(${seconds})) AS sums
          FROM outcome_hours WHERE hour >= $1 GROUP BY supplier_id, service_code, country_id, operator) of_operators
      GROUP BY service_code, country_id`,
    values: [since],
  })
  return rows.flatMap(({ measured, ...pair }) =>
    measured.map(([supplier_id, operator, purchases, uncounted, codes, seconds_counts]) => {
      return { ...pair, supplier_id, operator, purchases, uncounted, codes, seconds_counts }
    }),
  )
}

export async function upsertServices(
  db: Db,
  services: { code: string; nameEn: string; nameRu: string; rank: number }[],
): Promise<void> {
  await db.query({
    text: `INSERT INTO services (code, name_en, name_ru, position)
      SELECT * FROM unnest($codes::text[], $namesEn::text[], $namesRu::text[], $ranks::integer[])
      ON CONFLICT (code) DO UPDATE
      SET name_en = excluded.name_en, name_ru = excluded.name_ru, position = excluded.position
      WHERE (services.name_en, services.name_ru, services.position)
        IS DISTINCT FROM (excluded.name_en, excluded.name_ru, excluded.position)`,
    values: {
      codes: services.map((row) => row.code),
      namesEn: services.map((row) => row.nameEn),
      namesRu: services.map((row) => row.nameRu),
      ranks: services.map((row) => row.rank),
    },
  })
}

export async function upsertCountries(
  db: Db,
  countries: (Pick<CountryRow, 'id' | 'iso2' | 'dial' | 'visible' | 'retry' | 'rent' | 'multi'> & {
    nameEn: string
    nameRu: string
    rank: number
  })[],
): Promise<void> {
  await db.query({
    text: `INSERT INTO countries (id, name_en, name_ru, iso2, dial, position, visible, retry, rent, multi)
      SELECT * FROM unnest($ids::integer[], $namesEn::text[], $namesRu::text[], $iso2s::text[],
        $dials::text[], $ranks::integer[], $visible::boolean[], $retry::boolean[], $rent::boolean[], $multi::boolean[])
      ON CONFLICT (id) DO UPDATE SET name_en = excluded.name_en, name_ru = excluded.name_ru, iso2 = excluded.iso2,
        dial = excluded.dial, position = excluded.position, visible = excluded.visible, retry = excluded.retry,
        rent = excluded.rent, multi = excluded.multi
      WHERE (countries.*) IS DISTINCT FROM (excluded.*)`,
    values: {
      ids: countries.map((row) => row.id),
      namesEn: countries.map((row) => row.nameEn),
      namesRu: countries.map((row) => row.nameRu),
      iso2s: countries.map((row) => row.iso2),
      dials: countries.map((row) => row.dial),
      ranks: countries.map((row) => row.rank),
      visible: countries.map((row) => row.visible),
      retry: countries.map((row) => row.retry),
      rent: countries.map((row) => row.rent),
      multi: countries.map((row) => row.multi),
    },
  })
}
