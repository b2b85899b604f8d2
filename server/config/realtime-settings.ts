import { REALTIME_PORT } from '#contract/constants.ts'
import type { EnvironmentReader } from './environment.ts'

export type RealtimeSettings = {
  port: number
  appKey: string
  tlsCertFile: string | null
  tlsKeyFile: string | null
  /** null: browsers find the sockets on `port` or on the site itself. */
  publicUrl: URL | null
}

export function readRealtime(read: EnvironmentReader): RealtimeSettings {
  const settings = {
    port: read.integer('REALTIME_PORT', REALTIME_PORT, { min: 0, max: 65_535 }),
    appKey: read.text('REALTIME_APP_KEY', 'ringpost'),
    tlsCertFile: read.optionalText('REALTIME_TLS_CERT'),
    tlsKeyFile: read.optionalText('REALTIME_TLS_KEY'),
    publicUrl: readSocketUrl(read),
  }
  if ((settings.tlsCertFile === null) !== (settings.tlsKeyFile === null)) {
    read.problem('REALTIME_TLS_CERT', 'and REALTIME_TLS_KEY must be set together')
  }
  return settings
}

function readSocketUrl(read: EnvironmentReader): URL | null {
  const text = read.optionalText('REALTIME_PUBLIC_URL')
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^wss?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url
  read.problem('REALTIME_PUBLIC_URL', 'must be where live sockets are, without a path: wss://live.example.org')
  return null
}
