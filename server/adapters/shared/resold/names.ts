import type { CodeKind, CodeRow } from './queries/codes.ts'

/** Maps the supplier's codes to ours, unless the operator corrects them. */
type Known = { corrected: CodeRow[] } & Readonly<Record<CodeKind, ReadonlyMap<string, string>>>

/** Translates between the supplier's codes and ours. */
export class Names {
  /** Identifies the state of the corrections. */
  readonly fingerprint: string
  readonly #toOurs = new Map<string, string | null>()
  readonly #toTheirs = new Map<string, string>()
  readonly #known: Readonly<Record<CodeKind, ReadonlyMap<string, string>>>
  readonly #knownTheirs = new Map<string, string>()

  constructor({ corrected, service, country }: Known) {
    this.#known = { service, country }
    for (const [theirs, ours] of service) this.#knownTheirs.set(`service ${ours}`, theirs)
    for (const [theirs, ours] of country) this.#knownTheirs.set(`country ${ours}`, theirs)
    for (const { kind, theirs, ours } of corrected) {
      this.#toOurs.set(`${kind} ${theirs}`, ours)
      if (ours !== null) this.#toTheirs.set(`${kind} ${ours}`, theirs)
    }
    this.fingerprint = JSON.stringify([corrected, service.size, country.size])
  }

  /** Returns null if the operator does not want the code sold, and undefined if it is unknown. */
  ours(kind: CodeKind, theirs: string): string | null | undefined {
    const corrected = this.#toOurs.get(`${kind} ${theirs}`)
    if (corrected !== undefined) return corrected
    const ours = this.#known[kind].get(theirs)
    if (ours === undefined) return undefined
    // The operator assigned another code of the supplier to ours.
    return this.#toTheirs.has(`${kind} ${ours}`) ? null : ours
  }

  /** Returns the supplier's codes of all known services or countries, without corrections. */
  allTheirs(kind: CodeKind): string[] {
    return [...this.#known[kind].keys()]
  }

  theirs(kind: CodeKind, ours: string): string {
    return this.#toTheirs.get(`${kind} ${ours}`) ?? this.#knownTheirs.get(`${kind} ${ours}`) ?? ours
  }
}

/** All services of the protocol share one table of codes, so a code maps to itself. */
export function itself(codes: readonly string[]): Map<string, string> {
  return new Map(codes.map((code) => [code, code]))
}
