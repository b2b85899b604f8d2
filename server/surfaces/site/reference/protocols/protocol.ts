import type { ProtocolName, ProtocolPart } from '#contract/calls/reference-calls.ts'

/** A part of a protocol's page. Its texts are in `contract/words/protocols-*.json`, under the protocol and the id. */
export type Part = Pick<ProtocolPart, 'id' | 'request' | 'program' | 'words'> & {
  /** The names of the parameters; those that must be given end with `*`. */
  fields: readonly string[]
}

export type Protocol = { name: ProtocolName; parts: readonly Part[] }

export function told(id: string): Part {
  return { id, request: null, program: null, words: [], fields: [] }
}
