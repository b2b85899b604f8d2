import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { parseExact } from '#server/adapters/sim-bank/wire/exact-json.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

export const PLATFORM_KEY = 'a-key-of-the-platform'

/** Plays a platform that buys from the service: it requests numbers and accepts pushed messages. */
export type PlatformHouse = AsyncDisposable & {
  readonly pushed: Record<string, unknown>[]
  onPush: (
    push: Record<string, unknown>,
  ) => { status: number; text: string } | Promise<{ status: number; text: string }>
  ask(action: string, fields?: object): Promise<Record<string, unknown>>
}

export const ACCEPTED = { status: 200, text: '{"status":"SUCCESS"}' }

/**
 * Starts a fake platform that buys Telegram numbers for 20 roubles with the account `agent`. `code` names the outlet by
 * which the platform calls the service.
 */
export async function openPlatformHouse(
  t: TestApp,
  { agent, code = 'hub', ...more }: { agent: TestUser; code?: string; [setting: string]: unknown },
): Promise<PlatformHouse> {
  const house = {
    pushed: [] as Record<string, unknown>[],
    onPush: (() => ACCEPTED) as PlatformHouse['onPush'],
    ask: async (action: string, fields: object = {}) => {
      const body = JSON.stringify({ action, key: PLATFORM_KEY, ...fields })
      const reply = await t.fetch(`/agent/${code}`, { method: 'POST', body })
      const json = (await reply.json()) as Record<string, unknown>
      await t.ctx.background.idle()
      return reply.status === 200 ? json : { http: reply.status, ...json }
    },
  }
  const server = await listenOnLoopback((request, response) => {
    const answer = async () => {
      const push = await readBody(request)
      house.pushed.push(push)
      const { status, text } = await house.onPush(push)
      response.writeHead(status).end(text)
    }
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  const { rows } = await t.ctx.db.query<{ id: number }>({
    text: 'SELECT max(id) AS id FROM api_keys WHERE user_id = $1',
    values: [agent.id],
  })
  const settings = {
    url: `${server.url}/sms`,
    key: PLATFORM_KEY,
    privateHost: true,
    services: [{ code: 'tg', sum: '20', sumByCountry: { 0: '5' } }],
    ...more,
  }
  const argv = ['agent', '--code', code, '--key', String(rows[0]?.id), '--settings', JSON.stringify(settings)]
  const added = await typed(t.database, 'outlet:add', ...argv, ...WHY)
  if (added.code !== 0) throw new Error(added.err)
  return Object.assign(house, { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  if (request.headers['content-encoding'] !== 'gzip') throw new Error('a push without gzip')
  const json = parseExact(gunzipSync(Buffer.concat(parts)).toString('utf8'))
  if (json === null) throw new Error('a push that is not JSON')
  return json
}
