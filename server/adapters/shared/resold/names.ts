import type { CodeKind, CodeRow } from './queries/codes.ts'

/** Ours by theirs: what a code means unless the operator says otherwise. */
type Known = { corrected: CodeRow[] } & Readonly<Record<CodeKind, ReadonlyMap<string, string>>>

/** Their codes and ours. */
export class Names {
  /** Tells one state of the corrections from another. */
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

  /** null: the operator wants it not sold. undefined: nobody knows it. */
  ours(kind: CodeKind, theirs: string): string | null | undefined {
    const corrected = this.#toOurs.get(`${kind} ${theirs}`)
    if (corrected !== undefined) return corrected
    const ours = this.#known[kind].get(theirs)
    if (ours === undefined) return undefined
    // Another of their codes was named for ours.
    return this.#toTheirs.has(`${kind} ${ours}`) ? null : ours
  }

  /** Their codes of what is known here, without corrections. */
  allTheirs(kind: CodeKind): string[] {
    return [...this.#known[kind].keys()]
  }

  theirs(kind: CodeKind, ours: string): string {
    return this.#toTheirs.get(`${kind} ${ours}`) ?? this.#knownTheirs.get(`${kind} ${ours}`) ?? ours
  }
}

/** The field's table is shared, so a code means itself. */
export function itself(codes: readonly string[]): Map<string, string> {
  return new Map(codes.map((code) => [code, code]))
}
