import type { Profile } from './profile.ts'

export type Journey = { state: string; nonce: string; verifier: string; redirectUri: string }

/** `authorizeUrl` and `exchange` reject on any failure or unexpected answer of the provider. */
export type SocialProvider = {
  authorizeUrl(journey: Journey): Promise<URL>
  exchange(journey: Journey, query: URLSearchParams): Promise<Profile>
}
