import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DIALECT_NAMES, KEY_DIALECTS } from '#contract/api-key.ts'
import { ENVELOPES } from '#server/adapters/handler-api/serve/dialects/envelopes.ts'
import { type ServedDialect, servedDialect } from '#server/adapters/handler-api/wire/dialects.ts'

/** Compares docs/api/dialects.md with the server's table of dialects; `--write` writes the page instead. */
const PAGE = join(import.meta.dirname, '../../docs/api/dialects.md')

const TIMES = {
  naive: '`2026-03-01 12:00:00`, UTC',
  moscow: '`2026-03-01 15:00:00`, UTC+3',
  offset: '`2026-03-01T12:00:00+00:00`',
} as const
const AGAIN = { boolean: '`true`', text: '`"1"`', number: '`1`' } as const

const MORE = {
  none: '',
  kind: '`verificationType`, `subtype`, `serviceCode`',
  ends: '`activationEnd`, `activationCancel`',
} as const

type Row = { what: string; of(dialect: ServedDialect): string }

const ROWS: Readonly<Record<Exclude<keyof ServedDialect, 'name'>, Row[]>> = {
  times: [{ what: 'times', of: ({ times }) => TIMES[times] }],
  refusals: [
    {
      what: 'a refusal, with 200',
      of: ({ refusals }) => (refusals === 'words' ? '`NO_BALANCE`' : '`{"title":"NO_BALANCE","details":…,"info":…}`'),
    },
  ],
  unknownService: [
    {
      what: 'a service that is not sold',
      of: ({ refusals, unknownService: word }) => (refusals === 'envelopes' ? '`UNPROCESSABLE_ENTITY`' : `\`${word}\``),
    },
  ],
  wrongFilter: [
    {
      what: 'getPrices refuses a filter',
      of: ({ wrongFilter }) =>
        wrongFilter === 'error' ? '`{"error":"Bad service"}`' : '`{"status":"false","msg":"service is incorrect"}`',
    },
  ],
  number: [
    { what: 'getNumberV2 `activationId`', of: ({ number }) => number.id },
    { what: '`activationCost`', of: ({ number }) => orOlder(number, number.cost) },
    { what: '`countryCode`', of: ({ number }) => orOlder(number, number.country) },
    { what: '`canGetAnotherSms`', of: ({ number }) => AGAIN[number.again] },
    { what: 'further fields', of: ({ number }) => MORE[number.more] },
    { what: '`currency`', of: ({ number }) => (number.currency ? 'number' : 'absent') },
  ],
  prices: [
    {
      what: 'getPrices of a pair',
      of: ({ prices }) => (prices === 'ladder' ? '`{"13.00":100}`' : '`{"cost":13.00,"count":100,…}`'),
    },
  ],
  pricesV3: [
    {
      what: 'getPricesV3 of a pair',
      of: ({ pricesV3 }) =>
        pricesV3 === 'flat' ? '`{"7":{count,price,provider_id}}`' : '`{price,count,"providers":{"7":{…}}}`',
    },
  ],
  stock: [{ what: 'getNumbersStatus', of: ({ stock }) => (stock === 'suffixes' ? '`{"tg_0":9}`' : '`{"tg":"9"}`') }],
  countryId: [{ what: 'getCountries `id`', of: ({ countryId }) => countryId }],
  topCountries: [
    {
      what: 'getTopCountriesByService',
      of: ({ topCountries }) =>
        topCountries === 'slugs' ? '`{"kazakhstan":{"7":{price,count}}}`' : '`{"0":{country,price,count,…}}`',
    },
  ],
  noOperators: [
    {
      what: 'getOperators without any',
      of: ({ noOperators }) => (noOperators === 'list' ? '`"countryOperators":[]`' : '`OPERATORS_NOT_FOUND`'),
    },
  ],
  statusV2: [
    {
      what: 'getStatusV2',
      of: ({ statusV2 }) =>
        ({
          sms: '`sms` an object',
          data: '`verificationType` `"sms"`; `data` beside `sms`',
          list: '`sms` a list, `activationStatus`',
        })[statusV2],
    },
  ],
  open: [
    {
      what: '`activeActivations`',
      of: ({ open }) => (open === 'rows' ? 'an object with `rows`; the list is `data`' : 'the list, amounts as text'),
    },
  ],
  openStatus: [
    { what: '`activationStatus`: waiting, message, again', of: ({ openStatus }) => `\`${openStatus.join('`, `')}\`` },
  ],
  past: [
    { what: 'getHistory `id`', of: ({ past }) => past.id },
    { what: 'getHistory `sms`', of: ({ past }) => (past.sms === 'list' ? 'all, a list' : 'the newest, or null') },
  ],
}

function orOlder({ olderGo }: ServedDialect['number'], type: string): string {
  return olderGo && type === 'number' ? 'number (text to bare Go)' : type
}

function makePage(): string {
  const shown = [servedDialect('union'), ...KEY_DIALECTS.map((name) => servedDialect(name))]
  const titles = shown.map(({ name }) => (name === 'union' ? 'common' : DIALECT_NAMES[name]))
  const rows = Object.values(ROWS).flat()
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return `${[
    ...INTRODUCTION,
    line(['', ...titles]),
    line(['---', ...titles.map(() => '---')]),
    line(['address', ...shown.map(({ name }) => `\`${name === 'union' ? '' : `/${name}`}/stubs/handler_api.php\``)]),
    ...rows.map(({ what, of }) => line([what, ...shown.map(of)])),
    ...REST,
  ].join('\n')}\n`
}

const INTRODUCTION = [
  '# Dialects of handler_api',
  '',
  'This page is made by `node scripts/docs/dialects-page.ts --write` from `server/adapters/handler-api/wire/dialects.ts`, the table',
  'that the server answers by. `npm run check` fails when it is not current.',
  '',
  'Services of the field write the same replies in different shapes. [handler_api](handler_api.md) describes the common way, which most',
  'programs read. A program that was written for one service and stops at a type gets that service’s shapes:',
  '',
  '1. by the address: `/hero-sms/stubs/handler_api.php`; `/api.php` and `/smshub/api.php` are SMSHub’s as well;',
  '2. else by the key: its dialect is chosen at /settings/api, or by `dialect` of `POST /api/v1/keys` and `PATCH /api/v1/keys/{id}`;',
  '3. else the common way answers.',
  '',
  'A dialect changes shapes, never what exists: every action, parameter, price and rule is the same in all of them.',
  '',
]

const REST = [
  '',
  'The date of getHistory has no offset in any dialect, and ends of rentals have a `T` in place of the space.',
  '',
  'Sources disagree about the keys of getNumbersStatus. SMS-Activate’s service wrote `tg` at last, and the programs written for that read it; older ones',
  'read `tg_0`, without forwarding, as it wrote at first. Both at once would not do: programs take each key for a service. So `sms-activate` stays',
  'with `tg`, and an older program finds its keys at `/smshub/stubs/handler_api.php`, where SMSHub’s programs expect them. HeroSMS writes as',
  'SMS-Activate did at last; GrizzlySMS and SMSBower document no such action, so theirs is the common way.',
  '',
  '## Envelopes',
  'HeroSMS sends refusals as JSON with a status of their own, and its npm client loses every body but that of 200. So the status is 200',
  'unless the request has `Accept: application/problem+json`: then it is HeroSMS’s. `NO_NUMBERS` of a purchase stays a word, as there.',
  'Replies with status 429 or 503 keep this status in every dialect, with the error’s word as text.',
  '',
  '| word | envelope | status |',
  '| --- | --- | --- |',
  ...Object.entries(ENVELOPES).map(([word, { title, status, info }]) => {
    const more = info === undefined ? '' : ` \`${JSON.stringify(info)}\``
    return `| \`${word}\` | \`${title}\`${more} | ${status} |`
  }),
  '| `BAD_STATUS` after a message | `OTP_RECEIVED` | 409 |',
  '| `BAD_STATUS` after the end | `ACTIVATION_NOT_ACTIVE` | 409 |',
]

const page = makePage()
if (process.argv.includes('--write')) await writeFile(PAGE, page)
else if ((await readFile(PAGE, 'utf8').catch(() => '')) !== page) {
  console.error('docs/api/dialects.md is not current: node scripts/docs/dialects-page.ts --write')
  process.exitCode = 1
}
