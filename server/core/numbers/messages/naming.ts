/** The version is stored with each message; raise it when a naming rule changes. */
export const NAMING_VERSION = 6

/**
 * The services that a message names, the likeliest first. `named` is certain. `mentioned` is said plainly and counts
 * only if one account holds the phone. `hinted` is weak or in conflict, so it never decides between accounts.
 * `operator` is a notice for nobody.
 */
export type Naming =
  | { kind: 'named'; by: 'hash' | 'domain' | 'text' | 'sender'; services: readonly string[]; family: string }
  | { kind: 'mentioned'; services: readonly string[] }
  | { kind: 'hinted'; services: readonly string[] }
  | { kind: 'operator' }
  | { kind: 'none' }
