/** Stored with each message; a changed rule of reading raises it. */
export const NAMING_VERSION = 6

/**
 * `services`: all that fit, the likeliest first. `named`: for certain. `mentioned`: said plainly, so it counts only where
 * one account holds the phone. `hinted`: weak or in conflict, so it decides nothing between accounts. `operator`: a
 * notice that belongs to nobody.
 */
export type Naming =
  | { kind: 'named'; by: 'hash' | 'domain' | 'text' | 'sender'; services: readonly string[]; family: string }
  | { kind: 'mentioned'; services: readonly string[] }
  | { kind: 'hinted'; services: readonly string[] }
  | { kind: 'operator' }
  | { kind: 'none' }
