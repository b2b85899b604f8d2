import { expect, test } from 'vitest'
import { tokenReplySchema } from '#contract/account.ts'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { startMain } from '#test/fakes/main-process.ts'
import { freePort } from '#test/harness/free-port.ts'
import { hasDebianPostgres, runTool } from '#test/harness/postgres/debian-postgres.ts'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { startCopied } from '#test/services/replicated.ts'

const TEST_LIMIT_MS = 240_000
const POLL = { timeout: 20_000 }

/** Signs the demo's buyer in. Returns the cookies of the browser, without the mark of the sign-in. */
async function signIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demoBuyer),
  })
  tokenReplySchema.parse(await reply.json())
  const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  expect(cookies).toContain('fresh=1')
  return cookies.filter((cookie) => cookie !== 'fresh=1').join('; ')
}

test.skipIf(!hasDebianPostgres())(
  'pages of a member read the stand-by, and are shown without it; a stand-by of another database is refused',
  { timeout: TEST_LIMIT_MS },
  async () => {
    await using postgres = await startCopied(async () => undefined)
    await using folder = await temporaryDataDir()
    const metricsPort = await freePort()
    const environment = {
      DEMO: '1',
      DATA_DIR: folder.dataDir,
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: postgres.primary.applicationUrl('ringpost'),
    }
    // The primary is among the hosts, and passed over.
    const both = [postgres.primary, postgres.standBy].map((one) => /@(.*)\//.exec(one.applicationUrl(''))?.[1])
    const replicaOf = (name: string) => ({ DATABASE_REPLICA_URL: `postgres://ringpost@${both.join(',')}/${name}` })
    await using service = startMain({ ...environment, ...replicaOf('ringpost') })
    const url = await service.url
    const standBys = async () => (await (await fetch(`${url}/readyz`)).json()).stand_bys
    await expect.poll(standBys, POLL).toBe(1)
    const cookies = await signIn(url)
    const show = async (more = '') => {
      const page = await fetch(`${url}/history`, { headers: { cookie: cookies + more } })
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const reads = (at: string) => Number(new RegExp(`replica_reads_total{at="${at}"} (\\d+)`).exec(metrics)?.[1] ?? 0)
      return { status: page.status, standBy: reads('stand_by'), primary: reads('primary') }
    }
    const first = await show()
    expect(first).toEqual({ status: 200, standBy: expect.any(Number), primary: 0 })
    expect(first.standBy).toBeGreaterThan(0)
    const told = await show('; fresh=1')
    expect(told).toEqual({ ...first, primary: expect.any(Number) })
    expect(told.primary).toBeGreaterThan(0)

    await runTool('createdb', [...postgres.primary.connect, '--owner=ringpost', 'other'])
    const other = { ...environment, METRICS_PORT: '0', ...replicaOf('other') }
    await using refused = startMain(other)
    expect((await refused.ended).err).toContain('is no stand-by of the database of DATABASE_URL')

    await postgres.kill()
    expect(await show()).toMatchObject({ status: 200 })
    await expect.poll(standBys, POLL).toBe(0)
    expect(await show()).toMatchObject({ status: 200 })
  },
)
