/** Raised when the rule of nameService changes: every message is stored with the version that judged it. */
export const NAMING_VERSION = 2

/**
 * Which service a message names. `services`: every service that it fits, the likeliest first, so that aliases and
 * services with a shared sender are all there. `hinted` counts only when exactly one waiting holder fits. `operator`: a
 * notice of the mobile operator, or of a sender that staff ignore; it belongs to nobody and captures nothing. `mentioned`:
 * brand words alone, in a text without a code. An advert says as much, so it ends no wait for one.
 */
export type Naming =
  | { kind: 'named'; by: 'hash' | 'domain' | 'text' | 'sender'; services: readonly string[]; family: string }
  | { kind: 'hinted'; services: readonly string[] }
  | { kind: 'mentioned'; services: readonly string[] }
  | { kind: 'operator' }
  | { kind: 'none' }
