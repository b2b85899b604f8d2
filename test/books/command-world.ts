import { writeFile } from 'node:fs/promises'
import { HOUR, MINUTE } from '#contract/time.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { insertNode } from '#server/house/nodes/queries.ts'
import { insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { putNotice } from '#server/surfaces/site/notices/queries.ts'
import { fillChain } from '#test/builders/money/chain-findings.ts'
import type { TemporaryFolder } from '#test/harness/temporary-folder.ts'
import { BOOKS_ENDINGS, fillBooks } from './books.ts'
import { fillPayments } from './books-payments.ts'
import { fillReferrals } from './books-referral.ts'
import { fillSuppliers } from './books-suppliers.ts'

export type World = {
  waiting: string
  finished: string
  message: string
  key: string
  buyingKey: string
  payments: { pending: string; paid: string; refunded: string; disputed: string }
  /** The ids of withdrawals that wait for staff, and of the referrer who requested the first one. */
  referrals: { first: string; second: string; referrer: string }
  path(name: string): string
}

export async function makeWorld(pool: Pool, folder: TemporaryFolder): Promise<World> {
  const { buyers, ids, supplierId } = await fillBooks(pool)
  const payments = await fillPayments(pool, buyers[0] ?? 0)
  const [first, second] = await fillReferrals(pool, buyers)
  await insertNode(pool, { host: 'first', pid: 1, version: '0.1.0', commit: null })
  await insertGateway(pool, { code: 'gift', kind: 'vouchers', settings: {}, now: new Date() })
  await fillChain(pool)
  await insertBonusRule(pool, {
    name: 'autumn',
    kind: 'first',
    currency: 'rub',
    leastMicros: 0n,
    points: 500,
    amountMicros: null,
    mostMicros: null,
    beginsAt: new Date(),
    endsAt: null,
    now: new Date(),
  })
  await putNotice(pool, { name: 'autumn', kind: 'info', texts: { en: 'Sale' }, beginsAt: new Date(), endsAt: null })
  const of = (ending: (typeof BOOKS_ENDINGS)[number]) => String(ids[2 * BOOKS_ENDINGS.indexOf(ending)])
  const now = new Date()
  const ago = new Date(now.getTime() - 2 * MINUTE)
  const insert = async (text: string, ...values: unknown[]) =>
    (await pool.query<{ id: bigint }>({ text, values })).rows[0]
  await fillSuppliers(pool, { supplierId, ago })
  await insert(
    `WITH resold AS (INSERT INTO suppliers (code, kind, created_at) VALUES ('resold', 'handler-api', $1) RETURNING id)
      INSERT INTO resell_unmapped SELECT id, 'service', 'xx', 3, $1 FROM resold RETURNING supplier_id AS id`,
    ago,
  )
  await insert(
    `INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('phones', 'webhook', $1, $2)`,
    { format: 'generic', intakeKey: 'k'.repeat(32) },
    ago,
  )
  await insert(
    `INSERT INTO passkeys (user_id, credential_id, public_key, handle, counter, transports, rp_id, name, created_at)
      VALUES (1, '\\x01', '\\x01', '\\x01', 0, '{}', 'localhost', 'Phone', $1)`,
    ago,
  )
  await insert(`INSERT INTO telegram_chats VALUES (1, 1, 'Anna', true, $1)`, ago)
  await insert(`INSERT INTO two_factor (user_id, secret, created_at, confirmed_at) VALUES (1, '{}', $1, $1)`, ago)
  await insert(
    `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES (1, 'tg', 2, 50, 0, $1, $2)`,
    ago,
    new Date(now.getTime() + HOUR),
  )
  await insert(
    `INSERT INTO sims (phone, supplier_id, device, slot, state_since, added_at) VALUES ('77050000001', $1, 'modem', '1', $2, $2)`,
    supplierId,
    ago,
  )
  await insert('INSERT INTO price_rules (country_id, margin_percent) VALUES (2, 30)')
  // The activation loses its code, as if a message without a code had charged it.
  await insert('UPDATE activations SET code = NULL WHERE id = $1', of('received'))
  const message = await insert(
    `INSERT INTO messages (supplier_id, phone, sender, body, given, received_at)
      SELECT $1, phone, 'WhatsApp', 'code 12345', 'unmatched', $3 FROM activations WHERE id = $2 RETURNING id`,
    supplierId,
    of('waiting'),
    ago,
  )
  const key = await insert(
    `INSERT INTO api_keys (user_id, key_hash, created_at, name, by_staff, scopes, addresses)
      VALUES (2, 'hash', $1, 'Shop', false, '{read}', '{}') RETURNING id`,
    ago,
  )
  const buyingKey = await insert(
    `INSERT INTO api_keys (user_id, key_hash, created_at, name, by_staff, scopes, addresses)
      VALUES (2, 'buying', $1, 'Hub', false, '{buy}', '{}') RETURNING id`,
    ago,
  )
  await insert(
    `INSERT INTO outlets (code, kind, api_key_id, settings, created_at) VALUES ('hub', 'agent', $1, $2, $3)`,
    buyingKey?.id,
    { url: 'https://platform.example/sms', key: 'hush-hush-key', services: [{ code: 'tg', sum: '20' }] },
    ago,
  )
  await insert(
    `INSERT INTO outlets (code, kind, settings, paused_at, created_at) VALUES ('gone', 'agent', '{}', $1, $1)`,
    ago,
  )
  await insert(
    `INSERT INTO users (name, role, zone, locale, created_at, blocked_at, erased_at) VALUES ('', 'user', 'ru', 'ru', $1, $1, $1)`,
    ago,
  )
  await writeFile(folder.path('erased'), '1 2999-01-01T00:00:00.000Z\n')
  await writeFile(folder.path('numbers'), '77051234567,2,altel\n')
  await writeFile(folder.path('sims'), '77051234599,2,altel,modem-1,2\n')
  await writeFile(
    folder.path('prices'),
    'service_id,country_id,margin_percent,price,currency,from,until\ntg,2,40,,,,\n',
  )
  await writeFile(folder.path('demo.json'), JSON.stringify({ email: 'demo@ringpost.test', apiKey: 'k'.repeat(32) }))
  return {
    waiting: of('waiting'),
    finished: of('finished'),
    message: String(message?.id),
    key: String(key?.id),
    buyingKey: String(buyingKey?.id),
    payments: {
      pending: String(payments.pending),
      paid: String(payments.paid),
      refunded: String(payments.refunded),
      disputed: String(payments.disputed),
    },
    referrals: { first: String(first?.asked), second: String(second?.asked), referrer: String(first?.referrerId) },
    path: folder.path,
  }
}
