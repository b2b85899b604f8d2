import type { Profile } from './profile.ts'

/** One way to a provider and back: what is random in it, and where the browser comes back. */
export type Journey = { state: string; nonce: string; verifier: string; redirectUri: string }

/** A social sign-in, whatever it speaks. Both functions reject when the provider is away or says anything unexpected. */
export type SocialProvider = {
  /** Where the browser goes. */
  authorizeUrl(journey: Journey): Promise<URL>
  /** Who came back, by the query the provider's redirect brought. */
  exchange(journey: Journey, query: URLSearchParams): Promise<Profile>
}
