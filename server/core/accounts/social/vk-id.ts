import { createHash } from 'node:crypto'
import { z } from 'zod'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import { toProfile } from './profile.ts'
import type { SocialProvider } from './social-provider.ts'

type Options = { issuer: string; clientId: string; serviceToken: string }

/** The OAuth scope covers name and picture only, because VK does not say whether an e-mail is verified. */
const SCOPE = 'vkid.personal_info'

const userIdSchema = z.union([z.string().min(1), z.number().int()]).transform(String)
const tokensSchema = z.object({ access_token: z.string().min(1), user_id: userIdSchema, state: z.string().optional() })
const personSchema = z.object({
  user: z.object({ user_id: userIdSchema, first_name: z.string().optional(), last_name: z.string().optional() }),
})

/**
 * Makes the sign-in provider VK ID, which follows OAuth 2.1:
 * id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 */
export function vkProvider({ issuer, clientId, serviceToken }: Options): SocialProvider {
  return {
    async authorizeUrl({ state, verifier, redirectUri }) {
      const url = endpoint(issuer, '/authorize')
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: SCOPE,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return url
    },
    async exchange({ state, verifier, redirectUri }, query) {
      const code = query.get('code')
      const deviceId = query.get('device_id')
      if (query.get('state') !== state || code === null || deviceId === null) throw new Error('VK sent no code')
      const tokens = tokensSchema.parse(
        await post(endpoint(issuer, '/oauth2/auth'), {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          client_id: clientId,
          device_id: deviceId,
          redirect_uri: redirectUri,
          state,
          // VK refuses unexpected parameters, and only a confidential app has a service token.
          ...(serviceToken !== '' && { service_token: serviceToken }),
        }),
      )
      if (tokens.state !== undefined && tokens.state !== state) throw new Error('VK answered for another state')
      const { user } = personSchema.parse(
        await post(endpoint(issuer, '/oauth2/user_info'), { client_id: clientId, access_token: tokens.access_token }),
      )
      if (user.user_id !== tokens.user_id) throw new Error('VK named two persons')
      const name = [user.first_name, user.last_name].filter((part) => part !== undefined).join(' ')
      return toProfile({ subject: user.user_id, names: [name], email: null, emailVerified: false })
    },
  }
}

function endpoint(issuer: string, path: string): URL {
  return new URL(path, issuer)
}

/** Posts a form to VK. A failure may have status 200; the callers' schemas refuse such bodies. */
async function post(url: URL, form: Record<string, string>): Promise<unknown> {
  const response = await boundedFetch(url.href, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`VK answered ${response.status}`)
  return response.json()
}
