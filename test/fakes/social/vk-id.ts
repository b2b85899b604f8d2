import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { travel } from '#test/fakes/travel.ts'

export type VkMood = 'well' | 'refuses' | 'other-state' | 'other-person' | 'not-json' | 'endless' | 'down'

/** Plays VK ID by its documentation, and checks requests. Unknown requests are refused with 404. */
export type VkHouse = AsyncDisposable & {
  issuer: string
  clientId: string
  serviceToken: string
  person: { user_id: string | number; first_name?: string; last_name?: string; email?: string }
  mood: VkMood
  complaints: string[]
  visit(url: string): Promise<Record<string, string>>
}

type Pending = { challenge: string; redirectUri: string; state: string; deviceId: string }
type Reply = { status: number; body: unknown }
type Memory = { codes: Map<string, Pending>; tokens: Set<string> }

export async function startVkHouse(redirectUris: string[], serviceToken = ''): Promise<VkHouse> {
  const memory: Memory = { codes: new Map(), tokens: new Set() }
  const server = await listenOnLoopback((request, response) => {
    answer(house, memory, redirectUris, request, response).catch((error: unknown) => {
      house.complaints.push(String(error))
      response.destroy()
    })
  })
  const house: VkHouse = {
    issuer: server.url,
    clientId: '51234567',
    serviceToken,
    person: { user_id: '1234567890', first_name: 'Анна', last_name: 'Иванова', email: 'anna@vk.test' },
    mood: 'well',
    complaints: [],
    visit: (url) => travel(url, redirectUris),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return house
}

async function answer(
  house: VkHouse,
  memory: Memory,
  redirectUris: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', house.issuer)
  if (request.method === 'GET' && url.pathname === '/authorize') {
    const back = authorize(house, memory, redirectUris, Object.fromEntries(url.searchParams))
    if (back === null) {
      response.writeHead(400).end()
      return
    }
    response.writeHead(302, { location: back.href }).end()
    return
  }
  const form = Object.fromEntries(new URLSearchParams(await text(request)))
  if (house.mood === 'down') {
    response.destroy()
    return
  }
  if (house.mood === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ access_token: 'x'.repeat(400_000), user_id: 1 }))
    return
  }
  if (house.mood === 'not-json') {
    response.end('<h1>VK</h1>')
    return
  }
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const reply =
    request.method !== 'POST' || !isForm || url.search !== ''
      ? complain(house, `${request.method} ${request.url} as ${request.headers['content-type']}`)
      : url.pathname === '/oauth2/auth'
        ? exchange(house, memory, form)
        : userInfo(house, memory, form)
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
}

function complain(house: VkHouse, what: string): Reply {
  house.complaints.push(what)
  return { status: 404, body: { error: 'not_found' } }
}

function authorize(
  house: VkHouse,
  { codes }: Memory,
  redirectUris: string[],
  query: Record<string, string>,
): URL | null {
  const { state = '', redirect_uri: redirectUri = '', code_challenge: challenge = '', ...rest } = query
  const expected = {
    response_type: 'code',
    client_id: house.clientId,
    scope: 'vkid.personal_info',
    code_challenge_method: 'S256',
  }
  const sameRest = JSON.stringify(Object.entries(rest).sort()) === JSON.stringify(Object.entries(expected).sort())
  if (!sameRest || state.length < 32 || challenge.length !== 43 || !redirectUris.includes(redirectUri)) {
    house.complaints.push(`authorize ${JSON.stringify(query)}`)
    return null
  }
  const code = `vk2.a.${randomUUID()}`
  const deviceId = randomUUID()
  codes.set(code, { challenge, redirectUri, state, deviceId })
  const back = new URL(redirectUri)
  const told = { code, state, device_id: deviceId, type: 'code_v2', expires_in: '600', ext_id: '' }
  back.search = new URLSearchParams(told).toString()
  return back
}

function exchange(house: VkHouse, { codes, tokens }: Memory, form: Record<string, string>): Reply {
  const { code = '', code_verifier: verifier = '', ...rest } = form
  const pending = codes.get(code)
  codes.delete(code)
  const right = pending !== undefined && sha256(verifier) === pending.challenge
  // A wrong authorization code has status 200, as at VK.
  if (!right || house.mood === 'refuses') {
    return { status: 200, body: { error: 'invalid_grant', error_description: 'Code is invalid or expired' } }
  }
  const expected = {
    grant_type: 'authorization_code',
    client_id: house.clientId,
    device_id: pending.deviceId,
    redirect_uri: pending.redirectUri,
    state: pending.state,
    ...(house.serviceToken !== '' && { service_token: house.serviceToken }),
  }
  if (JSON.stringify(Object.entries(rest).sort()) !== JSON.stringify(Object.entries(expected).sort())) {
    return complain(house, `exchange ${JSON.stringify(rest)}`)
  }
  const accessToken = `vk2.a.${randomUUID()}`
  tokens.add(accessToken)
  const state = house.mood === 'other-state' ? randomUUID() : pending.state
  const { user_id } = house.person
  return { status: 200, body: { access_token: accessToken, token_type: 'Bearer', expires_in: 3600, user_id, state } }
}

function userInfo(house: VkHouse, { tokens }: Memory, form: Record<string, string>): Reply {
  const { access_token: token = '', ...rest } = form
  if (!tokens.has(token) || JSON.stringify(rest) !== JSON.stringify({ client_id: house.clientId })) {
    return complain(house, `user_info ${JSON.stringify(rest)}`)
  }
  const user = house.mood === 'other-person' ? { ...house.person, user_id: '999' } : house.person
  return { status: 200, body: { user: { ...user, verified: false } } }
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
