import type { TestProject } from 'vitest/node'
import { makeTemplate, TEMPLATE } from '../global-setup.ts'
import { makeCluster, startCluster, toolFolder } from './debian-postgres.ts'
import { fastestPlace } from './temporary-postgres.ts'

/** Starts the oldest supported PostgreSQL for all tests of a run. Replaces global-setup.ts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await toolFolder(await fastestPlace()))
  await makeCluster(folder.path('data'))
  // Debian's PostgreSQL has JIT, which takes longer than the statements (see server/house/db/embedded/pg-ctl.ts).
  const hasty = ['jit=off', 'plan_cache_mode=force_generic_plan']
  const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const postgres = stack.use(await startCluster(folder.path('data'), [...forgetful, ...hasty]))
  await makeTemplate(postgres.superuserUrl('postgres'), postgres.applicationUrl(TEMPLATE))
  project.provide('postgres', {
    superuserUrl: postgres.superuserUrl('postgres'),
    applicationUrl: postgres.applicationUrl('postgres'),
    template: TEMPLATE,
  })
  const running = stack.move()
  return () => running.disposeAsync()
}
