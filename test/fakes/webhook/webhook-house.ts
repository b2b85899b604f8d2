import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { createWebhookSupplier } from '#server/adapters/webhook/webhook-supplier.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { TestApp } from '#test/harness/harness.ts'
import type { Message, Posted, Sender } from './senders.ts'

export const INTAKE_KEY = `${'k'.repeat(16)}0123456789abcdef`
export const PHONES = ['77051234567', '77051234568', '77051234569']

export type WebhookHouse = {
  supplier: Supplier
  address: string
  /** Posts a message to the webhook. `change` alters the request after it was signed. */
  post(message: Partial<Message>, change?: (posted: Posted) => Posted): Promise<Response>
  send(posted: Posted): Promise<Response>
  states(): Promise<Record<string, number>>
}

let messages = 0

export async function openWebhookHouse(t: TestApp, sender: Sender, more: object = {}): Promise<WebhookHouse> {
  const settings = {
    currency: 'rub',
    intakeKey: INTAKE_KEY,
    services: ['tg', 'wa'].map((code) => ({ code, cost: '5' })),
    ...sender.settings,
    ...more,
  }
  const supplier = await t.addReal(createWebhookSupplier, { code: 'phones', kind: 'webhook', settings })
  await addNumbers(
    t.ctx.db,
    supplier.id,
    PHONES.map((phone) => ({ phone, countryId: 2, operator: 'altel' })),
  )
  await refreshOffers(t.ctx, supplier)
  const path = `/intake/phones/${INTAKE_KEY}`
  const address = `${t.ctx.config.publicUrl.origin}${path}`
  const send = ({ method, query, headers, body }: Posted) =>
    t.fetch(query === undefined ? path : `${path}?${query}`, {
      method,
      headers,
      // fetch would give a string a content type, so the body is a buffer.
      ...(method === 'POST' && { body: Buffer.from(body) }),
    })
  return {
    supplier,
    address,
    send,
    async post(message, change = (posted) => posted) {
      messages += 1
      const at = t.clock.now()
      const [to = ''] = PHONES
      const whole = { to, from: 'Telegram', text: 'Telegram code: 48213', id: `m-${messages}`, at, ...message }
      const response = await send(change(sender.post(whole, { address, at })))
      await t.ctx.background.idle()
      return response
    },
    async states() {
      const { rows } = await t.ctx.db.query<{ state: string; count: number }>({
        text: 'SELECT state, count(*)::integer AS count FROM intake_requests GROUP BY state ORDER BY state',
      })
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
  }
}
