import type { ReferenceCall, ReferenceReply } from '#contract/calls/reference-calls.ts'
import { findBy, type Searchable } from '#contract/formats/search-names.ts'

type Groups = ReferenceReply['data']

/** Ids of the calls that fit: by what they do, their group, address or fields. Null without a search. */
export function findCalls(groups: Groups, groupName: (tag: string) => string, search: string): Set<string> | null {
  if (search === '') return null
  const calls = groups.flatMap(({ tag, calls: inGroup }) =>
    inGroup.map((call) => ({ id: call.id, searched: searchedOf(call, groupName(tag)) })),
  )
  return new Set(findBy(calls, search, ({ searched }) => searched).map(({ item }) => item.id))
}

function searchedOf({ id, summary, method, path, fields }: ReferenceCall, group: string): Searchable {
  return { id, name: summary, also: [id, group, `${method} ${path}`, ...fields.map(({ name }) => name)] }
}
