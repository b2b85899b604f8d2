import { gzipSync } from 'node:zlib'
import { createSimBankSupplier } from '#server/adapters/sim-bank/buy/sim-bank-supplier.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { BANK_KEY, type BankHouse, openBankHouse } from './bank-house.ts'

export const BANK_INTAKE_KEY = `${'k'.repeat(16)}0123456789abcdef`

export type OpenBank = AsyncDisposable & {
  house: BankHouse
  supplier: Supplier
  push(
    sms: Record<string, unknown>,
    options?: { plain?: boolean; path?: string },
  ): Promise<{ http: number; said: string }>
}

export function bankSettings(url: string): Record<string, unknown> {
  return {
    url,
    key: BANK_KEY,
    currency: 'rub',
    intakeKey: BANK_INTAKE_KEY,
    privateHost: true,
    services: ['tg', 'wa'].map((code) => ({ code, cost: '5' })),
  }
}

let pushes = 0

export async function openBank(t: TestApp, more: object = {}): Promise<OpenBank> {
  const house = await openBankHouse()
  const settings = { ...bankSettings(house.url), ...more }
  const supplier = await t.addReal(createSimBankSupplier, { code: 'bank', kind: 'sim-bank', settings })
  return {
    house,
    supplier,
    async push(sms, { plain = false, path = `/intake/bank/${BANK_INTAKE_KEY}` } = {}) {
      pushes += 1
      const whole = {
        action: 'PUSH_SMS',
        key: BANK_KEY,
        smsId: pushes,
        phoneFrom: 'Telegram',
        text: 'Telegram code: 48213',
        ...sms,
      }
      const text = Buffer.from(JSON.stringify(whole))
      const headers = { 'content-type': 'application/json', ...(!plain && { 'content-encoding': 'gzip' }) }
      const response = await t.fetch(path, { method: 'POST', headers, body: plain ? text : gzipSync(text) })
      const said = await response.text()
      await t.ctx.background.idle()
      return { http: response.status, said }
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  }
}
