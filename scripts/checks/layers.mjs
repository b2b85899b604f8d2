/** The ground first. A file knows its own area and those of lower floors. */
const FLOORS = [
  // The house: what any service needs.
  ['server/house'],
  // The core, from the ground up: what this service is about. The two interfaces of adapters come first.
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
  // Adapters never know each other, but what they share.
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
    // Surfaces: what people see.
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

export const AREAS = FLOORS.flatMap((areas, floor) =>
  areas.map((path) => ({
    name: path.replace(/^server\//, ''),
    floor,
    pattern: new RegExp(`^${path}${path.endsWith('.ts') ? '$' : '/'}`),
  })),
)

/** Rooms of an area, the ground first. '' are files of the area itself. */
export const ROOMS = []
