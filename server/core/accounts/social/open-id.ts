import * as openId from 'openid-client'
import { HOUR } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import type { Clock } from '#server/house/clock.ts'
import { toProfile } from './profile.ts'
import type { SocialProvider } from './social-provider.ts'

type Options = { issuer: string; clientId: string; clientSecret: string; scope: string }

/** The lifetime of a provider's cached endpoints. openid-client itself refetches signing keys that it does not know. */
const DISCOVERY_MEMORY_MS = HOUR

/** Makes a provider that uses OpenID Connect's code flow with PKCE and checks the id_token's signature. */
export function openIdProvider(options: Options, clock: Clock): SocialProvider {
  let known: { at: number; configuration: Promise<openId.Configuration> } | null = null

  function configurationOf(): Promise<openId.Configuration> {
    const now = clock.now().getTime()
    if (known !== null && now - known.at < DISCOVERY_MEMORY_MS) return known.configuration
    const made = { at: now, configuration: discover(options) }
    known = made
    // A failed discovery is not cached, so the next sign-in asks the provider again.
    made.configuration.catch(() => {
      if (known === made) known = null
    })
    return made.configuration
  }

  return {
    async authorizeUrl({ state, nonce, verifier, redirectUri }) {
      return openId.buildAuthorizationUrl(await configurationOf(), {
        redirect_uri: redirectUri,
        scope: options.scope,
        state,
        nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async exchange({ state, nonce, verifier, redirectUri }, query) {
      const cameBack = new URL(redirectUri)
      cameBack.search = query.toString()
      const tokens = await openId.authorizationCodeGrant(await configurationOf(), cameBack, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const claims = tokens.claims()
      return toProfile({
        subject: claims?.sub,
        names: [claims?.name, claims?.preferred_username],
        email: claims?.email,
        emailVerified: claims?.email_verified,
      })
    },
  }
}

function discover(options: Options): Promise<openId.Configuration> {
  const issuer = new URL(options.issuer)
  const execute = [openId.enableNonRepudiationChecks]
  // The settings admit plain HTTP for a loopback issuer only.
  if (issuer.protocol === 'http:') execute.push(openId.allowInsecureRequests)
  return openId.discovery(issuer, options.clientId, {}, secretBy(options.clientSecret), {
    execute,
    [openId.customFetch]: ask,
  })
}

const ask: openId.CustomFetch = (url, { signal, body, ...rest }) => {
  // `fetch` refuses bytes in memory shared between threads, so the bytes are copied.
  const sent = body instanceof Uint8Array ? new Uint8Array(body) : body
  return boundedFetch(url, { ...rest, ...(signal && { signal }), ...(sent != null && { body: sent }) })
}

/** Sends the client secret in the header, the standard's default, or in the body, which some providers require. */
function secretBy(clientSecret: string): openId.ClientAuth {
  const inHeader = openId.ClientSecretBasic(clientSecret)
  const inBody = openId.ClientSecretPost(clientSecret)
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported
    const send = ways === undefined || ways.includes('client_secret_basic') ? inHeader : inBody
    send(server, ...rest)
  }
}
