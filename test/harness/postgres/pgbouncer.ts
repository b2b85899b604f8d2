import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { NOBODY } from '#server/house/db/embedded/postgres-place.ts'
import type { TestDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { toolFolder } from './debian-postgres.ts'

export const SCALE_PAGE = new URL('../../../docs/scale.md', import.meta.url)
/** PgBouncer opens so many connections to PostgreSQL. */
export const POOL_SIZE = 3
/** PgBouncer refuses to run as root. */
const owner = process.getuid?.() === 0 ? NOBODY : {}

export type PgBouncer = AsyncDisposable & {
  connectionString: string
  /** The same database without `connect_query`. */
  untimed: string
}

/** Starts Debian's PgBouncer on loopback, with the file of docs/scale.md but few connections to PostgreSQL. */
export async function startPgBouncer(program: string, database: TestDatabase): Promise<PgBouncer> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await toolFolder())
  const behind = new URL(database.connectionString)
  const place = `host=${decodeURIComponent(behind.hostname)} port=${behind.port} dbname=${database.name}`
  const port = await freePort()
  const page = await readFile(SCALE_PAGE, 'utf8')
  const text = /```pgbouncer\n(.*?)```/s.exec(page)?.[1] ?? ''
  const settings = text
    .replace('host=127.0.0.1 port=5432', place)
    .replace('[pgbouncer]', `untimed = ${place}\n[pgbouncer]\nunix_socket_dir =`)
    .replace('6432', String(port))
    .replace('/etc/pgbouncer', folder.path())
    .replace('default_pool_size = 20', `default_pool_size = ${POOL_SIZE}`)
  const files = {
    'userlist.txt': `"${behind.username}" "${decodeURIComponent(behind.password)}"\n`,
    'pgbouncer.ini': settings,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(folder.path(name), content, { mode: 0o644 })
  const child = spawn(program, [folder.path('pgbouncer.ini')], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  stack.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said: string[] = []
  for await (const line of createInterface(child.stderr)) {
    said.push(line)
    if (line.includes('process up')) break
  }
  if (!said.at(-1)?.includes('process up')) throw new Error(`PgBouncer does not start: ${said.join('\n')}`)
  child.stderr.resume()
  const url = (name: string) => {
    const outside = new URL(behind)
    outside.host = `127.0.0.1:${port}`
    outside.pathname = `/${name}`
    return outside.href
  }
  const running = stack.move()
  return {
    connectionString: url('ringpost'),
    untimed: url('untimed'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
