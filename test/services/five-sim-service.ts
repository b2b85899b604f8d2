import type { Offer, RentOffer } from '#server/core/suppliers/supplier.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

export type Said = { status: number; type: string | null; body: unknown }

export type FiveSimTest = AsyncDisposable & {
  t: TestApp
  supplier: FakeSupplier
  buyer: TestUser
  key: string
  /** Calls the 5sim interface. A reply that is plain text stays a string. */
  ask(path: string, init?: RequestInit & { token?: string }): Promise<Said>
  buy(path?: string): Promise<Record<string, unknown> & { id: number; phone: string }>
  sms(phone: string, text?: string): Promise<void>
}

export async function startFiveSimTest(
  options: Parameters<typeof startTestApp>[0] & { offers?: Offer[]; rentOffers?: RentOffer[]; balance?: string } = {},
): Promise<FiveSimTest> {
  const { offers, rentOffers, balance, ...appOptions } = options
  const t = await startTestApp(appOptions)
  const supplier = await t.addFake('fake', offers, rentOffers)
  const buyer = await t.makeUser(balance === undefined ? {} : { balance })
  const key = await t.makeApiKey(buyer)
  const ask = async (path: string, init: RequestInit & { token?: string } = {}) => {
    const reply = await t.fetch(`/v1${path}`, { token: key, ...init })
    const type = reply.headers.get('content-type')
    const text = await reply.text()
    return { status: reply.status, type, body: type === 'application/json' ? JSON.parse(text) : text }
  }
  return {
    t,
    supplier,
    buyer,
    key,
    ask,
    async buy(path = '/user/buy/activation/kazakhstan/any/telegram') {
      const { body } = await ask(path)
      if (typeof body !== 'object' || body === null) throw new Error(`no number was bought: ${body}`)
      // The cast names only common fields of replies. Tests check the rest.
      return body as Record<string, unknown> & { id: number; phone: string }
    },
    sms: (phone, text) => pushSms(t, supplier, { phone: phone.slice(1), ...(text !== undefined && { text }) }),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}
