import { KEY_SCOPES } from '#contract/api-key.ts'
import { startSandbox } from '#server/programs/boot/start-sandbox.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

/** The sandbox sells only these services in tests, because filling its whole stock is slow. */
const SETTINGS = { delayScale: 0, services: ['tg', 'wa', 'full'] }

export type SandboxTest = AsyncDisposable & { t: TestApp; user: TestUser; token: string }

export async function startSandboxTest(options: Parameters<typeof startTestApp>[0] = {}): Promise<SandboxTest> {
  const t = await startTestApp(options)
  await startSandbox(t.ctx, SETTINGS)
  const user = await t.makeUser()
  return { t, user, token: await makeSandboxKey(t, user), [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

export async function makeSandboxKey(t: TestApp, user: TestUser, input: object = {}): Promise<string> {
  const wish = { name: 'Play', scopes: [...KEY_SCOPES], sandbox: true, ...input }
  return (await call(t, 'POST /api/v1/keys', wish, user)).secret
}

/** Buys a Telegram number in Russia by the sandbox's REST API. The operator selects how the simulator behaves. */
export async function buyPlay(t: TestApp, token: string, operator_id = 'swift') {
  const { data } = await call(
    t,
    'POST /api/v1/activations',
    { service_id: 'tg', country_id: 0, operator_id },
    { token },
  )
  if (data.phone === null) throw new Error('bought without a number')
  return { ...data, phone: data.phone }
}

export async function settledPlay(t: TestApp, token: string, id: number) {
  return (await call(t, 'GET /api/v1/activations/{id}', { id, wait: 30 }, { token })).data
}
