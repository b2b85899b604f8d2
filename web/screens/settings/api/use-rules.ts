import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type KeyDialect, type KeyRecord, type KeyScope, MAX_KEY_ADDRESSES } from '#contract/api-key.ts'
import { parseRange } from '#contract/formats/cidr.ts'
import { parseDecimal } from '#contract/money.ts'

type Errors = { scopes?: string; addresses?: string; dayLimit?: string }
export type Rules = ReturnType<typeof useRules>

/**
 * Holds the inputs of an API key: scopes, IP addresses and daily limit. `known` is the API key to change; null for a
 * new one.
 */
export function useRules(known: KeyRecord | null) {
  const t = useTranslations('keys.form')
  // By default the scope `money` is not selected, so that a user selects it only deliberately.
  const [scopes, setScopes] = useState<readonly KeyScope[]>(known?.scopes ?? ['read', 'buy'])
  const [addresses, setAddresses] = useState(known?.addresses.join(', ') ?? '')
  const [dialect, setDialect] = useState<KeyDialect | null>(known?.dialect ?? null)
  const [dayLimit, setDayLimit] = useState(known?.day_limit ?? '')
  const [errors, setErrors] = useState<Errors>({})
  const list = addresses.split(/[\s,;]+/).filter((text) => text !== '')
  const amount = dayLimit.replaceAll(/\s/g, '').replace(',', '.')

  function check(): boolean {
    const found: Errors = {}
    if (scopes.length === 0) found.scopes = t('noScope')
    const wrong = list.find((text) => parseRange(text) === null)
    if (wrong !== undefined) found.addresses = t('wrongAddress', { address: wrong.slice(0, 50) })
    else if (list.length > MAX_KEY_ADDRESSES) found.addresses = t('tooManyAddresses', { count: MAX_KEY_ADDRESSES })
    if (amount !== '' && (parseDecimal(amount) ?? 0n) <= 0n) found.dayLimit = t('wrongLimit')
    setErrors(found)
    return Object.keys(found).length === 0
  }
  return {
    scopes,
    addresses,
    dialect,
    dayLimit,
    errors,
    setAddresses,
    setDialect,
    setDayLimit,
    check,
    choose: (scope: KeyScope, on: boolean) =>
      setScopes(on ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope)),
    input: () => ({ scopes: [...scopes], addresses: list, dialect, day_limit: amount === '' ? null : amount }),
  }
}
