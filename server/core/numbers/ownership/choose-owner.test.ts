import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { readingOf } from '#test/builders/book-message.ts'
import { boris, NOW, order, rental } from '#test/builders/claims.ts'
import { seedBook } from '#test/builders/sender-book.ts'
import type { Naming } from '../messages/naming.ts'
import type { Reading } from '../messages/reading.ts'
import { type Claim, chooseOwner } from './choose-owner.ts'

const book = seedBook()

const google: Naming = { kind: 'named', by: 'sender', services: ['go', 'gf'], family: 'google' }
const telegram: Naming = { kind: 'named', by: 'text', services: ['tg', 'eh'], family: 'telegram' }
const hinted: Naming = { kind: 'hinted', services: ['ya', 'wf', 'aej'] }
const none: Naming = { kind: 'none' }
const mentioned: Naming = { kind: 'mentioned', services: ['tg', 'eh'] }
const operator: Naming = { kind: 'operator' }

/** `gets` is the index of the order that gets the message; null means that no order does. */
type Row = {
  what: string
  naming: Naming
  more?: Partial<Reading>
  reference?: string
  toldCode?: string
  orders: Claim[]
  gets: number | null
  given: string
  /** The code in the input message; if absent, the proved code of the text. */
  code?: string | null
}

const NO_CODE: Partial<Reading> = { codes: { general: null, own: {} } }

const ROWS: Row[] = [
  ...[
    { what: 'the holder of the service', orders: [order('tg')], gets: 0, given: 'named' },
    {
      what: 'its holder among several',
      orders: [order('wa', boris), order('tg'), order('go', boris)],
      gets: 1,
      given: 'named',
    },
    { what: 'never the only holder of another service', orders: [order('wa')], gets: null, given: 'unmatched' },
    { what: 'an alias of the service', orders: [order('eh')], gets: 0, given: 'named' },
    {
      what: 'who has just ended, never another',
      orders: [order('tg', { ended: 400 }), order('go', boris)],
      gets: 0,
      given: 'late',
    },
    { what: 'who ended hours ago', orders: [order('tg', { ended: 23 * HOUR })], gets: 0, given: 'late' },
    {
      what: 'whoever had it last of those who ended',
      orders: [order('tg', { ended: 9 * HOUR }), order('tg', { ...boris, ended: 5 * HOUR })],
      gets: 1,
      given: 'late',
    },
    {
      what: 'the holder now, not the one before',
      orders: [order('tg', boris), order('tg', { ended: MINUTE })],
      gets: 0,
      given: 'named',
    },
    {
      what: 'the order still open of one account',
      orders: [order('tg', { ended: MINUTE }), order('eh')],
      gets: 1,
      given: 'named',
    },
  ].map((row) => ({ ...row, naming: telegram })),
  ...[
    {
      what: 'the service itself before its relative',
      orders: [order('gf'), order('go', boris)],
      gets: 1,
      given: 'named',
    },
    { what: 'the relative, when it is alone', orders: [order('gf')], gets: 0, given: 'named' },
    {
      what: 'the service itself, though it has ended',
      orders: [order('gf'), order('go', { ...boris, ended: MINUTE })],
      gets: 1,
      given: 'late',
    },
    {
      what: 'the relative, once the other ended long ago',
      orders: [order('gf'), order('go', { ...boris, ended: HOUR })],
      gets: 0,
      given: 'named',
    },
    {
      what: 'nobody among relatives of two accounts',
      orders: [order('gf'), order('gf', { ...boris, ended: MINUTE })],
      gets: null,
      given: 'unmatched',
    },
    { what: 'no relative that takes none of its messages', orders: [order('ccu')], gets: null, given: 'unmatched' },
    { what: 'a number rented for any of the family', orders: [order('ccu', rental)], gets: 0, given: 'named' },
  ].map((row) => ({ ...row, naming: google })),
  ...[
    { what: 'the only holder', orders: [order('wa')], gets: 0, given: 'only-holder' },
    { what: 'nobody of two accounts', orders: [order('wa'), order('tg', boris)], gets: null, given: 'unmatched' },
    { what: 'the newest order of one account', orders: [order('wa'), order('tg')], gets: 1, given: 'only-holder' },
    {
      what: 'the newest that still waits',
      orders: [order('wa'), order('tg', { got: true })],
      gets: 0,
      given: 'only-holder',
    },
    {
      what: 'nobody while another has just ended',
      orders: [order('wa'), order('tg', { ...boris, ended: 19 * MINUTE })],
      gets: null,
      given: 'unmatched',
    },
    {
      what: 'the only holder after twenty minutes',
      orders: [order('wa'), order('tg', { ...boris, ended: 20 * MINUTE })],
      gets: 0,
      given: 'only-holder',
    },
    {
      what: 'who holds, where only he had it before',
      orders: [order('wa', { ended: MINUTE }), order('tg')],
      gets: 1,
      given: 'only-holder',
    },
    { what: 'nobody who has ended', orders: [order('wa', { ended: MINUTE })], gets: null, given: 'unmatched' },
    { what: 'nobody where nobody is', orders: [], gets: null, given: 'unmatched' },
    { what: 'the tenant of the number', orders: [order('tg', rental)], gets: 0, given: 'only-holder' },
    {
      what: 'an activation before a rental',
      orders: [order('tg', rental), order('tg')],
      gets: 1,
      given: 'only-holder',
    },
  ].map((row) => ({ ...row, naming: none })),
  ...[
    { what: 'nobody of two accounts', orders: [order('ya', boris), order('tg')], gets: null, given: 'unmatched' },
    { what: 'the only holder whom it fits', orders: [order('ya')], gets: 0, given: 'only-holder' },
    { what: 'no holder of another service', orders: [order('tg')], gets: null, given: 'unmatched' },
    {
      what: 'nobody when another has just ended',
      orders: [order('ya'), order('tg', { ...boris, ended: MINUTE })],
      gets: null,
      given: 'unmatched',
    },
  ].map((row) => ({ ...row, naming: hinted })),
  ...[
    { what: 'the only holder', orders: [order('tg')], gets: 0, given: 'only-holder' },
    { what: 'no holder of another service', orders: [order('wa')], gets: null, given: 'unmatched' },
    { what: 'the tenant', orders: [order('full', rental)], gets: 0, given: 'only-holder' },
    { what: 'nobody of two accounts', orders: [order('tg'), order('wa', boris)], gets: null, given: 'unmatched' },
  ].map((row) => ({ ...row, naming: mentioned })),
  {
    what: 'a whole number has every service',
    naming: telegram,
    orders: [order('full', rental)],
    gets: 0,
    given: 'named',
  },
  {
    what: 'a number of one service does not',
    naming: telegram,
    orders: [order('wa', rental)],
    gets: null,
    given: 'unmatched',
  },
  {
    what: 'a whole number whose time is over',
    naming: telegram,
    orders: [order('full', { ...rental, ended: HOUR })],
    gets: 0,
    given: 'late',
  },
  { what: 'an operator’s notice', naming: operator, orders: [order('tg')], gets: null, given: 'operator' },
  {
    what: 'an operator’s notice to a tenant',
    naming: operator,
    orders: [order('full', rental)],
    gets: null,
    given: 'operator',
  },
  {
    what: 'an operator’s notice with a reference',
    naming: operator,
    reference: '1-1',
    orders: [order('tg')],
    gets: null,
    given: 'operator',
    code: null,
  },
  {
    what: 'the order its supplier ties it to',
    naming: none,
    reference: '1-1',
    orders: [order('wa')],
    gets: 0,
    given: 'reference',
  },
  {
    what: 'nobody where it names another service than the order',
    naming: telegram,
    reference: '1-1',
    orders: [order('wa')],
    gets: null,
    given: 'unmatched',
    code: null,
  },
  {
    what: 'the order whose supplier says what the code is',
    naming: none,
    more: { ...NO_CODE, sender: 'letters' },
    reference: '1-1',
    toldCode: '1234',
    orders: [order('wa')],
    gets: 0,
    given: 'reference',
    code: '1234',
  },
  {
    what: 'an order that ended',
    naming: none,
    reference: '1-1',
    orders: [order('wa', { ended: 30 * HOUR })],
    gets: 0,
    given: 'late',
  },
  {
    what: 'no order of this supplier and number',
    naming: none,
    reference: '1-1',
    orders: [],
    gets: null,
    given: 'unmatched',
    code: null,
  },
]

test.each(ROWS)('$given: $what', (row) => {
  const { naming, more = {}, reference = null, toldCode = null, orders, gets, given, code = '48213' } = row
  const message = { reading: readingOf(naming, more), reference, toldCode, receivedAt: NOW }
  const chosen = chooseOwner(message, orders, book)
  expect(chosen).toMatchObject({ given, to: gets === null ? null : orders[gets], code })
  // The result must not depend on the sequence in which the database lists the orders.
  expect(chooseOwner(message, orders.toReversed(), book)).toEqual(chosen)
})
