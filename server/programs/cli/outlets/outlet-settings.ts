import { type AgentSettings, parseAgentSettings } from '#server/adapters/sim-bank/serve/settings.ts'
import type { Db } from '#server/house/db/pool.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { findUnknownNames } from '#server/programs/cli/queries/catalog.ts'

/**
 * Checks the settings of an outlet, a platform that buys our numbers. Throws CommandRefused for unknown services and
 * countries, which would silently never sell.
 */
export async function checkOutletSettings(db: Db, code: string, settings: Record<string, unknown>): Promise<void> {
  const { services, countries } = parse(code, settings)
  const unknown = await findUnknownNames(db, {
    codes: services.map((service) => service.code),
    countries: [
      ...services.flatMap(({ sumByCountry }) => Object.keys(sumByCountry)),
      ...Object.values(countries).map(String),
    ],
  })
  const named = [
    ...unknown.codes.map((name) => `no service ${name}`),
    ...unknown.countries.map((id) => `no country ${id}`),
  ]
  if (named.length > 0) throw new CommandRefused(`There is ${named.join(', ')}`)
}

function parse(code: string, settings: Record<string, unknown>): AgentSettings {
  try {
    return parseAgentSettings(code, settings)
  } catch (error) {
    throw new CommandRefused(error instanceof Error ? error.message : String(error))
  }
}
