import { expect, it } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { preorderRecord } from '#test/builders/preorder-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { inLanguage } from '#web/live/in-language.ts'

const RUSSIAN = {
  service: { id: 'tg', name: 'Телеграм' },
  country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' },
}
const ENGLISH = {
  service: { id: 'tg', name: 'Telegram' },
  country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
}
const message = { id: 9, sender: 'Telegram', text: '1', code: '1', received_at: '2026-05-01T12:01:00.000Z' }
const names = {
  ru: { service: 'Телеграм', country: 'Казахстан' },
  en: { service: 'Telegram', country: 'Kazakhstan' },
}

it('gives the record of an event the names of the language, and leaves the rest', () => {
  const record = activationRecord(RUSSIAN)
  const code = { kind: 'activation' as const, record, message }
  expect(inLanguage({ name: 'NewCode', payload: { ...code, names } }, 'en')).toEqual({
    name: 'NewCode',
    payload: { ...code, record: activationRecord(ENGLISH) },
  })
  expect(inLanguage({ name: 'NewCode', payload: { ...code, names } }, 'ru')).toEqual({ name: 'NewCode', payload: code })
})

it('does so for every event that has a record', () => {
  const name = 'PreorderChanged'
  const balance = '12.00'
  expect(inLanguage({ name, payload: { record: preorderRecord(RUSSIAN), balance, names } }, 'en')).toEqual({
    name,
    payload: { record: preorderRecord(ENGLISH), balance },
  })
  expect(
    inLanguage({ name: 'RentalChanged', payload: { record: rentalRecord(RUSSIAN), balance, names } }, 'en'),
  ).toEqual({ name: 'RentalChanged', payload: { record: rentalRecord(ENGLISH), balance } })
})

it('leaves an event without a record as it is', () => {
  const event = { name: 'BalanceTopup', payload: { balance: '1.00', currency: 'rub' } } as const
  expect(inLanguage(event, 'en')).toBe(event)
})
