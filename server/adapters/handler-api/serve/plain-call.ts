import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { KeyDialect } from '#contract/api-key.ts'
import { API_KEY_PATTERN, hashApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { cacheKeyOf } from '#server/core/accounts/api-keys/key-memory.ts'
import { shownKey } from '#server/house/http/shown-key.ts'
import { actions } from './actions.ts'
import { spokenAt } from './addresses.ts'

const MAX_QUERY_LENGTH = 200
const PLAIN_ID = /^id=\d{1,15}$/

/** `spoken` is the address's dialect, or null if the API key decides the dialect. */
type PlainUrl = { action: string; key: string | undefined; id: string | undefined; spoken: KeyDialect | null }
export type PlainCall = Omit<PlainUrl, 'key'> & { keyName: string }

/** Programs repeat requests on a keep-alive connection, so the last URL of each socket is not parsed again. */
const lastOf = new WeakMap<Socket, { url: string; call: PlainCall }>()

/**
 * Reads a GET with only an action, an API key and perhaps an id. Returns undefined for any other request, and for one
 * with a cookie, which may change the meaning.
 */
export function readPlainCall({ method, url = '', headers, socket }: IncomingMessage): PlainCall | undefined {
  const at = url.indexOf('.php?') + '.php'.length
  if (method !== 'GET' || at < '.php'.length || headers.cookie !== undefined) return undefined
  const last = lastOf.get(socket)
  if (last?.url === url) return last.call
  const read = readUrl(url, at)
  const key = read?.key ?? shownKey(headers)
  if (read === undefined || key === undefined || !API_KEY_PATTERN.test(key)) return undefined
  const call = { ...read, keyName: cacheKeyOf(hashApiKey(key)) }
  // A key in a header may differ next time, so only calls with a key in the URL are cached.
  if (read.key !== undefined) lastOf.set(socket, { url, call })
  return call
}

function readUrl(url: string, at: number): PlainUrl | undefined {
  const spoken = url.length - at > MAX_QUERY_LENGTH ? undefined : spokenAt(url.slice(0, at))
  if (spoken === undefined) return undefined
  let [action, key, id]: (string | undefined)[] = []
  for (const pair of url.slice(at + 1).split('&')) {
    if (pair.startsWith('action=') && action === undefined) action = pair.slice('action='.length)
    else if (pair.startsWith('api_key=') && key === undefined) key = pair.slice('api_key='.length)
    else if (PLAIN_ID.test(pair) && id === undefined) id = pair.slice('id='.length)
    else return undefined
  }
  if (action === undefined || actions.get(action)?.access !== 'key') return undefined
  return { action, key, id, spoken }
}

export function isPlain(method: string, parameters: Readonly<Record<string, string>>): boolean {
  return method === 'GET' && Object.keys(parameters).every((name) => name === 'action' || name === 'api_key')
}
