import { KEY_DIALECTS, type KeyDialect } from '#contract/api-key.ts'

export const PATH = '/stubs/handler_api.php'

type Address = { url: string; spoken: KeyDialect | null }

/** Some clients leave out the `.php` of the address. */
const ENDINGS = ['.php', '.php/', '', '/']

/** All addresses of this API, accepted without a redirect. Clients join host and path with extra slashes. */
export const ADDRESSES: readonly Address[] = [
  ...spellings('').map((url) => ({ url, spoken: null })),
  ...KEY_DIALECTS.flatMap((spoken) => spellings(`/${spoken}`).map((url) => ({ url, spoken }))),
  // The web page of SMSHub posts to these addresses.
  ...['/api.php', '/smshub/api.php'].map((url) => ({ url, spoken: 'smshub' as const })),
]

function spellings(prefix: string): string[] {
  return ['/', '//'].flatMap((first) =>
    ['/', '//'].flatMap((second) => ENDINGS.map((ending) => `${prefix}${first}stubs${second}handler_api${ending}`)),
  )
}

const SPOKEN: ReadonlyMap<string, KeyDialect | null> = new Map(ADDRESSES.map(({ url, spoken }) => [url, spoken]))

/**
 * Returns the dialect of a URL path. Returns null if the API key decides the dialect, and undefined for a path outside
 * this API.
 */
export function spokenAt(path: string): KeyDialect | null | undefined {
  return SPOKEN.get(path)
}
