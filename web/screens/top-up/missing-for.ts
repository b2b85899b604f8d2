import { type Api, CallError } from '#contract/calls/calls.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { redirectPath } from '#web/account/redirect-path.ts'
import { ANY_OPERATOR, readChoice } from '#web/buying/first/choice.ts'

type Missing = { kind: 'short'; amount: string | null } | { kind: 'enough'; back: string }

/** What the chosen number costs more than there is: as the address says, or by the number chosen on the page to go back to. */
export async function missingFor(api: Api, params: URLSearchParams): Promise<Missing> {
  const typed = parseDecimal(params.get('amount') ?? '')
  if (typed !== null) return { kind: 'short', amount: typed > 0n ? toDecimal(typed) : null }
  const back = redirectPath(params.get('back'))
  const chosen = back === null ? null : readPurchase(new URL(back, 'http://this.site'))
  if (back === null || chosen === null) return { kind: 'short', amount: null }
  const price = await priceOf(api, chosen)
  // Sold out or gone meanwhile: the page of the number says so.
  if (price === null) return { kind: 'enough', back }
  const { balance, debt, currency } = await api('GET /api/user', {})
  if (currency !== price.currency) return { kind: 'short', amount: null }
  // What comes in pays the debt first.
  const needed = (parseDecimal(price.price) ?? 0n) + (parseDecimal(debt) ?? 0n)
  const micros = needed - (parseDecimal(balance) ?? 0n)
  return micros > 0n ? { kind: 'short', amount: toDecimal(micros) } : { kind: 'enough', back }
}

type Chosen = { isRent: boolean; service_id: string; country_id: number; operator_id?: string; period: number }

function readPurchase({ pathname, searchParams }: URL): Chosen | null {
  const { serviceId, countryId, operatorId, periodHours: period } = readChoice(searchParams)
  if (serviceId === null || countryId === null) return null
  const operator = operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }
  return { isRent: pathname === '/rent', service_id: serviceId, country_id: countryId, ...operator, period }
}

async function priceOf(api: Api, { isRent, period, ...wanted }: Chosen) {
  try {
    const asked = isRent ? api('GET /api/rent-price', { ...wanted, period }) : api('GET /api/price', wanted)
    const { price, currency } = (await asked).data
    return price === null ? null : { price, currency }
  } catch (error) {
    if (error instanceof CallError) return null
    throw error
  }
}
