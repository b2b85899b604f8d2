import type { ReferenceCall, ReferenceReply } from '#contract/calls/reference-calls.ts'
import { findBy, type Searchable } from '#contract/formats/search-names.ts'

type Groups = ReferenceReply['data']

/** Returns ids of API calls whose summary, group, URL or fields match each word of `search`; null if empty. */
export function findCalls(groups: Groups, groupName: (tag: string) => string, search: string): Set<string> | null {
  if (search === '') return null
  let left = groups.flatMap(({ tag, calls }) => calls.map((call) => searchedOf(call, groupName(tag))))
  for (const word of search.split(/\s+/)) left = findBy(left, word, (call) => call).map(({ item }) => item)
  return new Set(left.map(({ id }) => id))
}

function searchedOf({ id, summary, method, path, fields }: ReferenceCall, group: string): CallNames {
  return { id, name: summary, also: [id, group, `${method} ${path}`, ...fields.map(({ name }) => name)] }
}

type CallNames = Searchable & { id: string }
