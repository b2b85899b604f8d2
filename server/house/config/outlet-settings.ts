import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CAPTCHA_ON, LOCALES } from '#contract/constants.ts'
import { INTERFACE_LOCALES } from '#contract/settings/languages.ts'
import { checked, fitting, isGuarded, judged, list, listOf, type Problem, partsOf, type Table, text } from './kinds.ts'
import { type MarketingRule, parseMarketingRules } from './marketing-rules.ts'

/** A script that the operator adds to each page. `hash` allows the script in the content security policy. */
type Snippet = { code: string; hash: string }

const MAX_SNIPPETS = 10
const SNIPPETS_RULE = `name a file of 1 to ${MAX_SNIPPETS} elements <script>…</script> without attributes, and nothing else`
/** Matches script tags in the setting. The tags have no attributes, because only their content gets into the page. */
const SNIPPET = /<script>([\s\S]*?)<\/script>/g
const COMMENT = /<!--[\s\S]*?-->/g
const RULES_RULE = 'be a JSON list of {"utm_…","action"}'

export const OUTLET_SETTINGS = {
  ZONES: [
    text(null, {
      must: 'be a JSON list of {"name","hosts","currency","locales"}',
      shown: '`ru`, of `PUBLIC_URL`',
    }),
    "A zone has hosts, the currency of new accounts and languages. Its `indexing`, `systems` and `default_system` may be left out; `systems` are the [ways to pay](operations/gateways.md#taking-money), in their order. Passkeys belong to the shortest host that a page's host ends with: list `example.org` beside `www.example.org`. A host that is given up takes its passkeys along.",
  ],
  LOCALES: [
    listOf(INTERFACE_LOCALES, [...LOCALES]),
    'The site has these languages; one alone is chosen by itself. `es` and `zh` are [drafts](languages.md).',
  ],
  INDEXING: [text('index', { demo: 'noindex' }), 'Search engines may list the pages with `index` alone.'],
  CLOSED_PAGES: [list(), 'These pages are hidden.'],
  CLOSED_PAGES_USER_IDS: [list('be user ids separated by commas'), 'These users see hidden pages all the same.'],
  CAPTCHA_ENABLED: [
    text(CAPTCHA_ON, { demo: '0' }),
    '`2` asks for a captcha at registration, and at sign-in while very many wait; `0` does not.',
  ],
  CONTACT_EMAIL: [text(null, { shown: '`support@HOST` of `PUBLIC_URL`' }), 'People write to this address.'],
  CONTACT_TELEGRAM: [text(null), 'People write to this name at Telegram. It stands without `@`.'],
  SECURITY_CONTACT: [
    fitting('begin with mailto: or https://', (given) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(given), {
      shown: '`mailto:` and `CONTACT_EMAIL`',
    }),
    '`/.well-known/security.txt` says that holes are reported here.',
  ],
  MARKETING_ACTIONS: [
    judged<MarketingRule[]>({ must: RULES_RULE, standard: [], parse: readRules }),
    'The first rule whose `utm_…` a visitor\'s link has opens a dialog: `[{"utm_source":"tg","action":"show-register-modal"}]`. The other dialog is `show-login-modal`.',
  ],
  COUNTER_SNIPPETS_FILE: [
    judged<Snippet[]>({ must: SNIPPETS_RULE, standard: [], parse: readSnippets }),
    "[Counters](operations/site.md#counters) of visitors' pages stand in this file.",
  ],
  /** The hosts become part of the content security policy header, so no value may end or widen the header's list. */
  COUNTER_HOSTS: [
    checked<string[]>({
      must: 'be origins separated by commas: https://counter.example',
      standard: [],
      parse: (given) => allOf(given, (host) => isGuarded(host) && new URL(host).origin === host),
    }),
    'Counters load from these origins and send to them.',
  ],
  SENTRY_DSN: [
    fitting('look like https://KEY@host/PROJECT, without the secret of old ones', isDsn),
    'Browsers [report their errors](operations/site.md#error-reports) here.',
  ],
  /** Private hosts are compared with `URL.hostname`, so each must be written as URL normalises it. */
  OUTBOUND_PRIVATE_HOSTS: [
    checked<string[]>({
      must: 'be host names separated by commas, without ports: hooks.internal,[::1]',
      standard: [],
      parse: (given) => allOf(given, (host) => URL.parse(`http://${host}/`)?.hostname === host),
    }),
    'Requests to [addresses members choose](security.md#requests-to-addresses-that-members-choose) reach these hosts of your network, also without TLS. Any member can have requests sent there: the log warns at each start.',
  ],
} satisfies Table

function allOf(given: string, test: (part: string) => boolean): string[] | undefined {
  const parts = partsOf(given)
  return parts.every(test) ? parts : undefined
}

function readRules(given: string, problem: Problem): MarketingRule[] | undefined {
  try {
    return parseMarketingRules(given)
  } catch (error) {
    return problem(`must ${RULES_RULE}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readSnippets(path: string, problem: Problem): Snippet[] | undefined {
  try {
    const file = readFileSync(path, 'utf8').replace(COMMENT, '')
    const codes = [...file.matchAll(SNIPPET)].map(([, code = '']) => code)
    const rest = file.replace(SNIPPET, '').trim()
    if (rest !== '' || codes.length === 0 || codes.length > MAX_SNIPPETS) return problem(`must ${SNIPPETS_RULE}`)
    return codes.map((code) => ({ code, hash: `sha256-${createHash('sha256').update(code).digest('base64')}` }))
  } catch (error) {
    return problem(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function isDsn(given: string): boolean {
  if (!isGuarded(given)) return false
  const { username, password, pathname } = new URL(given)
  return /^\w+$/.test(username) && password === '' && /\/\d+$/.test(pathname)
}
