import { type KeyboardEvent, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { PREORDER_HOURS } from '#contract/constants.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { useShowNumbers } from '#web/buying/initial/use-show-numbers.ts'
import { readMaxPrice } from '#web/buying/panel/max-price-param.ts'
import { PressNote } from '#web/buying/press/press-note.tsx'
import { shortOf } from '#web/buying/press/purchase-outcome.ts'
import { useDialogs, useSession, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { readAmount, writeAmount } from '#web/money/amount-text.ts'
import { topUpFor } from '#web/navigation/top-up-path.ts'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS } from '#web/ui/initial/price.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { periodParts } from '#web/ui/time/period.ts'
import { readKeptTerms, withoutTerms, withTerms } from './kept-terms.ts'
import { firstPrice, suggestedPrice } from './preorder-terms.ts'
import { type HintedOffer, PriceHints } from './price-hints.tsx'
import { usePlacePreorder } from './use-place-preorder.ts'
import { usePreorders } from './use-preorders.ts'

export type PreorderOfferProps = HintedOffer & { names: { service: string; country: string } }

export function PreorderOffer(props: PreorderOfferProps) {
  return (
    <WithAllTexts>
      <OfferOrStanding key={`${props.serviceId}-${props.countryId}-${props.operatorId}`} {...props} />
    </WithAllTexts>
  )
}

function OfferOrStanding(props: PreorderOfferProps) {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const [more, setMore] = useState(false)
  const wanted = props.operatorId === ANY_OPERATOR ? null : props.operatorId
  const standing = usePreorders(null)?.find(
    ({ service, country, operator }) =>
      service.id === props.serviceId && country.id === props.countryId && operator === wanted,
  )
  if (standing === undefined || more) return <OfferForm {...props} onPlaced={() => setMore(false)} />
  const price = formatMoney(standing.max_price, standing.currency, locale)
  return (
    <div className="text-[14px]">
      <p>{t('placed', { price })}</p>
      <TextButton onClick={() => setMore(true)}>{t('another')}</TextButton>
    </div>
  )
}

const DEFAULT_HOURS = 6

function OfferForm(props: PreorderOfferProps & { onPlaced: () => void }) {
  const { serviceId, countryId, operatorId, names, currency, onPlaced } = props
  const t = useTranslations('preorder')
  const locale = useLocale()
  const { signedIn } = useSession()
  const { open } = useDialogs()
  const { pending, outcome, place } = usePlacePreorder()
  const showOpen = useShowNumbers()
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const [typed, setTyped] = useState<string | null>(null)
  const [kept] = useState(() => readKeptTerms(params))
  const [hours, setHours] = useState<number>(kept.hours ?? DEFAULT_HOURS)
  const [wrong, setWrong] = useState(false)
  const navigate = useNavigate()
  const user = useUser()
  const ceiling = readMaxPrice(params, user?.settings.max_price ?? null)
  const first = kept.maxPrice ?? firstPrice(ceiling, suggestedPrice(props.lastPrice, props.alternatives))
  // A known price arrives later than the form, so the field shows it until the user types.
  const text = typed ?? (first === null ? '' : writeAmount(first, locale))
  const maxPrice = readAmount(text, locale)
  const short = maxPrice !== null && user?.currency === currency ? shortOf(maxPrice, user.balance) : null

  async function submit(): Promise<void> {
    if (!signedIn) return open('registration', {})
    setWrong(maxPrice === null)
    if (maxPrice === null || pending) return
    const back = `${pathname}?${withTerms(params, { maxPrice, hours })}`
    if (short !== null) return navigate(topUpFor(back, short))
    const operator = operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }
    const input = { service_id: serviceId, country_id: countryId, ...operator, max_price: maxPrice, hours }
    if ((await place(input, { ...names, currency, back })) === null) return
    if (params.has('at')) setParams(withoutTerms, { replace: true, preventScrollReset: true })
    onPlaced()
    showOpen()
  }
  return (
    // A fieldset replaces a nested form, because the panel's form surrounds it and Enter in that form buys.
    <fieldset className="flex flex-col gap-3" onKeyDown={(event) => onEnter(event, () => inBackground(submit()))}>
      <legend className="mb-1 font-semibold">{t('title')}</legend>
      <p className="text-[14px] text-muted">{t('text')}</p>
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label={t('maxPrice', { sign: CURRENCY_SIGNS[currency] })}
          inputMode="decimal"
          autoComplete="off"
          className="tabular min-w-0"
          value={text}
          error={wrong ? t('badPrice') : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <HoursSelect hours={hours} onHours={setHours} />
      </div>
      <PriceHints
        {...props}
        ceiling={ceiling}
        price={maxPrice}
        onPick={(price) => setTyped(writeAmount(price, locale))}
      />
      <div aria-live="polite" className="empty:hidden">
        {outcome === null ? null : <PressNote outcome={outcome} />}
      </div>
      <Button kind="primary" className="min-h-12 w-full" aria-busy={pending} onClick={() => inBackground(submit())}>
        <PlaceWords pending={pending} short={short} currency={currency} />
      </Button>
    </fieldset>
  )
}

function PlaceWords({ pending, short, currency }: { pending: boolean; short: string | null; currency: Currency }) {
  const t = useTranslations('preorder')
  const buy = useTranslations('buy')
  const locale = useLocale()
  const { signedIn } = useSession()
  if (pending) return t('placing')
  if (short !== null) return buy('short', { amount: formatMoney(short, currency, locale) })
  return signedIn ? t('place') : t('register')
}

function HoursSelect({ hours, onHours }: { hours: number; onHours: (hours: number) => void }) {
  const t = useTranslations('preorder')
  const words = (waited: number) => {
    const { unit, count } = periodParts(waited)
    return t(unit, { count })
  }
  return (
    <SelectBox
      label={t('wait')}
      labelShown
      className="min-w-0"
      value={hours}
      onChange={(event) => onHours(Number(event.target.value))}
    >
      {PREORDER_HOURS.map((count) => (
        <option key={count} value={count}>
          {words(count)}
        </option>
      ))}
    </SelectBox>
  )
}

function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  act()
}
