import { type FormEvent, type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { ANY_OPERATOR, type Choice } from '#web/buying/initial/choice.ts'
import { useWide } from '#web/buying/initial/use-wide.ts'
import { CountryPicker, type PanelLists, ServicePicker, usePanelLists } from '#web/buying/picker/pickers.tsx'
import { useKeyboardGuide } from '#web/buying/picker/use-keyboard-guide.ts'
import { useSession, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { topUpPath } from '#web/navigation/top-up-path.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { BuyBar } from './buy-bar.tsx'
import type { PanelSeed } from './load-panel.ts'
import { ModeTabs } from './mode-tabs.tsx'
import { OperatorStep } from './operator-step.tsx'
import { type PanelMode, PanelModeContext, usePanelMode } from './panel-mode.ts'
import { Step } from './step.tsx'
import { type OpenedStep, type StepLook, stepLooks } from './steps.ts'
import { useCeiling } from './use-ceiling.ts'
import { useFirstChoice } from './use-first-choice.ts'
import { useGuests } from './use-guests.ts'
import { type PanelOffer, useOffer, useOfferedOperator } from './use-offer.ts'
import { usePanelKeys } from './use-panel-keys.ts'
import { type Purchase, usePurchase } from './use-purchase.ts'

// The out-of-stock part loads on demand, because most choices are in stock.
const OutOfStock = lazyPart(
  async () => (await import('#web/buying/press/out-of-stock.tsx')).OutOfStock,
  <div className="min-h-32 border-t border-hairline bg-sunken" />,
)
// The price limit loads on demand, because few buyers set it.
const MaxPriceField = lazyPart(
  async () => (await import('./lazy/max-price-field.tsx')).MaxPriceField,
  <div className="min-h-17" />,
)
const AboveLimit = lazyPart(async () => (await import('./lazy/above-limit.tsx')).AboveLimit)
const RememberChoice = lazyPart(async () => (await import('./lazy/remember-choice.tsx')).RememberChoice)

/** The class `isolate` gives the panel its own layer, so that repaints stay within the panel. */
const PAPER = 'isolate flex flex-col rounded border border-hairline bg-surface'

type BuyPanelProps = {
  mode: PanelMode
  seed: PanelSeed
  onBought: () => void
  /** True if the page's path names the service or country, so that the choice need not be in the query. */
  isInPath?: boolean
  /** The half of the choice that the page itself lists. */
  beside?: 'service' | 'country' | null
}

export function BuyPanel({ mode, ...props }: BuyPanelProps) {
  return (
    <PanelModeContext value={mode}>
      <PanelForm {...props} />
    </PanelModeContext>
  )
}

function PanelForm({ seed, onBought, isInPath = false, beside = null }: Omit<BuyPanelProps, 'mode'>) {
  const mode = usePanelMode()
  const t = useTranslations(mode.words)
  const { signedIn } = useSession()
  const guests = useGuests()
  const navigate = useNavigate()
  const [choice, setChoice] = useFirstChoice(seed.choice, isInPath)
  const lists = usePanelLists(choice, seed)
  const offer = useOffer(choice, lists, seed)
  useOfferedOperator(choice, offer, setChoice)
  const { service, country } = lists
  const names = { service: service?.name ?? '', country: country?.name ?? '' }
  const purchase = usePurchase(choice, names, onBought)
  const bar = shownBar(offer, purchase)
  const { ceiling, below } = useCeiling(bar)
  const short = useShort(bar, below)
  const form = useRef<HTMLFormElement>(null)

  const guide = useKeyboardGuide(form, choice, setChoice)

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    if (bar.kind !== 'priced' || below !== null || choice.serviceId === null || choice.countryId === null) return
    if (short !== null) {
      inBackground(navigate(topUpPath(short)))
      return
    }
    const operator = offer.operatorId === ANY_OPERATOR ? {} : { operator_id: offer.operatorId }
    const most = ceiling === null ? {} : { max_price: ceiling }
    const terms = { ...mode.terms(choice), ...operator, ...most, price: bar.price }
    const input = { service_id: choice.serviceId, country_id: choice.countryId, ...terms }
    const press = () => purchase.press(input, bar.currency)
    if (signedIn) press()
    else guests.enter(press)
  }
  // A press of the button opens the list that is folded because the page has it as well.
  const isFolded = bar.kind === 'incomplete' && bar.missing === beside && guide.opened !== beside
  const unfold = isFolded ? () => guide.setOpened(beside) : null
  usePanelKeys({ search: guide.search, buy: () => submit(), back: guide.back })

  return (
    <form ref={form} className={`buy-panel ${PAPER}`} aria-label={t('title')} onSubmit={submit}>
      <h2 className="sr-only">{t('title')}</h2>
      <ModeTabs choice={choice} />
      <PanelSteps choice={choice} lists={lists} beside={beside} {...guide} />
      <PanelOffers
        choice={choice}
        lists={lists}
        offer={{ ...offer, bar }}
        purchase={purchase}
        ceiling={ceiling}
        opened={guide.opened}
        setOpened={guide.setOpened}
        choose={setChoice}
      />
      {offer.outOfStock ? null : (
        <BuyBar
          choice={choice}
          unfold={unfold}
          offer={bar}
          short={short}
          limit={below}
          {...purchase}
          pending={purchase.pending || guests.entering}
          buyer={signedIn ? 'member' : guests.way}
          noGuest={guests.noGuest}
        />
      )}
    </form>
  )
}

type PanelStepsProps = {
  choice: Choice
  lists: PanelLists
  beside: 'service' | 'country' | null
  opened: OpenedStep
  setOpened: (opened: OpenedStep) => void
  choose: (half: 'service' | 'country', choice: Choice, byKeyboard: boolean) => void
}

function PanelSteps({ choice, lists, beside, opened, setOpened, choose }: PanelStepsProps) {
  const t = useTranslations('buy')
  const { ServiceMark } = usePanelMode()
  const { signedIn } = useSession()
  const looks = stepLooks(choice, opened, beside)
  const wide = useWide()
  const isOpen = (look: StepLook) => look === 'open' || (wide && look === 'open-when-wide')
  const toggle = (step: 'service' | 'country') => setOpened(isOpen(looks[step]) ? 'none' : step)
  const { service, country } = lists
  return (
    <>
      <Step
        number={1}
        title={t('service')}
        look={looks.service}
        open={isOpen(looks.service)}
        onToggle={() => toggle('service')}
        chosen={service === null ? null : <ChosenHead icon={<ServiceMark service={service} />} name={service.name} />}
      >
        <ServicePicker
          lists={lists}
          choice={choice}
          signedIn={signedIn}
          onPick={({ id }, byKeyboard) => choose('service', { ...choice, serviceId: id }, byKeyboard)}
        />
      </Step>
      <Step
        number={2}
        title={t('country')}
        look={looks.country}
        open={isOpen(looks.country)}
        onToggle={() => toggle('country')}
        chosen={country === null ? null : <ChosenHead icon={<Flag iso2={country.iso2} />} name={country.name} />}
      >
        <CountryPicker
          lists={lists}
          choice={choice}
          signedIn={signedIn}
          onPick={({ id }, byKeyboard) => choose('country', { ...choice, countryId: id }, byKeyboard)}
        />
      </Step>
    </>
  )
}

function ChosenHead({ icon, name }: { icon: ReactNode; name: string }) {
  return (
    <>
      <span className="flex w-7 shrink-0 justify-center">{icon}</span>
      <span className="truncate">{name}</span>
    </>
  )
}

type PanelOffersProps = {
  choice: Choice
  lists: PanelLists
  offer: PanelOffer
  purchase: Purchase
  ceiling: string | null
  opened: OpenedStep
  setOpened: (opened: OpenedStep) => void
  choose: (choice: Choice) => void
}

function PanelOffers(props: PanelOffersProps) {
  const { choice, lists, offer, purchase, choose } = props
  const { Terms } = usePanelMode()
  const { signedIn } = useSession()
  const none = offer.outOfStock || purchase.outcome?.kind === 'no-numbers'
  const { currency, operators, operatorId } = offer
  const terms =
    Terms === null ? null : <Terms choice={choice} choose={choose} offered={offer.offered} stale={offer.stale} />
  if (lists.service === null || lists.country === null || currency === null) return terms
  const names = { service: lists.service.name, country: lists.country.name }
  return (
    <>
      {terms}
      <OperatorOffers {...props} currency={currency} none={none} names={names} />
      {signedIn ? <RememberChoice serviceId={lists.service.id} countryId={lists.country.id} /> : null}
      {none ? (
        <OutOfStock
          choice={{ ...choice, operatorId }}
          names={names}
          operators={operators}
          services={lists.services.items}
          currency={currency}
          onChoose={choose}
          lastPrice={offer.bar.kind === 'priced' ? offer.bar.price : null}
        />
      ) : null}
    </>
  )
}

type OperatorOffersProps = PanelOffersProps & {
  currency: Currency
  none: boolean
  names: { service: string; country: string }
}

function OperatorOffers({ choice, offer, ceiling, opened, setOpened, choose, ...rest }: OperatorOffersProps) {
  const { Terms, name } = usePanelMode()
  const { signedIn } = useSession()
  const { currency, none, names } = rest
  const isOpen = opened === 'operator'
  const hasLimit = signedIn && name === 'activation' && !none
  const { serviceId, countryId, operatorId } = choice
  return (
    <>
      <OperatorStep
        number={Terms === null ? 3 : 4}
        operators={offer.operators}
        currency={currency}
        selectedId={offer.operatorId}
        onSelect={(id) => choose({ ...choice, operatorId: id })}
        ceiling={ceiling}
        open={isOpen}
        onToggle={() => setOpened(isOpen ? 'none' : 'operator')}
      >
        {hasLimit ? <MaxPriceField /> : null}
      </OperatorStep>
      {hasLimit && ceiling !== null && serviceId !== null && countryId !== null ? (
        <AboveLimit
          key={JSON.stringify(choice)}
          bar={offer.bar}
          wanted={{ serviceId, countryId, operatorId, names, currency }}
        />
      ) : null}
    </>
  )
}

/** Returns the missing amount; null if the balance is sufficient, or if something other than money is missing. */
function useShort(bar: PanelOffer['bar'], below: string | null): string | null {
  const user = useUser()
  if (bar.kind !== 'priced' || below !== null || user?.currency !== bar.currency) return null
  const micros = (parseDecimal(bar.price) ?? 0n) - (parseDecimal(user.balance) ?? 0n)
  return micros > 0n ? toDecimal(micros) : null
}

/** Returns the state of the bar. After PRICE_CHANGED it has the price from that error until new prices arrive. */
function shownBar({ bar }: PanelOffer, { outcome }: Purchase): PanelOffer['bar'] {
  if (bar.kind !== 'priced' || outcome?.kind !== 'price-changed' || bar.price !== outcome.before) return bar
  return { ...bar, price: outcome.price }
}
