import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Past from '../parts/past/past-activations.ts'
import type * as People from '../parts/people.ts'
import type * as Houses from '../parts/temporary-house.ts'

/** A compared revision. Each revision starts its own service, but the working tree's code measures both. */
export type Side = { name: 'ours' | 'theirs'; folder: string } & Pick<typeof Houses, 'openHouse' | 'openService'> &
  Pick<typeof People, 'addBuyers'> &
  Pick<typeof Past, 'addPastActivations'>

/** Loads the benchmark parts of a git revision. Rejects revisions before 22 November 2026, which lack them. */
export async function loadSide(name: Side['name'], folder: string): Promise<Side> {
  const { openHouse, openService } = await importPart<typeof Houses>(folder, 'temporary-house.ts')
  const { addBuyers } = await importPart<typeof People>(folder, 'people.ts')
  const { addPastActivations } = await importPart<typeof Past>(folder, 'past-activations.ts')
  return { name, folder, openHouse, openService, addBuyers, addPastActivations }
}

/** Imports a part of the benchmarks from a revision, in which the part may be in a different folder than here. */
async function importPart<Part>(folder: string, file: string): Promise<Part> {
  for await (const path of glob(`bench/parts/**/${file}`, { cwd: folder })) {
    return import(pathToFileURL(join(folder, path)).href)
  }
  throw new Error(`${folder} has no bench/parts/${file}`)
}
