import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './ask.ts'
import { type Buyer, COUNTRY, INTAKE, OWN_PREFIX } from './furnish.ts'
import { keepPage } from './page.ts'
import type { Random } from './random.ts'
import type { Record } from './record.ts'

const PAUSE_MS = 3_000
const AGAIN_MS = 250
/** Three in four numbers are own ones. The simulator sends the codes of the other operator after a second. */
const OPERATORS = ['altel', 'altel', 'altel', 'swift'] as const
/** A press is repeated until the service answers for good. It gives up when the load stops. */
const UNSURE = [500, 502, 503, 504]

type Order = { id: number; phone: string; price: string; service: string }
type World = { url: string; record: Record; random: Random; stopped: AbortSignal }
export type Load = { stop(): Promise<void> }

/** Lets every buyer buy, wait, cancel, rent and top up, with a page open, until the load is stopped. */
export function startLoad(
  world: Omit<World, 'stopped'>,
  { buyers, vouchers, round }: { buyers: readonly Buyer[]; vouchers: string[]; round: number },
): Load {
  const [pages, presses] = [new AbortController(), new AbortController()]
  const open = new Set<Promise<void>>()
  const inBackground = (work: Promise<void>) => {
    open.add(work)
    work.finally(() => open.delete(work)).catch(() => undefined)
  }
  const own = { ...world, stopped: presses.signal }
  const shown = buyers.map((buyer) => keepPage(world.url, buyer, world.record, pages.signal))
  const pressing = buyers.map(async (buyer, place) => {
    for (let press = 1; !presses.signal.aborted; press += 1) {
      const key = `soak-${round}-${buyer.id}-${press}`
      const order = await buyOne(own, buyer, { place: place + press, key })
      if (order !== null) inBackground(use({ ...own, stopped: pages.signal }, buyer, order))
      if (press % 7 === 0) await redeem(own, buyer, vouchers.pop())
      if (press % 5 === 0) await rent(own, buyer, `rent-${key}`)
      await sleep(world.random.below(PAUSE_MS))
    }
  })
  return {
    async stop() {
      presses.abort()
      await Promise.all(pressing)
      pages.abort()
      await Promise.all([...open, ...shown])
    },
  }
}

type Press = { place: number; key: string }

async function buyOne(world: World, buyer: Buyer, { place, key }: Press): Promise<Order | null> {
  const by = ['v1', 'v1', 'handler-api', 'five-sim'][place % 4] ?? 'v1'
  const order = await (by === 'v1' ? buyByKey(world, buyer, key) : buyOnce(world, buyer, by))
  if (order === null) return null
  const kept = by === 'v1' ? { key } : {}
  world.record.add({ t: 'bought', at: Date.now(), user: buyer.id, ...order, by, ...kept })
  return order
}

async function buyByKey({ url, random, stopped }: World, buyer: Buyer, key: string): Promise<Order | null> {
  const service = random.pick(['tg', 'wa'])
  const body = { service_id: service, country_id: COUNTRY, operator_id: random.pick(OPERATORS) }
  for (;;) {
    const reply = await ask<{ data: Order }>(url, buyer, 'POST /api/v1/activations', { body, key })
    if (reply?.status === 201 && reply.body.data !== undefined) {
      const { id, phone, price } = reply.body.data
      return { id, phone, price, service }
    }
    if (reply !== null && !UNSURE.includes(reply.status) && !reply.text.includes('IN_PROGRESS')) return null
    if (stopped.aborted) return null
    await sleep(AGAIN_MS)
  }
}

/** Buys as programs of the field do, which know no keys: a lost answer is not repeated. */
async function buyOnce({ url, random }: World, buyer: Buyer, by: string): Promise<Order | null> {
  const operator = random.pick(OPERATORS)
  if (by === 'five-sim') {
    const line = `GET /v1/user/buy/activation/kazakhstan/${operator}/telegram`
    const reply = await ask<{ id: number; phone: string; price: number }>(url, buyer, line)
    const { id, phone, price } = reply?.body ?? {}
    if (id === undefined || phone === undefined) return null
    return { id, phone: phone.replace('+', ''), price: String(price), service: 'tg' }
  }
  const wanted = { action: 'getNumber', service: 'tg', country: String(COUNTRY), operator }
  const query = new URLSearchParams({ api_key: buyer.key, ...wanted })
  const reply = await ask(url, buyer, `GET /stubs/handler_api.php?${query}`)
  const [, id, phone] = /^ACCESS_NUMBER:(\d+):(\d+)/.exec(reply?.text ?? '') ?? []
  return id === undefined || phone === undefined ? null : { id: Number(id), phone, price: '', service: 'tg' }
}

/** Gets the code of a number by the waiting call, or gives the number back. */
async function use(world: World, buyer: Buyer, order: Order): Promise<void> {
  const { url, record, random, stopped } = world
  const isOwn = order.phone.startsWith(OWN_PREFIX)
  if (random.below(3) === 0) {
    record.givenBack.add(order.id)
    await sleep(random.below(500))
    return cancel(world, buyer, order)
  }
  const waiting = waitForCode(world, buyer, order)
  if (isOwn) {
    await sleep(random.below(2_000))
    if (!stopped.aborted) await send(world, order)
  }
  await waiting
  // A page that connects anew shows the open numbers only.
  while (!stopped.aborted && record.codeOf(order.id, 'page') === undefined) await sleep(AGAIN_MS)
  if (stopped.aborted) return
  await ask(url, buyer, `POST /api/v1/activations/${order.id}/finish`)
}

async function cancel({ url, record, stopped }: World, buyer: Buyer, { id }: Order): Promise<void> {
  const askedAt = Date.now()
  while (!stopped.aborted) {
    const reply = await ask<{ data: { state: string } }>(url, buyer, `POST /api/v1/activations/${id}/cancel`)
    const state = reply?.body.data?.state
    if (state === 'cancelled') record.add({ t: 'cancelled', at: Date.now(), askedAt, id })
    if (reply !== null && !UNSURE.includes(reply.status)) return
    await sleep(AGAIN_MS)
  }
}

async function waitForCode({ url, record, stopped }: World, buyer: Buyer, { id }: Order): Promise<void> {
  while (!stopped.aborted) {
    const line = `GET /api/v1/activations/${id}?wait=5`
    const reply = await ask<{ data: { code: string | null; final: boolean } }>(url, buyer, line)
    const { code = null, final = false } = reply?.body.data ?? {}
    if (code !== null) record.add({ t: 'code', at: Date.now(), id, code, by: 'call' })
    if (code !== null || final) return
    if (reply?.status !== 200) await sleep(AGAIN_MS)
  }
}

/** Sends a message to an own number, as a SIM bank does, until it is acknowledged. */
async function send({ url, record, stopped }: World, { id, phone, service }: Order): Promise<void> {
  const code = String(10_000 + ((id * 7_919) % 90_000))
  const from = service === 'tg' ? 'Telegram' : 'WhatsApp'
  const text = JSON.stringify({ to: phone, from, text: `${from} code: ${code}`, id: `soak-${id}` })
  const headers = { 'x-token': INTAKE.token, 'content-type': 'application/json' }
  while (!stopped.aborted) {
    const signal = AbortSignal.timeout(5_000)
    const reply = await fetch(url + INTAKE.path, { method: 'POST', headers, body: text, signal }).catch(() => null)
    if (reply?.ok === true) return record.add({ t: 'sent', at: Date.now(), id, code })
    await sleep(AGAIN_MS)
  }
}

async function redeem({ url, record }: World, buyer: Buyer, voucher: string | undefined): Promise<void> {
  if (voucher === undefined) return
  record.add({ t: 'tried', at: Date.now(), voucher, user: buyer.id })
  const press = () => ask(url, buyer, 'POST /api/v1/vouchers', { body: { code: voucher } })
  const [first, second] = await Promise.all([press(), press()])
  if (![first, second].some((reply) => reply?.status === 201)) return
  record.add({ t: 'redeemed', at: Date.now(), voucher, user: buyer.id })
}

async function rent({ url, record }: World, buyer: Buyer, key: string): Promise<void> {
  const body = { service_id: 'tg', country_id: COUNTRY, period: 4 }
  const reply = await ask<{ data: Order }>(url, buyer, 'POST /api/v1/rentals', { body, key })
  const rented = reply?.body.data
  if (reply?.status !== 201 || rented === undefined) return
  record.add({ t: 'rented', at: Date.now(), user: buyer.id, id: rented.id, phone: rented.phone })
  const ended = await ask<{ data: { state: string } }>(url, buyer, `POST /api/v1/rentals/${rented.id}/cancel`)
  if (ended?.body.data?.state !== 'cancelled') return
  record.add({ t: 'rent-cancelled', at: Date.now(), id: rented.id })
}
