import { type Pids, postmasterOf } from '../parts/cluster/cpu-time.ts'
import type { Service } from '../parts/temporary-house.ts'
import type { Side } from './sides.ts'

export type Opened = { service: Service; pids: Pids }

export async function openSide(
  stack: AsyncDisposableStack,
  side: Side,
  options: { withPages?: boolean; environment?: Record<string, string> } = {},
): Promise<Opened> {
  const service = await side.openService(stack, await side.openHouse(stack), { name: 'against', ...options })
  const { rows } = await service.db.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' })
  return { service, pids: { node: service.process.pid, postmaster: await postmasterOf(rows[0]?.pid ?? 0) } }
}
