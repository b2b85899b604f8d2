import { expect, test } from 'vitest'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { checkBooks } from './verify.ts'

const ofCharges: Damage[] = [
  {
    invariant: 'what a user has held is the price of his activations and charges whose money is held',
    sql: `UPDATE charges SET money = 'released' WHERE money = 'held' AND purpose = 'preorder'`,
    says: /^user 1: held is 89000000, what he has open costs 79000000$/,
    also: ['a pre-order holds its price once while it waits, and nothing otherwise'],
  },
  {
    invariant:
      'every transfer is of a known kind, between the accounts of that kind, above zero, for one thing or by hand',
    sql: `UPDATE transfers SET activation_id = 100000001 WHERE id = (SELECT min(id) FROM transfers WHERE kind = 'capture' AND charge_id IS NOT NULL)`,
    says: /^transfer \d+: capture of \d+ from held to revenue, activation 100000001, charge \d+, payment none$/,
  },
  {
    invariant: 'a charge is held once, settled at most once and refunded at most once',
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
      SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, created_at FROM charges
      WHERE money = 'released' AND purpose = 'rental'`,
    says: /^charge \d+: 1 holds, 1 captures, 1 releases, 0 refunds$/,
    also: ['every account is the sum of its transfers'],
  },
  {
    invariant: 'a charge holds its own price, of its buyer, in its currency',
    sql: `UPDATE charges SET price_micros = 1 WHERE purpose = 'rental' AND money = 'captured'`,
    says: /^charge \d+ of user 1 costs 1 rub, but its hold is 8000000 rub of user 1$/,
  },
  {
    invariant:
      'captured means one capture of a charge, released one release, held neither; each of the price, to its buyer',
    sql: `DELETE FROM transfers WHERE kind = 'capture' AND charge_id IS NOT NULL`,
    says: /^charge \d+ of user 1 costs \d+ rub and is captured, but its settlement is missing of/,
  },
  {
    invariant:
      'captured means one capture of a charge, released one release, held neither; each of the price, to its buyer',
    sql: `UPDATE charges SET money = 'released' WHERE money = 'captured'`,
    says: /^charge \d+ of user 1 costs \d+ rub and is released, but its settlement is capture of/,
    also: ['a rental has one first charge, and where its money is fits the state of the rental'],
  },
  {
    invariant: 'the money of a charge is held before it is settled, and captured before it is refunded',
    sql: `UPDATE transfers SET id = id + 1000 WHERE kind = 'hold' AND charge_id IS NOT NULL`,
    says: /^charge \d+: transfer \d+ \((capture|release)\) is not after transfer \d+ \(hold\)$/,
  },
  {
    invariant: 'only a charge that was captured is refunded, to its buyer, never more than its price',
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
      SELECT 'refund', user_id, 'revenue', 'available', 1, currency, id, created_at FROM charges
      WHERE money = 'held' AND purpose = 'preorder'`,
    says: /^charge \d+ of user 1 is held for 10000000 rub, but 1 rub was refunded to user 1$/,
  },
]

const ofRentals: Damage[] = [
  ...(
    [
      ['finished', 'cancelled'],
      ['cancelled', 'expired'],
      ['failed', 'reserving'],
      ['reserving', 'failed'],
      ['revoked', 'finished'],
    ] as const
  ).map(([from, to]) => ({
    invariant: 'a rental has one first charge, and where its money is fits the state of the rental',
    sql: `UPDATE rentals SET state = '${to}' WHERE state = '${from}'`,
    says: new RegExp(
      `^rental \\d+ is ${to}, captured at .+, with \\d messages; of its first charge there are 1, the money`,
    ),
  })),
  {
    invariant: 'a rental has one first charge, and where its money is fits the state of the rental',
    sql: `UPDATE rentals SET sms_count = 1 WHERE state = 'active' AND captured_at IS NULL`,
    says: /^rental \d+ is active, captured at no time, with 1 messages; of its first charge there are 1, the money held$/,
    also: [
      'a rental counts the messages that were given to it',
      'a rented number that had a message is not for sale again for what it was rented for',
    ],
  },
  {
    invariant: 'a rental has one first charge, and where its money is fits the state of the rental',
    sql: `UPDATE rentals SET captured_at = NULL WHERE state = 'finished'`,
    says: /^rental \d+ is finished, captured at no time, with 1 messages; of its first charge there are 1, the money captured$/,
  },
  {
    invariant: 'a rental has one first charge, and where its money is fits the state of the rental',
    sql: `UPDATE charges SET purpose = 'extension' WHERE purpose = 'rental' AND money = 'released'`,
    says: /^rental \d+ is \w+, captured at no time, with 0 messages; of its first charge there are 0, the money nowhere$/,
  },
  {
    invariant: 'a rental lasts as long as was paid for, and an extension is held exactly while it is under way',
    sql: `UPDATE rentals SET hours = 52 WHERE hours = 28`,
    says: /^rental \d+ is for 52 hours, its charges for 28; extension none is under way, none is held$/,
  },
  {
    invariant: 'a rental lasts as long as was paid for, and an extension is held exactly while it is under way',
    sql: `UPDATE rentals SET extension_id = NULL`,
    says: /^rental \d+ is for 4 hours, its charges for 4; extension none is under way, \d+ is held$/,
  },
  {
    invariant: 'a charge is of the buyer of what it pays for, in the currency of his account',
    sql: `UPDATE rentals SET user_id = 2 WHERE state = 'finished'`,
    says: /^charge \d+ of user 1 in rub is for something of user 2, whose account is in usd$/,
  },
  {
    invariant: 'a rental counts the messages that were given to it',
    sql: `UPDATE messages SET rental_id = (SELECT min(id) FROM rentals WHERE state = 'cancelled') WHERE rental_id IS NOT NULL`,
    says: /^rental \d+: (1 messages are counted, 0 are stored|0 messages are counted, 2 are stored)$/,
  },
  {
    invariant: 'a rented number that had a message is not for sale again for what it was rented for',
    sql: `DELETE FROM burnt_numbers WHERE phone IN (SELECT phone FROM rentals)`,
    says: /^rental \d+ had 1 messages, but \d+ can be sold again for tg$/,
  },
]

const ofPreorders: Damage[] = [
  {
    invariant: 'a pre-order holds its price once while it waits, and nothing otherwise',
    sql: `UPDATE preorders SET state = 'cancelled' WHERE state = 'waiting'`,
    says: /^pre-order \d+ is cancelled; of its price, 10000000 rub, 1 charges are held, 0 captured, 0 of another amount$/,
  },
  {
    invariant: 'a pre-order holds its price once while it waits, and nothing otherwise',
    sql: `INSERT INTO charges (user_id, purpose, preorder_id, price_micros, currency, money, created_at)
      SELECT user_id, 'preorder', id, 5, currency, 'held', created_at FROM preorders WHERE state = 'waiting'`,
    says: /^pre-order \d+ is waiting; of its price, 10000000 rub, 2 charges are held, 0 captured, 1 of another amount$/,
    also: ['a charge holds its own price, of its buyer, in its currency'],
  },
  {
    invariant: 'what a pre-order bought is its buyer’s, of its kind, and costs no more than was held',
    sql: `UPDATE activations SET price_micros = 10000001 WHERE id = (SELECT activation_id FROM preorders WHERE state = 'bought')`,
    says: /^pre-order \d+ is bought with activation \d+ \(waiting\), for 10000001 of at most 10000000$/,
  },
  {
    invariant: 'what a pre-order bought is its buyer’s, of its kind, and costs no more than was held',
    sql: `UPDATE preorders SET state = 'bought' WHERE state = 'buying'`,
    says: /^pre-order \d+ is bought with activation \d+ \(reserving\), for 7000000 of at most 10000000$/,
  },
  {
    invariant: 'what a pre-order bought is its buyer’s, of its kind, and costs no more than was held',
    sql: `UPDATE preorders SET activation_id = NULL WHERE state = 'bought'`,
    says: /^pre-order \d+ is bought with activation none \(missing\)/,
  },
]

test.each([
  { of: 'charges', damages: ofCharges },
  { of: 'rentals', damages: ofRentals },
  { of: 'pre-orders', damages: ofPreorders },
])('every way to break the books of $of is found, and said in words', async ({ damages }) => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await expectFound(pool, damages)
  expect((await checkBooks(pool)).ok).toBe(true)
})
