/** `services_ids[]` and `services_ids[3]`: how form libraries write one entry of a list (product.md section 3). */
const LIST_NAME = /^([^[\]]+)\[\d{0,4}\]$/

/**
 * A parsed query as the schemas read it: empty and null values are absent, and every spelling of a list,
 * `ids=a,b`, `ids[]=a&ids[]=b` or `ids[0]=a&ids[1]=b`, stands under the plain name.
 */
export function tidyQuery(query: unknown): Record<string, unknown> {
  if (typeof query !== 'object' || query === null) return {}
  const tidy = new Map<string, unknown>()
  for (const [name, value] of Object.entries(query)) {
    if (value === '' || value === null) continue
    const listName = LIST_NAME.exec(name)?.[1]
    if (listName === undefined && !tidy.has(name)) tidy.set(name, value)
    else addToList(tidy, listName ?? name, value)
  }
  return Object.fromEntries(tidy)
}

function addToList(tidy: Map<string, unknown>, name: string, value: unknown): void {
  const before = tidy.get(name)
  tidy.set(name, [before ?? [], value].flat())
}
