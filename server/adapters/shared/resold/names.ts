import type { CodeKind, CodeRow } from './queries/codes.ts'

type Known = { corrected: CodeRow[] } & Readonly<Record<CodeKind, ReadonlyMap<string, string>>>

export class Names {
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

  /**
   * Returns our service or country code for the supplier's. Returns null if staff do not want it sold, and undefined if
   * it is unknown.
   */
  ours(kind: CodeKind, theirs: string): string | null | undefined {
    const corrected = this.#toOurs.get(`${kind} ${theirs}`)
    if (corrected !== undefined) return corrected
    const ours = this.#known[kind].get(theirs)
    if (ours === undefined) return undefined
    // Staff assigned a different service or country code of the supplier to our code.
    return this.#toTheirs.has(`${kind} ${ours}`) ? null : ours
  }

  allTheirs(kind: CodeKind): string[] {
    return [...this.#known[kind].keys()]
  }

  theirs(kind: CodeKind, ours: string): string {
    return this.#toTheirs.get(`${kind} ${ours}`) ?? this.#knownTheirs.get(`${kind} ${ours}`) ?? ours
  }
}

/** Maps each service or country code to itself, because all suppliers with handler_api share one table of codes. */
export function itself(codes: readonly string[]): Map<string, string> {
  return new Map(codes.map((code) => [code, code]))
}
