import type { CodeKind, CodeRow } from './queries/codes.ts'

type Known = { corrected: CodeRow[]; services: string[]; countries: string[] }

/** Their codes and ours: the field's table is shared, so a code means itself unless the operator says otherwise. */
export class Names {
  /** Tells one state of the corrections from another. */
  readonly fingerprint: string
  readonly #toOurs = new Map<string, string | null>()
  readonly #toTheirs = new Map<string, string>()
  readonly #known: Record<CodeKind, ReadonlySet<string>>

  constructor({ corrected, services, countries }: Known) {
    this.#known = { service: new Set(services), country: new Set(countries) }
    for (const { kind, theirs, ours } of corrected) {
      this.#toOurs.set(`${kind} ${theirs}`, ours)
      if (ours !== null) this.#toTheirs.set(`${kind} ${ours}`, theirs)
    }
    this.fingerprint = JSON.stringify([corrected, services.length, countries.length])
  }

  /** null: the operator wants it not sold. undefined: nobody knows it. */
  ours(kind: CodeKind, theirs: string): string | null | undefined {
    const corrected = this.#toOurs.get(`${kind} ${theirs}`)
    if (corrected !== undefined) return corrected
    if (!this.#known[kind].has(theirs)) return undefined
    // Another of their codes was named for ours.
    return this.#toTheirs.has(`${kind} ${theirs}`) ? null : theirs
  }

  theirs(kind: CodeKind, ours: string): string {
    return this.#toTheirs.get(`${kind} ${ours}`) ?? ours
  }
}
