import { z } from 'zod'
import { keyAction } from '../action.ts'
import { CURRENCY_NUMBERS, json, word } from '../answer.ts'

/** Answers SMSHub's action to set the currency, although our accounts' currency cannot be changed. */
export const updateApiCurrency = keyAction({
  scope: 'read',
  parameters: z.object({ currency: z.string().regex(/^\d{3}$/) }),
  refusals: { currency: word('BAD_CURRENCY') },
  handle(_ctx, member, { currency }) {
    if (!Object.values(CURRENCY_NUMBERS).some((known) => String(known) === currency)) return word('BAD_CURRENCY')
    const own = String(CURRENCY_NUMBERS[member.currency])
    return currency === own ? json({ status: 'success', currency: Number(own) }) : word('CURRENCY_CHANGE_UNAVAILABLE')
  },
})
