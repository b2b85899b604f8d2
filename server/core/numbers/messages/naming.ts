/** The version of the naming rules, stored with each message. It must be raised when a naming rule changes. */
export const NAMING_VERSION = 6

/**
 * The services that a message names, the likeliest first. `named` is certain. `mentioned` means that a brand occurs in
 * the text, which counts only if one account holds the phone. `hinted` has weak or conflicting evidence, so it never
 * decides between accounts. `operator` is a notice of the mobile operator, which belongs to no order.
 */
export type Naming =
  | { kind: 'named'; by: 'hash' | 'domain' | 'text' | 'sender'; services: readonly string[]; family: string }
  | { kind: 'mentioned'; services: readonly string[] }
  | { kind: 'hinted'; services: readonly string[] }
  | { kind: 'operator' }
  | { kind: 'none' }
