/** Stored with each message; a changed rule of nameService raises it. */
export const NAMING_VERSION = 2

/**
 * `services`: all that fit, the likeliest first. `hinted` counts only for a single fitting holder. `operator`: a notice
 * that belongs to nobody and captures nothing. `mentioned`: brand words without a code, like an advert, so no wait
 * ends.
 */
export type Naming =
  | { kind: 'named'; by: 'hash' | 'domain' | 'text' | 'sender'; services: readonly string[]; family: string }
  | { kind: 'hinted'; services: readonly string[] }
  | { kind: 'mentioned'; services: readonly string[] }
  | { kind: 'operator' }
  | { kind: 'none' }
