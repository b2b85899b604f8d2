/** The layers of the server, the lowest first. A file may import from its own area and from lower layers. */
const FLOORS = [
  ['server/house'],
  // The business logic, the lowest area first. The two interfaces for adapters are the lowest.
  ['server/core/suppliers', 'server/core/gateways'],
  ['server/core/catalog'],
  ['server/core/notifications'],
  ['server/core/accounts'],
  ['server/core/webhooks'],
  ['server/core/payments'],
  ['server/core/programmes'],
  ['server/core/numbers'],
  ['server/core/alarms'],
  ['server/core/support'],
  ['server/core/privacy'],
  // Adapters must not import each other, but all of them may import this shared area.
  ['server/adapters/shared'],
  [
    'server/adapters/btcpay',
    'server/adapters/evm',
    'server/adapters/five-sim',
    'server/adapters/handler-api',
    'server/adapters/heleket',
    'server/adapters/pusher-auth',
    'server/adapters/sandbox-gateway',
    'server/adapters/sim-bank',
    'server/adapters/simulator',
    'server/adapters/smpp',
    'server/adapters/stripe',
    'server/adapters/transfer',
    'server/adapters/tron',
    'server/adapters/vouchers',
    'server/adapters/webhook',
    'server/adapters/yookassa',
    'server/surfaces/pages',
    'server/surfaces/site',
    'server/surfaces/staff',
    'server/surfaces/telegram',
  ],
  ['server/programs/app.ts'],
  ['server/programs/demo'],
  ['server/programs/boot'],
  ['server/programs/cli'],
  ['server/main.ts', 'server/cli.ts'],
]

/** The layers of the pages, the lowest first. `/*` means the files of a folder, without its subfolders. */
const WEB_FLOORS = [
  ['web/locales', 'web/mails'],
  ['web/house'],
  ['web/ui', 'web/navigation', 'web/money', 'web/reports'],
  ['web/session', 'web/catalogue', 'web/reading', 'web/notices'],
  ['web/text', 'web/forms', 'web/preferences', 'web/support'],
  ['web/live'],
  ['web/buying', 'web/past', 'web/notifications', 'web/staff'],
  ['web/account', 'web/numbers'],
  // Screens must not import each other, nor the layouts around them.
  [
    'web/dialogs',
    'web/screens/activations',
    'web/screens/blog',
    'web/screens/contacts',
    'web/screens/country',
    'web/screens/doc',
    'web/screens/documents',
    'web/screens/faq',
    'web/screens/history',
    'web/screens/home',
    'web/screens/loyalty',
    'web/screens/not-found',
    'web/screens/partners',
    'web/screens/price',
    'web/screens/rent',
    'web/screens/service',
    'web/screens/settings',
    'web/screens/sitemap',
    'web/screens/staff',
    'web/screens/statistic',
    'web/screens/support',
    'web/screens/top-up',
  ],
  ['web/screens/*'],
  ['web/layouts'],
  ['web/*'],
]

export const AREAS = [FLOORS, WEB_FLOORS].flatMap((floors) =>
  floors.flatMap((areas, floor) =>
    areas.map((path) => ({ name: path.replace(/^server\//, ''), floor, pattern: patternOf(path) })),
  ),
)

function patternOf(path) {
  if (path.endsWith('/*')) return new RegExp(`^${path.slice(0, -1)}[^/]+$`)
  return new RegExp(`^${path}${path.endsWith('.ts') ? '$' : '/'}`)
}

/** The subfolders of each area, the lowest first. Files directly in the area may import all of them, and vice versa. */
export const ROOMS = [
  {
    area: 'server/core/accounts/',
    rooms: [
      'users',
      'codes',
      'captcha',
      'sessions',
      'ways-in',
      'two-factor',
      'passkeys',
      'sandbox',
      'api-keys',
      'passwords',
      'registration',
      'emails',
      'social',
      'security',
      'sign-in',
    ],
  },
  {
    area: 'server/core/catalog/',
    rooms: ['health', 'rules', 'offers', 'prices', 'routing', 'standing', 'favorites', 'lists', 'directory'],
  },
  {
    area: 'server/core/numbers/',
    rooms: [
      'messages',
      'ownership',
      'limits',
      'listing',
      'sourcing',
      'activations',
      'rentals',
      'delivery',
      'purchase',
      'refunds',
      'preorders',
      'history',
      'statistics',
      'intake',
    ],
  },
  { area: 'server/core/payments/', rooms: ['queries', 'settling', 'events', 'begin'] },
  { area: 'server/core/programmes/', rooms: ['loyalty', 'referral'] },
  { area: 'server/core/privacy/', rooms: ['sections', 'export', 'consents', 'deletion'] },
  { area: 'server/core/notifications/', rooms: ['queries', 'words', 'prices', 'push'] },
  { area: 'server/core/webhooks/', rooms: ['queries', 'sending'] },
  { area: 'server/core/support/', rooms: ['queries', 'markdown', 'files'] },
  { area: 'server/adapters/handler-api/', rooms: ['wire', 'buy', 'rent', 'serve'] },
  { area: 'server/adapters/five-sim/', rooms: ['wire', 'buy', 'serve'] },
  { area: 'server/adapters/sim-bank/', rooms: ['wire', 'buy', 'certify', 'serve'] },
  { area: 'server/surfaces/telegram/', rooms: ['words', 'chats', 'sending', 'reward', 'updates'] },
  {
    area: 'server/surfaces/site/',
    rooms: ['content', 'notices', 'counter', 'demo-mail', 'marketing', 'reference', 'settings', 'site-map'],
  },
]
