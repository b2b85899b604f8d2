/** Matches the names of list entries in form libraries: `services_ids[]` or `services_ids[3]` (specification 3). */
const LIST_NAME = /^([^[\]]+)\[\d{0,4}\]$/

/** Drops empty and null values of a query. Lists (`ids=a,b`, `ids[]=a&ids[]=b`, `ids[0]=a&ids[1]=b`) become `ids`. */
export function tidyQuery(query: unknown): Record<string, unknown> {
  if (typeof query !== 'object' || query === null) return {}
  const tidy = new Map<string, unknown>()
  for (const [name, value] of Object.entries(query)) {
    if (isEmpty(value)) continue
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

/** Removes empty and null fields. Input without fields, such as a list, is returned unchanged. */
export function withoutEmpty(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null
}
