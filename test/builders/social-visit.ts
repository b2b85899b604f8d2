import { expect } from 'vitest'
import type { Provider } from '#contract/account.ts'
import type { ErrorReply } from '#contract/errors.ts'
import { type OidcHouse, startOidcHouse } from '#test/fakes/social/oidc-house.ts'
import { startVkHouse, type VkHouse } from '#test/fakes/social/vk-id.ts'
import { type CallOptions, call, send, toRefusal } from '#test/harness/calls.ts'
import type { TestApp } from '#test/harness/harness.ts'

export const REDIRECT = 'GET /api/auth/{provider}/redirect'
export const CALLBACK = 'GET /api/auth/{service}/callback'
export const LINK_CALLBACK = 'GET /api/auth/{service}/link-callback'
export const IDENTITIES = 'GET /api/v1/user/identities'

function redirectUris(t: TestApp, provider: Provider): string[] {
  return ['callback', 'link-callback'].map((page) => `${t.url}/auth/${provider}/${page}`)
}

export async function addOidcHouse(t: TestApp, provider: 'google' | 'telegram'): Promise<OidcHouse> {
  const house = await startOidcHouse(redirectUris(t, provider))
  const { clientId, clientSecret, issuer } = house
  t.ctx.secrets.providers[provider] = { clientId, clientSecret, issuer }
  return house
}

export async function addVkHouse(t: TestApp, serviceToken = ''): Promise<VkHouse> {
  const house = await startVkHouse(redirectUris(t, 'vkontakte'), serviceToken)
  t.ctx.secrets.providers.vkontakte = { clientId: house.clientId, clientSecret: serviceToken, issuer: house.issuer }
  return house
}

export type Away = { url: string; cookie: string; setCookie: string }

/** Begins a sign-in at a provider such as Google. Returns the URL at the provider and the browser's cookie. */
export async function leave(
  t: TestApp,
  provider: Provider,
  options: CallOptions & { purpose?: 'sign-in' | 'link'; cookie?: string } = {},
): Promise<Away> {
  const { purpose, cookie, headers, ...rest } = options
  const input = { provider, ...(purpose && { purpose }) }
  const { response, body } = await send(t, REDIRECT, input, {
    ...rest,
    headers: { ...Object.fromEntries(new Headers(headers)), ...(cookie && { cookie }) },
  })
  expect({ status: response.status, body }).toEqual({ status: 200, body: { status: true, url: expect.any(String) } })
  const setCookie = response.headers.getSetCookie()[0] ?? ''
  return { url: (body as { url: string }).url, cookie: setCookie.split(';')[0] ?? '', setCookie }
}

/** Returns from the provider to the site and expects a sign-in. Returns the site's answer with its cookies. */
export async function comeBack(
  t: TestApp,
  service: Provider,
  input: { query: Record<string, string>; cookie: string; headers?: Record<string, string> },
) {
  const { cookie, query, headers } = input
  return call(t, CALLBACK, { service, ...query }, { headers: { ...headers, cookie } })
}

/** Returns from the provider to the site and expects a refusal, which must set no cookie: no session may begin. */
export async function turnedAway(
  t: TestApp,
  service: Provider,
  input: {
    query: Record<string, string>
    cookie?: string
    key?: typeof CALLBACK | typeof LINK_CALLBACK
    token?: string
  },
): Promise<{ status: number; code: string; body: ErrorReply }> {
  const { key = CALLBACK, query, cookie, token } = input
  const options: CallOptions = {}
  if (cookie !== undefined) options.headers = { cookie }
  if (token !== undefined) options.token = token
  const { response, body } = await send(t, key, { service, ...query }, options)
  expect(response.headers.getSetCookie()).toEqual([])
  const refusal = toRefusal(response, body)
  return { status: refusal.status, code: refusal.body.code, body: refusal.body }
}

export const AUTH_FAILED = { status: 422, code: 'AUTH_FAILED', body: expect.anything() }
