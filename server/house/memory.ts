/**
 * The scope of a value in memory. `process` means that the real service and the sandbox share it. `world` means that
 * each has its own, so that nothing learnt or sold in the sandbox reaches the real service.
 */
export type Scope = 'process' | 'world'

/**
 * The way in which several nodes of one database have a value. `told`: each has a copy, which news or a look at the
 * tables renews. `counted`: Redis counts for all nodes, and each counts its share while Redis is away. `leased`: only
 * the node with the lease of the work uses it. `own`: it is about this process alone.
 */
export type AmongNodes = 'told' | 'counted' | 'leased' | 'own'

/** A kind of value in memory. `lost` says what is lost when the process dies, for docs/memory.md. */
export type MemoryKind = { name: string; scope: Scope; nodes: AmongNodes; lost: string }

/** The values in memory of one context. The sandbox's values are apart from those of the real service. */
export class Memory {
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
      // The cast is safe: the sandbox's context is a copy of the real one (sandbox.ts), of the same type.
      const real = this.#real as C & Remembering
      return real.memory.recall(kind, real, make)
    }
    let value = this.#values.get(kind)
    if (value === undefined) {
      value = make(ctx)
      this.#values.set(kind, value)
    }
    // The cast is safe: only `make` of the same kind stored the value.
    return value as T
  }

  keep(kind: MemoryKind, value: unknown): void {
    this.#values.set(kind, value)
  }

  /** Drops a value; with the scope `process`, for the sandbox and the real service alike. */
  forget(kind: MemoryKind): void {
    this.#values.delete(kind)
    if (kind.scope === 'process') this.#real?.memory.forget(kind)
  }

  /** Yields the number of entries of each value in use; 1 if the value has no size. */
  *sizes(): Iterable<[kind: MemoryKind, size: number]> {
    for (const [kind, value] of this.#values) yield [kind, sizeOf(value)]
  }
}

type Remembering = { memory: Memory }

/** `forget` drops the value, as a restart would. `share` gives it to a second context, to spare tests loading it. */
export type Recall<T, C> = ((ctx: C & Remembering) => T) & {
  forget(ctx: Remembering): void
  share(from: C & Remembering, to: Remembering): void
}

const kinds: MemoryKind[] = []

/** Declares a value that a context creates at its first use and keeps in memory. `name` is for docs/memory.md. */
export function perContext<T extends object, C = unknown>(
  name: string,
  { scope, nodes, lost }: Omit<MemoryKind, 'name'>,
  make: (ctx: C) => T,
): Recall<T, C> {
  const kind = { name, scope, nodes, lost }
  kinds.push(kind)
  const recall = (ctx: C & Remembering) => ctx.memory.recall(kind, ctx, make)
  return Object.assign(recall, {
    forget: (ctx: Remembering) => ctx.memory.forget(kind),
    share: (from: C & Remembering, to: Remembering) => to.memory.keep(kind, recall(from)),
  })
}

export function memoryKinds(): readonly MemoryKind[] {
  return kinds
}

function sizeOf(value: unknown): number {
  const size = typeof value === 'object' && value !== null && 'size' in value ? value.size : 1
  return typeof size === 'number' ? size : 1
}
