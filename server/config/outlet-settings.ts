import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { EnvironmentReader } from './environment.ts'

export type Outlets = {
  counter: {
    /** The hashes go into the content security policy. */
    snippets: { code: string; hash: string }[]
    hosts: string[]
  }
  sentryDsn: string | null
  /** Hosts that requests to other people's addresses may find in this network (http/outbound/). */
  outboundPrivateHosts: string[]
}

const MAX_SNIPPETS = 10
/** Attributes would be lost, because only the content goes into the page. */
const SNIPPET = /<script>([\s\S]*?)<\/script>/g
const COMMENT = /<!--[\s\S]*?-->/g
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

export function readOutlets(read: EnvironmentReader): Outlets {
  return {
    counter: { snippets: readSnippets(read), hosts: readHosts(read) },
    sentryDsn: readDsn(read),
    outboundPrivateHosts: readPrivateHosts(read),
  }
}

function readSnippets(read: EnvironmentReader): Outlets['counter']['snippets'] {
  const path = read.optionalText('COUNTER_SNIPPETS_FILE')
  if (path === null) return []
  try {
    const text = readFileSync(path, 'utf8').replace(COMMENT, '')
    const codes = [...text.matchAll(SNIPPET)].map(([, code = '']) => code)
    const rest = text.replace(SNIPPET, '').trim()
    if (rest !== '' || codes.length === 0 || codes.length > MAX_SNIPPETS) {
      read.problem(
        'COUNTER_SNIPPETS_FILE',
        `must name a file of 1 to ${MAX_SNIPPETS} elements <script>…</script> without attributes, and nothing else`,
      )
      return []
    }
    return codes.map((code) => ({ code, hash: `sha256-${createHash('sha256').update(code).digest('base64')}` }))
  } catch (error) {
    read.problem('COUNTER_SNIPPETS_FILE', `cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

/** The values go into a header, so nothing may end or widen the list. */
function readHosts(read: EnvironmentReader): string[] {
  const hosts = read.list('COUNTER_HOSTS')
  if (hosts.some((host) => safeUrl(host)?.origin !== host)) {
    read.problem('COUNTER_HOSTS', 'must be origins separated by commas: https://counter.example')
    return []
  }
  return hosts
}

/** Compared with `URL.hostname`, so each is written as that writes it. */
function readPrivateHosts(read: EnvironmentReader): string[] {
  const hosts = read.list('OUTBOUND_PRIVATE_HOSTS')
  if (hosts.every((host) => URL.parse(`http://${host}/`)?.hostname === host)) return hosts
  read.problem('OUTBOUND_PRIVATE_HOSTS', 'must be host names separated by commas, without ports: hooks.internal,[::1]')
  return []
}

function readDsn(read: EnvironmentReader): string | null {
  const text = read.optionalText('SENTRY_DSN')
  if (text === null) return null
  const url = safeUrl(text)
  if (url !== null && /^\w+$/.test(url.username) && url.password === '' && /\/\d+$/.test(url.pathname)) return text
  read.problem('SENTRY_DSN', 'must look like https://KEY@host/PROJECT, without the secret of old ones')
  return null
}

function safeUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
  return isSafe ? url : null
}
