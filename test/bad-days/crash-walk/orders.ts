import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { Fault } from '#test/bad-days/crash-walk/faults/faulty-pool.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { type Answer, ask, beginAgain, type Client, makeClient, type World } from './world.ts'

export const TELEGRAM = { service_id: 'tg', country_id: 2 }
export const WHOLE_DAY = { service_id: 'full', country_id: 2, period: 24 }

export type Buyer = { client: Client; userIds: number[]; key: string }
export type Order = Buyer & { id: number; phone: string; supplierId: number }

let keys = 0
export function newKey(): string {
  keys += 1
  return `walk-key-${keys}`
}

export async function newBuyer(world: World, balance?: string): Promise<Buyer> {
  for (const supplier of world.suppliers) calm(supplier)
  const client = await makeClient(world, balance)
  return { client, userIds: [client.id], key: newKey() }
}

function calm(supplier: FakeSupplier): void {
  const { rent } = supplier
  supplier.onBuy = async (order) => supplier.sell(order)
  supplier.onAskAgain = async () => true
  rent.onRent = async (order) => rent.give(order)
  rent.onExtend = async (extension) => rent.extend(extension)
}

export function buy(world: World, { client, key }: Pick<Buyer, 'client' | 'key'>): Promise<Answer | null> {
  return ask(world, client, 'POST /api/v1/activations', { ...TELEGRAM, key })
}

export function rent(world: World, { client, key }: Pick<Buyer, 'client' | 'key'>): Promise<Answer | null> {
  return ask(world, client, 'POST /api/v1/rentals', { ...WHOLE_DAY, key })
}

export async function bought(world: World, before: Buyer | null = null): Promise<Order> {
  const buyer = before ?? (await newBuyer(world))
  return readOrder(world, { buyer, table: 'activations', answer: await buy(world, buyer) })
}

export async function rented(world: World, before: Buyer | null = null): Promise<Order> {
  const buyer = before ?? (await newBuyer(world))
  return readOrder(world, { buyer, table: 'rentals', answer: await rent(world, buyer) })
}

async function readOrder(
  { t }: World,
  { buyer, table, answer }: { buyer: Buyer; table: 'activations' | 'rentals'; answer: Answer | null },
): Promise<Order> {
  const { rows } = await t.ctx.db.query<{ id: bigint; phone: string; supplier_id: number }>({
    name: `walk-order-${table}`,
    text: `SELECT id, phone, supplier_id FROM ${table} WHERE user_id = $1 AND phone IS NOT NULL ORDER BY id DESC LIMIT 1`,
    values: [buyer.client.id],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`there is no order: ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return { ...buyer, key: newKey(), id: Number(row.id), phone: row.phone, supplierId: row.supplier_id }
}

let messages = 0
export type Message = Parameters<typeof receiveSms>[1]

export function codeFor(order: { phone: string; supplierId: number }, changes: Partial<Message> = {}): Message {
  messages += 1
  const { phone, supplierId } = order
  const text = `Telegram code 12345 (${messages})`
  return { supplierId, phone, messageId: `walk-${messages}`, sender: 'Telegram', text, ...changes }
}

export async function withCode(world: World, order: Order): Promise<Order> {
  await receiveSms(world.life.ctx, codeFor(order))
  return order
}

/** Kills the service at an SQL statement of an action, and starts a new process that has not recovered anything yet. */
export async function leftBy(
  world: World,
  { at, fault, verb }: { at: string; fault: Extract<Fault, `killed ${string}`>; verb: () => Promise<unknown> },
): Promise<void> {
  const { faulty } = world.life
  faulty.plan({ at, fault })
  await Promise.race([verb(), faulty.killed])
  if (!faulty.isDead) throw new Error(`${at} was not reached`)
  await beginAgain(world)
}

export function press(
  world: World,
  { client, id, key }: Order,
  verb: string,
  body: object = {},
): Promise<Answer | null> {
  return ask(world, client, `POST /api/v1/${verb.replace('{id}', `${id}`)}`, { ...body, key })
}
