import type { IncomingMessage } from 'node:http'
import { shownKey } from '#server/http/shown-key.ts'
import { actions } from './actions.ts'
import { spokenAt } from './addresses.ts'

const MAX_QUERY_LENGTH = 200
const PLAIN_ID = /^id=\d{1,15}$/

/** An action of keys with a key, perhaps an id, and nothing else, in the query of a GET. A cookie may mean more. */
export function readPlainCall({ method, url = '', headers }: IncomingMessage) {
  const at = url.indexOf('.php?') + '.php'.length
  if (method !== 'GET' || at < '.php'.length || url.length - at > MAX_QUERY_LENGTH) return undefined
  const spoken = spokenAt(url.slice(0, at))
  if (spoken === undefined || headers.cookie !== undefined) return undefined
  let [action, key, id]: (string | undefined)[] = []
  for (const pair of url.slice(at + 1).split('&')) {
    if (pair.startsWith('action=') && action === undefined) action = pair.slice('action='.length)
    else if (pair.startsWith('api_key=') && key === undefined) key = pair.slice('api_key='.length)
    else if (PLAIN_ID.test(pair) && id === undefined) id = pair.slice('id='.length)
    else return undefined
  }
  key ??= shownKey(headers)
  if (action === undefined || key === undefined || actions.get(action)?.access !== 'key') return undefined
  return { action, key, id, spoken: spoken ?? undefined }
}

/** Whether it is one without an id, as Fastify sees it. */
export function isPlain(method: string, parameters: Readonly<Record<string, string>>): boolean {
  return method === 'GET' && Object.keys(parameters).every((name) => name === 'action' || name === 'api_key')
}
