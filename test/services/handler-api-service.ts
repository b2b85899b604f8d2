import type { Currency } from '#contract/money.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

export type ProtocolTest = AsyncDisposable & {
  t: TestApp
  supplier: FakeSupplier
  buyer: TestUser
  key: string
  ask(action: string, parameters?: Record<string, string>): Promise<string>
  buy(parameters?: Record<string, string>): Promise<{ id: string; phone: string }>
  sms(phone: string, text: string): Promise<unknown>
}

export async function startProtocolTest(
  options: Parameters<typeof startTestApp>[0] & { offers?: Offer[]; balance?: string; currency?: Currency } = {},
): Promise<ProtocolTest> {
  const { offers, balance, currency, ...appOptions } = options
  const t = await startTestApp(appOptions)
  const supplier = await t.addFake('fake', offers)
  const buyer = await t.makeUser({ ...(balance !== undefined && { balance }), ...(currency && { currency }) })
  const key = await t.makeApiKey(buyer)
  const ask = async (action: string, parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ api_key: key, action, ...parameters })
    return (await t.fetch(`/stubs/handler_api.php?${query}`)).text()
  }
  return {
    t,
    supplier,
    buyer,
    key,
    ask,
    async buy(parameters = {}) {
      const reply = await ask('getNumber', { service: 'tg', country: '2', ...parameters })
      const [, id, phone] = /^ACCESS_NUMBER:(\d+):(\d+)$/.exec(reply) ?? []
      if (id === undefined || phone === undefined) throw new Error(`no number was bought: ${reply}`)
      return { id, phone }
    },
    sms: (phone, text) =>
      receiveSms(t.ctx, { supplierId: supplier.id, messageId: null, phone, sender: 'Telegram', text }),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}
