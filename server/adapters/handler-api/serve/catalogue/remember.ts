type Versioned = { readonly version: number }

const memories = new WeakMap<Versioned, { version: number; replies: Map<string, Buffer> }>()

/** Caches an encoded reply until the catalogue changes. `key` holds no caller's input, to keep the cache small. */
export function remembered(catalog: Versioned, key: string, make: () => string): Buffer {
  let memory = memories.get(catalog)
  if (memory === undefined || memory.version !== catalog.version) {
    memory = { version: catalog.version, replies: new Map() }
    memories.set(catalog, memory)
  }
  const found = memory.replies.get(key)
  if (found !== undefined) return found
  const made = Buffer.from(make())
  memory.replies.set(key, made)
  return made
}
