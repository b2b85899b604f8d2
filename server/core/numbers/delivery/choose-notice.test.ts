import { expect, test } from 'vitest'
import type { Naming } from '#server/core/numbers/messages/naming.ts'
import type { Reading } from '#server/core/numbers/messages/reading.ts'
import { readingOf } from '#test/builders/book-message.ts'
import { NOW, order, rental } from '#test/builders/claims.ts'
import { seedBook } from '#test/builders/sender-book.ts'
import { type Claim, chooseOwner } from '../ownership/choose-owner.ts'

const telegram: Naming = { kind: 'named', by: 'text', services: ['tg', 'eh'], family: 'telegram' }
const none: Naming = { kind: 'none' }

/** `gets` is the index of the order that gets the message; null means that no order does. */
type Row = { what: string; naming: Naming; more: Partial<Reading>; orders: Claim[]; gets: number | null; given: string }

const NO_CODE: Partial<Reading> = { codes: { general: null, own: {} } }

const ROWS: Row[] = [
  ...[
    { what: 'a notice to who waits', naming: telegram, orders: [order('tg')], gets: 0, given: 'notice' },
    { what: 'who has paid', naming: telegram, orders: [order('tg', { got: true })], gets: 0, given: 'named' },
    { what: 'the tenant', naming: none, orders: [order('full', rental)], gets: 0, given: 'only-holder' },
    {
      what: 'nobody who waits for a service with known senders',
      naming: none,
      orders: [order('tg')],
      gets: null,
      given: 'unmatched',
    },
    { what: 'a notice for any other', naming: none, orders: [order('ot')], gets: 0, given: 'notice' },
    {
      what: 'of one account the order that it is a notice for',
      naming: none,
      orders: [order('tg'), order('ot', { got: true })],
      gets: 1,
      given: 'only-holder',
    },
  ].map((row) => ({ ...row, more: NO_CODE })),
  ...[
    { what: 'nobody whose senders are known', orders: [order('tg')], gets: null, given: 'unmatched' },
    {
      what: 'of one account the order whose senders are not',
      orders: [order('ot'), order('tg')],
      gets: 0,
      given: 'only-holder',
    },
  ].map((row) => ({ ...row, naming: none, more: { sender: 'letters' as const } })),
  {
    what: 'nobody for a payment',
    naming: none,
    more: { isPayment: true },
    orders: [order('tg')],
    gets: null,
    given: 'unmatched',
  },
  {
    what: 'a blank text',
    naming: telegram,
    more: { ...NO_CODE, isBlank: true },
    orders: [order('tg')],
    gets: null,
    given: 'junk',
  },
  {
    what: 'no text, to a tenant',
    naming: none,
    more: { ...NO_CODE, notText: 'silent' },
    orders: [order('full', rental)],
    gets: null,
    given: 'junk',
  },
]

test.each(ROWS)('$given: $what', ({ naming, more, orders, gets, given }) => {
  const message = { reading: readingOf(naming, more), reference: null, toldCode: null, receivedAt: NOW }
  const to = gets === null ? null : orders[gets]
  expect(chooseOwner(message, orders, seedBook())).toMatchObject({ given, to })
})
