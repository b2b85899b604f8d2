import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { listenOnLoopback } from './loopback-server.ts'
import { travel } from './travel.ts'

/** What the house says of the person who is signed in there. */
export type Person = { sub: string; name?: string; email?: string; email_verified?: boolean; [claim: string]: unknown }

/** A real OpenID Connect provider on this machine, whose sign-in page agrees to everything at once. */
export type OidcHouse = AsyncDisposable & {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who sits in front of the browser. */
  person: Person
  /** Paths that were asked for, in order. */
  asked: string[]
  /** Goes where the page sends the browser, and comes back with the query of the redirect. */
  visit(url: string): Promise<Record<string, string>>
}

export async function startOidcHouse(redirectUris: string[], configuration: Configuration = {}): Promise<OidcHouse> {
  const clientId = `client-${randomUUID()}`
  const clientSecret = `secret:${randomUUID()}`
  const house = { person: { sub: randomUUID(), name: 'Anna' } as Person }
  const asked: string[] = []
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end()
  const server = await listenOnLoopback((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://house').pathname)
    answer(request, response)
  })
  const issuer = server.url
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [newKey()] },
    features: { devInteractions: { enabled: false } },
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    // As Google does: what the scopes name stands in the id_token.
    conformIdTokenClaims: false,
    interactions: { url: (_ctx, { uid }) => `/agree/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...house.person, sub }) }),
    ...configuration,
  })
  const respond = provider.callback()
  answer = (request, response) => {
    if (request.url?.startsWith('/agree/') !== true) return void respond(request, response)
    agree(provider, { clientId, person: house.person }, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }
  return Object.assign(house, {
    issuer,
    clientId,
    clientSecret,
    asked,
    visit: (url: string) => travel(url, redirectUris),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  })
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'house-1', use: 'sig', alg: 'RS256' }
}

/** What the sign-in page and the page of consent would do when the person says yes. */
async function agree(
  provider: Provider,
  { clientId, person }: { clientId: string; person: Person },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const login = { login: { accountId: person.sub } }
    return provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false })
  }
  const grant = new provider.Grant({ accountId: person.sub, clientId })
  grant.addOIDCScope(String(params.scope))
  const consent = { consent: { grantId: await grant.save() } }
  return provider.interactionFinished(request, response, consent, { mergeWithLastSubmission: true })
}
