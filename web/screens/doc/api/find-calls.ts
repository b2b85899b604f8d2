import type { ReferenceCall, ReferenceReply } from '#contract/calls/reference-calls.ts'
import type { Searchable } from '#contract/formats/search-names.ts'
import { findByWords } from '#web/screens/doc/find-by-words.ts'

type Groups = ReferenceReply['data']

/** Returns ids of API calls whose summary, group, URL or fields match each word of `search`; null if empty. */
export function findCalls(groups: Groups, groupName: (tag: string) => string, search: string): Set<string> | null {
  if (search === '') return null
  const all = groups.flatMap(({ tag, calls }) => calls.map((call) => searchedOf(call, groupName(tag))))
  return new Set(findByWords(all, search, (call) => call).map(({ id }) => id))
}

function searchedOf({ id, summary, method, path, fields, errors }: ReferenceCall, group: string): CallNames {
  return { id, name: summary, also: [id, group, `${method} ${path}`, ...fields.map(({ name }) => name), ...errors] }
}

type CallNames = Searchable & { id: string }
