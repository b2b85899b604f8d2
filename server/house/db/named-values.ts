export type NamedValues = { readonly [name: string]: unknown }

type Numbered = { text: string; names: readonly string[] }

const NAME = /\$([a-z]\w*)/gi

export const numbered = new Map<string, Numbered & { from: string }>()

/**
 * Replaces names such as `$userId` in a statement with numbers. Throws for a name without a value, which must not
 * silently become NULL.
 */
export function numberValues(
  name: string | undefined,
  query: { text: string; values: NamedValues },
): { text: string; values: unknown[] } {
  const { text, names } = name === undefined ? numberNames(query.text) : numberedOnce(name, query.text)
  const values = names.map((value) => {
    if (!Object.hasOwn(query.values, value)) throw new Error(`${name ?? 'a statement'} has no value for $${value}`)
    return query.values[value]
  })
  return { text, values }
}

function numberedOnce(name: string, text: string): Numbered {
  const known = numbered.get(name)
  if (known?.from === text) return known
  const fresh = { ...numberNames(text), from: text }
  numbered.set(name, fresh)
  return fresh
}

function numberNames(text: string): Numbered {
  const names: string[] = []
  const withNumbers = text.replaceAll(NAME, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text: withNumbers, names }
}
