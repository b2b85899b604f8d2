import { flawsOf } from '#server/house/db/hosts/host-urls.ts'
import { parseRedisAddress, type RedisAddress } from '#server/house/redis/addresses.ts'
import { checked, fitting, flag, integer, isWebAddress, judged, list, oneOf, type Table, text } from './kinds.ts'

const SECRET_KEY_MIN_LENGTH = 32
const MAIL_FROM_PATTERN = /^(?:[^\s@<>,]+@[^\s@<>,]+|[^@<>,]*<[^\s@<>,]+@[^\s@<>,]+>)$/

export const DATABASE_MISSING = `is missing: set the address of a database of its own in a PostgreSQL 15 or later,
  postgres://ringpost:PASSWORD@127.0.0.1:5432/ringpost. These two commands make its role and the database:
    sudo -u postgres createuser --pwprompt ringpost
    sudo -u postgres createdb --owner=ringpost --template=template0 --encoding=UTF8 --locale=C.UTF-8 ringpost
  It also needs a rate and a supplier: \`npm run cli -- migrate\`, then \`rate:set usd …\` and \`supplier:add …\``

export const SERVICE_SETTINGS = {
  DEMO: [
    flag(),
    "The demo has play money and simulated numbers, on loopback only. A database is a demo's for ever or never.",
  ],
  DATABASE_URL: [
    databaseUrl({ missing: DATABASE_MISSING }),
    'A PostgreSQL 15 or later has a database whose role owns it: `postgres://ringpost:PASSWORD@127.0.0.1:5432/ringpost`. It may name [several hosts, or a pooler](scale.md).',
  ],
  DATABASE_DIRECT_URL: [
    databaseUrl({ shown: '`DATABASE_URL`' }),
    'If `DATABASE_URL` is a [pooler](scale.md#a-pooler), this address goes past it, for migrations, locks, jobs and commands.',
  ],
  DATABASE_REPLICA_URL: [
    databaseUrl({ of: 'stand-by' }),
    'Lists, history, statistics and public pages read this [stand-by](scale.md#a-stand-by-for-reading) while it is near enough.',
  ],
  DATABASE_PREPARED_STATEMENTS: [
    oneOf(['on', 'off'], 'on'),
    '`off` suits a [pooler](scale.md#a-pooler) that loses prepared statements, such as PgBouncer before 1.21. PostgreSQL then plans each statement anew.',
  ],
  DATABASE_CONNECTIONS: [integer(10, 2, 200), 'The server holds so many connections to PostgreSQL.'],
  DATABASE_WAIT_SECONDS: [
    integer(20, 0, 600),
    'A start waits so long for a PostgreSQL that is starting or going down, then says so and ends.',
  ],
  REDIS_URL: [
    checked<RedisAddress | null>({
      must: 'be redis://[USER:PASSWORD@]HOST[:PORT], or of redis+sentinel://HOSTS/NAME or redis+cluster://HOSTS',
      standard: null,
      parse: parseRedisAddress,
    }),
    'A Redis or Valkey, 7.0 or newer, lets [several nodes](scale.md#several-nodes) count and tell together. `rediss://` uses TLS.',
  ],
  REDIS_PREFIX: [
    fitting('be 1 to 32 letters, digits, `-`, `_` or `:`', (given) => /^[\w:-]{1,32}$/.test(given), {
      shown: '`ringpost:`',
    }),
    'All names in Redis begin with it, so that several services can share one Redis.',
  ],
  DATA_DIR: [
    text('.data'),
    "The demo's PostgreSQL and files stand here. A copy of the folder never uses the database of its original; a moved folder keeps its own.",
  ],
  SECRET_KEY: [
    fitting(`have at least ${SECRET_KEY_MIN_LENGTH} characters`, (given) => given.length >= SECRET_KEY_MIN_LENGTH, {
      missing: `is missing: set a random text of ${SECRET_KEY_MIN_LENGTH} characters or more`,
    }),
    'The key signs, and seals what is secret in the database. No backup has it. A key that does not fit the database is refused.',
  ],
  SECRET_KEY_PREVIOUS: [
    list(),
    'The next start seals anew what these replaced keys sealed. Leave them for three days: letters and pushes that wait need them.',
  ],
  SMTP_URL: [
    fitting(
      'be an address that begins with smtp:// or smtps://',
      (given) => /^smtps?:\/\/[^/]/.test(given) && URL.canParse(given),
      { missing: 'is missing: people register by a code that is mailed' },
    ),
    'The [mail server](operations/site.md#mails) sends the letters: `smtps://user:password@mail.example`.',
  ],
  PUBLIC_URL: [
    checked<URL | null>({
      must: 'be an address that begins with http:// or https://',
      standard: null,
      missing: 'is missing: set the address people open, https://…',
      parse: (given) => (isWebAddress(given) ? new URL(given) : undefined),
    }),
    'People open this address.',
  ],
  MAIL_FROM: [
    fitting(
      'be one address, with or without a name: Ringpost <no-reply@example.org>',
      (given) => MAIL_FROM_PATTERN.test(given),
      { shown: '`Ringpost <no-reply@HOST>` of `PUBLIC_URL`' },
    ),
    'All letters have this sender.',
  ],
  STOP_DELAY_SECONDS: [
    integer(2, 0, 300, { demo: 0 }),
    'A process that was asked to stop serves on for so long, so that balancers notice.',
  ],
  LOG_LEVEL: [oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'), 'The log has lines from this level on.'],
  MAINTENANCE_MESSAGE: [
    text(null),
    'This sentence is shown instead of everything, with 503. Say until when, and that money and numbers are safe. Open pages look once a minute whether it is over. Programs of buyers read the word of their protocol; suppliers, gateways and the bot still tell what has happened.',
  ],
} satisfies Table

function databaseUrl({ of = 'primary', ...rule }: { of?: 'primary' | 'stand-by'; missing?: string; shown?: string }) {
  return judged<string | null>({
    must: 'be postgres://ROLE:PASSWORD@HOST:PORT/DATABASE, with one to five HOST:PORT',
    standard: null,
    ...rule,
    parse: (given, problem) => {
      const flaws = flawsOf(given, of)
      for (const flaw of flaws) problem(flaw)
      return flaws.length === 0 ? given : undefined
    },
  })
}
