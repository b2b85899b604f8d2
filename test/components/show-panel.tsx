import { screen } from '@testing-library/react'
import type { CountryItem, OperatorItem, PriceReply, ServiceItem } from '#contract/catalog.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import type { Answers } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import { BuyPanel } from '#web/buying/panel/buy-panel.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'

const measured = { price: '5.00', count: 9, success_share: null, median_seconds: null }
export const SERVICES: ServiceItem[] = [
  { ...measured, id: 'tg', name: 'Telegram', also: [], is_favorite: false },
  { ...measured, id: 'vi', name: 'Viber', also: [], is_favorite: false },
]
export const COUNTRIES: CountryItem[] = [
  { ...measured, id: 2, name: 'Kazakhstan', also: [], iso2: 'KZ', dial: '7', is_favorite: false },
  { ...measured, id: 6, name: 'Indonesia', also: [], iso2: 'ID', dial: '62', price: '3.00', is_favorite: false },
]
export const ANY: OperatorItem = { ...measured, id: 'any', name: 'Any operator', p90_seconds: null }

export function priced(price: string | null, count = 9): PriceReply {
  return { status: true, data: { operators: [ANY], price, count, currency: 'rub' } }
}
export const meta = { status: true, favorites: 0 } as const
const LISTS: Answers = {
  'GET /api/services': { ...meta, count: 2, services: SERVICES },
  'GET /api/countries': { ...meta, count: 2, countries: COUNTRIES },
  'GET /api/user': anna,
  // The page saves the chosen service by this call, which needs an answer.
  'PATCH /api/v1/user/settings': { status: true as const },
  'GET /api/v1/preorders/last-sale': { status: true as const, data: null },
}

type Shown = {
  price?: PriceReply
  answers?: Answers
  signedIn?: boolean
  demo?: boolean
  balance?: string
  maxPrice?: string
  at?: string
  services?: unknown
  countries?: CountryItem[]
  beside?: 'service' | 'country' | null
}
export const AT = '/?service=tg&country=2'

export async function showPanel(shown: Shown = {}) {
  const {
    price = priced('5.00'),
    answers = {},
    signedIn = true,
    demo = false,
    balance = '10.00',
    maxPrice = null,
    at = AT,
    beside = null,
  } = shown
  const user = { ...anna, balance, settings: { ...anna.settings, max_price: maxPrice } }
  const seed: PanelSeed = {
    choice: { serviceId: 'tg', countryId: 2, operatorId: 'any', periodHours: null } as never,
    services: (shown.services ?? { ...meta, count: 2, services: SERVICES }) as never,
    countries: { ...meta, count: 2, countries: shown.countries ?? COUNTRIES },
    service: SERVICES[0] ?? null,
    country: COUNTRIES[0] ?? null,
    price,
  }
  const bought: true[] = []
  const drawn = await show(
    <BuyPanel mode={ACTIVATION_MODE} seed={seed} onBought={() => bought.push(true)} beside={beside} />,
    {
      at,
      settings: { demo },
      answers: { ...LISTS, 'GET /api/user': user, 'GET /api/price': price, ...answers },
      ...(signedIn && { session: { ...MEMBER, user } }),
    },
  )
  const purchases = () => drawn.sent.filter(({ key }) => key === 'POST /api/v1/activations')
  return { ...drawn, bought, purchases }
}
export const buyButton = () => screen.getByRole('button', { name: /^Buy for/u })
export const SOLD_OUT = {
  price: priced(null, 0),
  answers: {
    'GET /api/v1/preorders': { data: [] } as never,
  } satisfies Answers,
}
export const most = () => screen.findByRole<HTMLInputElement>('textbox', { name: /Price limit/u })
