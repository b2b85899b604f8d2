import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { travel } from '#test/fakes/travel.ts'
import { oidcMemory } from './oidc-memory.ts'

export type Person = { sub: string; name?: string; email?: string; email_verified?: boolean; [claim: string]: unknown }

/** A real OpenID Connect provider on this machine. Its sign-in page agrees to everything at once. */
export type OidcHouse = AsyncDisposable & {
  issuer: string
  clientId: string
  clientSecret: string
  person: Person
  /** The provider's behaviour: `away` answers 503, and `forger` publishes keys other than those that sign. */
  mood: 'well' | 'away' | 'forger'
  asked: string[]
  /** Sets the only redirect URIs that are allowed from now on. */
  allow(redirectUris: string[]): Promise<void>
  /** Follows a redirect to the provider, and returns the query of the redirect back. */
  visit(url: string): Promise<Record<string, string>>
}

/** Starts an OpenID Connect provider. Redirect URIs may be set later, if the server must first know its address. */
export async function startOidcHouse(redirectUris: string[] = []): Promise<OidcHouse> {
  const clientId = `client-${randomUUID()}`
  const clientSecret = `secret:${randomUUID()}`
  const person: Person = { sub: randomUUID(), name: 'Anna' }
  const house: Pick<OidcHouse, 'person' | 'mood'> = { person, mood: 'well' }
  const asked: string[] = []
  const away = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503).end()
  }
  let answer = away
  const server = await listenOnLoopback((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://house').pathname)
    if (house.mood === 'away') away(request, response)
    else answer(request, response)
  })
  const issuer = server.url
  const memory = oidcMemory()
  let ends: string[] = []
  const allow = async (uris: string[]) => {
    ends = uris
    const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: uris }
    await memory('Client').upsert(clientId, client, 0)
  }
  await allow(redirectUris)
  const provider = new Provider(issuer, {
    adapter: memory,
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [newKey().secret] },
    features: { devInteractions: { enabled: false } },
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    // The id_token contains the claims that the scopes name, as at Google.
    conformIdTokenClaims: false,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    interactions: { url: (_ctx, { uid }) => `/agree/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...house.person, sub }) }),
  })
  const respond = provider.callback()
  answer = (request, response) => {
    if (house.mood === 'forger' && request.url === '/jwks') {
      const keys = JSON.stringify({ keys: [newKey().open] })
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(keys)
      return
    }
    const answered =
      request.url?.startsWith('/agree/') === true
        ? agree(provider, { clientId, person: house.person }, request, response)
        : respond(request, response)
    answered.catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }
  return Object.assign(house, {
    issuer,
    clientId,
    clientSecret,
    asked,
    allow,
    visit: (url: string) => travel(url, ends),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  })
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const named = { kid: 'house-1', use: 'sig', alg: 'RS256' }
  return {
    secret: { ...privateKey.export({ format: 'jwk' }), ...named },
    open: { ...publicKey.export({ format: 'jwk' }), ...named },
  }
}

/** Agrees on behalf of the person, as the provider's pages for sign-in and consent do. */
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
