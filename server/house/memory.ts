/**
 * `process`: real and play money share it. `world`: each has its own, so that nothing learnt, counted or sold in the sandbox
 * reaches the real service.
 */
export type Scope = 'process' | 'world'

/** `lost`: a node that dies takes it along; docs/memory.md shows it. */
export type MemoryKind = { name: string; scope: Scope; lost: string }

/** The memory of one context. The sandbox has its own beside that of the real service. */
export class Memory {
  /** The context of the real service; null: this memory is its own. */
  readonly #real: Remembering | null
  readonly #values = new Map<MemoryKind, unknown>()

  constructor(real: Remembering | null = null) {
    this.#real = real
  }

  get isPlay(): boolean {
    return this.#real !== null
  }

  recall<T, C>(kind: MemoryKind, ctx: C & Remembering, make: (ctx: C) => T): T {
    if (kind.scope === 'process' && this.#real !== null) {
      // The sandbox's context is a copy of the real one (sandbox-world.ts), so it has the same type.
      const real = this.#real as C & Remembering
      return real.memory.recall(kind, real, make)
    }
    let value = this.#values.get(kind)
    if (value === undefined) {
      value = make(ctx)
      this.#values.set(kind, value)
    }
    // Only `make` of the same kind has stored it.
    return value as T
  }

  keep(kind: MemoryKind, value: unknown): void {
    this.#values.set(kind, value)
  }

  /** For both worlds when they share it. */
  forget(kind: MemoryKind): void {
    this.#values.delete(kind)
    if (kind.scope === 'process') this.#real?.memory.forget(kind)
  }

  /** Entries of what has been made, by name; 1 for what has no size. */
  *sizes(): Iterable<[kind: MemoryKind, size: number]> {
    for (const [kind, value] of this.#values) yield [kind, sizeOf(value)]
  }
}

type Remembering = { memory: Memory }

/**
 * `forget`: it is made anew at its next use, as after a restart. `share`: the other context gets the same one, as in tests that
 * would load it a hundred times.
 */
export type Recall<T, C> = ((ctx: C & Remembering) => T) & {
  forget(ctx: Remembering): void
  share(from: C & Remembering, to: Remembering): void
}

const kinds: MemoryKind[] = []

/** A memory of a room: made at its first use, and the same ever after. The name is for metrics and docs/memory.md. */
export function perContext<T extends object, C = unknown>(
  name: string,
  { scope, lost }: Omit<MemoryKind, 'name'>,
  make: (ctx: C) => T,
): Recall<T, C> {
  const kind = { name, scope, lost }
  kinds.push(kind)
  const recall = (ctx: C & Remembering) => ctx.memory.recall(kind, ctx, make)
  return Object.assign(recall, {
    forget: (ctx: Remembering) => ctx.memory.forget(kind),
    share: (from: C & Remembering, to: Remembering) => to.memory.keep(kind, recall(from)),
  })
}

/** All that any loaded module keeps. */
export function memoryKinds(): readonly MemoryKind[] {
  return kinds
}

function sizeOf(value: unknown): number {
  const size = typeof value === 'object' && value !== null && 'size' in value ? value.size : 1
  return typeof size === 'number' ? size : 1
}
