import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const KEEPER = fileURLToPath(new URL('../fakes/port-keeper.pl', import.meta.url))
const perl = requireProgram('perl')
/** The test starts the whole service twice, which takes long on a busy machine. */
const LIMIT_MS = 120_000

/** Starts the service behind a port that a different program keeps open. */
async function startKept(environment: Record<string, string>) {
  const command = [KEEPER, process.execPath, 'server/main.ts']
  const keeper = spawn(perl ?? 'none', command, { cwd: ROOT, env: { ...ownEnvironment(), ...environment } })
  let said = ''
  for (const stream of [keeper.stdout, keeper.stderr]) {
    stream.on('data', (part: Buffer) => {
      said += part.toString('utf8')
    })
  }
  const find = async (pattern: RegExp, nth = 0): Promise<number> => {
    const found = () => [...said.matchAll(pattern)].at(nth)?.[1]
    await vi.waitUntil(() => found() !== undefined || keeper.exitCode !== null, { timeout: LIMIT_MS, interval: 20 })
    return Number(found() ?? expect.fail(said))
  }
  return {
    port: () => find(/^port (\d+)$/gm),
    child: (nth: number) => find(/^child (\d+)$/gm, nth),
    said: () => said,
    async [Symbol.asyncDispose]() {
      keeper.kill('SIGTERM')
      if (keeper.exitCode === null) await once(keeper, 'exit')
    },
  }
}

/** Requests a page over a new connection, as a proxy does. */
function ask(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', path: '/healthz', agent: new Agent() }, (reply) => {
      text(reply).then(() => resolve(reply.statusCode ?? 0), reject)
    })
    call.once('error', reject)
    call.end()
  })
}

test.runIf(perl)(
  'with a port that its supervisor keeps open, a restart refuses and breaks no request',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    await using folder = await temporaryFolder()
    await using database = await createTestDatabase()
    await using service = await startKept({
      DEMO: '1',
      DATA_DIR: folder.root,
      DATABASE_URL: database.connectionString,
      REALTIME_PORT: '0',
      STOP_DELAY_SECONDS: '1',
    })
    const port = await service.port()
    // The port accepts requests even before the service has started, and they wait.
    expect(await ask(port)).toBe(200)
    const outcomes = new Map<string, number>()
    const stopped = new AbortController()
    const callers = Array.from({ length: 8 }, async () => {
      while (!stopped.signal.aborted) {
        const outcome = await ask(port).then(String, String)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    })
    const answered = () => outcomes.get('200') ?? 0
    await vi.waitUntil(() => answered() > 50, { timeout: LIMIT_MS })
    process.kill(await service.child(0), 'SIGTERM')
    await service.child(1)
    const before = answered()
    await vi.waitUntil(() => answered() > before + 50, { timeout: LIMIT_MS })
    stopped.abort()
    await Promise.all(callers)
    expect([...outcomes.keys()], service.said()).toEqual(['200'])
  },
)
