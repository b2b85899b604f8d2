import { expect, test, vi } from 'vitest'
import { addField, orderOf, signal } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

type Kept = { body: string; reference: string }

async function messagesOf(t: TestApp, supplierId: number): Promise<Kept[]> {
  const { rows } = await t.ctx.db.query<Kept>({
    text: 'SELECT body, reference FROM messages WHERE supplier_id = $1 ORDER BY id',
    values: [supplierId],
  })
  return rows
}

const TEXT = 'Telegram code: 48213'
const WHOLE = [TEXT, 'Again: 48213', 'Again: 48213']
const CODES = ['48213', '48213', '48213']

test.each([
  { dialect: 'sms-activate', endsSooner: false, texts: WHOLE },
  { dialect: 'hero-sms', endsSooner: true, texts: WHOLE },
  { dialect: 'grizzly', endsSooner: true, texts: WHOLE },
  { dialect: 'smsbower', endsSooner: false, texts: CODES },
  { dialect: 'tiger', endsSooner: false, texts: WHOLE },
  { dialect: 'smshub', endsSooner: false, texts: CODES },
  { dialect: 'daisy', endsSooner: false, texts: CODES },
] as const)('$dialect: prices, a number, three codes of which two are alike, and its end', async (speaks) => {
  await using t = await startTestApp()
  await using field = await addField(t, speaks.dialect)
  const { house, supplier } = field
  const priced = { serviceCode: 'tg', countryId: 2, operator: 'mixed', costMicros: 12_500_000n, currency: 'rub' }
  expect(await supplier.listOffers(signal)).toEqual([expect.objectContaining({ ...priced })])

  const bought = await supplier.buy(orderOf(t, '17-1'), signal)
  const [sold] = house.sold.values()
  expect(bought).toMatchObject({
    outcome: 'bought',
    supplierReference: sold?.id,
    phone: sold?.phone,
    operator: 'mixed',
    costMicros: 12_500_000n,
  })
  const ends = new Date(t.clock.now().getTime() + 900_000)
  expect('expiresAt' in bought ? bought.expiresAt : null).toEqual(speaks.endsSooner ? ends : null)

  const number = { reference: '17-1', supplierReference: sold?.id ?? '', phone: sold?.phone ?? '', serviceCode: 'tg' }
  const texts: string[] = []
  for (const text of [TEXT, 'Again: 48213', 'Again: 48213']) {
    if (texts.length > 0) expect(await supplier.askAgain(number, signal)).toBe(true)
    house.send(text)
    texts.push(text)
    await vi.waitUntil(async () => (await messagesOf(t, supplier.id)).length === texts.length, { timeout: 10_000 })
    const looks = house.asked.length
    await vi.waitUntil(() => house.asked.length > looks + 4, { timeout: 10_000 })
  }
  expect(await messagesOf(t, supplier.id)).toEqual(speaks.texts.map((body) => ({ body, reference: '17-1' })))
  await supplier.end(number, 'finished', signal)
  expect(house.sold.get(sold?.id ?? '')?.state).toBe('finished')
  await supplier.end(number, 'finished', signal)
  expect(house.asked.filter(({ parameters }) => parameters.status === '6')).toHaveLength(1)
  expect(house.complaints).toEqual([])
})
