import { account, privacy } from './account-calls.ts'
import { catalog, directory, favorites } from './catalog-calls.ts'
import { content } from './content-calls.ts'
import { keys, sandbox } from './key-calls.ts'
import { notifications, push } from './notification-calls.ts'
import { activations, preorders, rentals } from './number-calls.ts'
import { passkeys } from './passkey-calls.ts'
import { past } from './past-calls.ts'
import { payments } from './payment-calls.ts'
import { programmes } from './programme-calls.ts'
import { reference } from './reference-calls.ts'
import { staff, supply } from './staff-calls.ts'
import { support } from './support-calls.ts'
import { telegram } from './telegram-calls.ts'
import { webhooks } from './webhook-calls.ts'

/** Every call of our own API, by area. A test fails if a call has no route. */
export const areas = {
  account,
  privacy,
  passkeys,
  keys,
  sandbox,
  webhooks,
  catalog,
  directory,
  favorites,
  activations,
  rentals,
  preorders,
  past,
  payments,
  programmes,
  notifications,
  push,
  telegram,
  support,
  staff,
  supply,
  content,
  reference,
} as const
