import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { readDemoKey } from '#server/programs/demo/fill-demo.ts'
import { startMain } from '#test/fakes/main-process.ts'
import { isPostgresRunning, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { startCallers } from '#test/harness/sent-requests.ts'
import { until } from './real-service.ts'

const LIMIT_MS = 120_000
const CALLERS = 8

test('a stop under load breaks no request that was sent before it, and takes the demo’s PostgreSQL along', {
  timeout: randomRuns({ suite: LIMIT_MS, soak: 50 * LIMIT_MS }),
}, async () => {
  await using folder = await temporaryDataDir()
  for (let stop = 0; stop < randomRuns({ suite: 2, soak: 100 }); stop += 1) {
    await using service = startMain({ DEMO: '1', DATA_DIR: folder.dataDir, API_REQUESTS_PER_SECOND: '1000000' })
    const url = await service.url
    const apiKey = await readDemoKey(folder.dataDir)
    const query = new URLSearchParams({ api_key: apiKey ?? '', action: 'getBalance' })
    const callers = startCallers(`${url}/stubs/handler_api.php?${query}`, { callers: CALLERS })
    const enough = CALLERS * (5 + Math.random() * 20)
    await until(() => callers.answered() > enough)
    askForAnotherProtocol(url)
    const signalledAt = performance.now()
    service.kill('SIGTERM')
    // systemd and the launcher may each send the stop signal, so the process gets it twice.
    await until(() =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status === 503,
        () => true,
      ),
    )
    service.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, err: '' })
    await callers.ended
    expect(callers.brokenBefore(signalledAt)).toEqual([])
    expect(await isPostgresRunning(folder.dataDir)).toBe(false)
  }
})

/** Opens connections that ask for a protocol upgrade. A stop once waited for them until it was forced. */
function askForAnotherProtocol(url: string): void {
  const { hostname, port } = new URL(url)
  for (let n = 0; n < 200; n += 1) {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
  }
}

test('an unhandled failure is logged and ends the process in order: connections, PostgreSQL, exit code 1', {
  timeout: LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  const planted = `process.once('SIGUSR2', () => { Promise.reject(new Error('planted')) })`
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}` }
  await using service = startMain({ DEMO: '1', DATA_DIR: folder.dataDir, ...environment })
  await service.url
  service.kill('SIGUSR2')
  const { code, out, err } = await service.ended
  expect({ code, err }).toEqual({ code: 1, err: '' })
  const lines = out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'an unhandled failure ends this process',
      error: expect.objectContaining({ message: 'planted' }),
    }),
  )
  expect(await isPostgresRunning(folder.dataDir)).toBe(false)
})
