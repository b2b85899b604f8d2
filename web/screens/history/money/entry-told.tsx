import { useLocale, useTranslations } from 'use-intl'
import { formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import type { Entry } from '#contract/past/entries.ts'

type EntryToldProps = { entry: Entry }

/** Says what became of the money: a purchase in one word with a bar, anything else by its movements in order. */
export function EntryTold({ entry }: EntryToldProps) {
  const t = useTranslations('history')
  const { parts, kind } = entry
  const [first] = parts
  if (kind === 'alone' || first === undefined) {
    return (
      <span className="font-medium lg:block">
        {first === undefined ? t('nothingMoved') : t(`movement.${wordOf(first.kind)}`)}
      </span>
    )
  }
  const fate = fateOf(parts)
  return fate === null ? <PartsInOrder entry={entry} /> : <Fate entry={entry} fate={fate} />
}

function PartsInOrder({ entry: { parts, currency } }: EntryToldProps) {
  const t = useTranslations('history')
  const locale = useLocale()
  return (
    <span className="font-medium lg:block inline-block first-letter:uppercase">
      {parts.map((part, place) => (
        <span key={part.kind}>
          {place === 0 ? null : <span className="text-muted"> → </span>}
          {t(`part.${part.kind}`, { amount: formatMoney(part.amount, currency, locale) })}
        </span>
      ))}
    </span>
  )
}

type FateProps = EntryToldProps & { fate: MoneyFate }

/** The bar has the charged money in ink and the money that came back as the rest. Amber money is still on hold. */
function Fate({ entry: { currency }, fate }: FateProps) {
  const { held, charged } = fate
  const open = held - charged - fate.back
  const width = (micros: bigint) => ({ width: `${Number((micros * 1000n) / held) / 10}%` })
  return (
    <>
      <span className="font-medium max-lg:sr-only lg:block">
        <FateWords fate={fate} currency={currency} />
      </span>
      <span
        aria-hidden
        className="mt-1 hidden h-1 w-20 overflow-hidden lg:flex rounded-full bg-sunken ring ring-hairline"
      >
        <span className="bg-ink" style={width(charged)} />
        <span className="bg-soon" style={width(open)} />
      </span>
    </>
  )
}

export function FateWords({ fate, currency }: { fate: MoneyFate; currency: Entry['currency'] }) {
  const t = useTranslations('history.fate')
  const locale = useLocale()
  const money = (micros: bigint) => formatMoney(toDecimal(micros), currency, locale)
  return t(fate.word, { charged: money(fate.charged), held: money(fate.held), back: money(fate.back) })
}

export type MoneyFate = {
  word: 'setAside' | 'charged' | 'cameBack' | 'partly' | 'refunded'
  /** The sums in micros. `held` is above zero. */
  held: bigint
  charged: bigint
  back: bigint
}

/** Returns null if the movements are not those of a purchase. */
export function fateOf(parts: Entry['parts']): MoneyFate | null {
  const sums = { hold: 0n, capture: 0n, release: 0n, refund: 0n }
  for (const { kind, amount } of parts) {
    if (!isOfPurchase(kind)) return null
    sums[kind] = parseDecimal(amount) ?? 0n
  }
  const { hold: held, capture, release, refund } = sums
  if (held === 0n) return null
  const [charged, back] = [capture - refund, release + refund]
  if (charged < 0n || charged + back > held) return null
  return { word: wordFor({ held, charged, back, refund }), held, charged, back }
}

function wordFor({ held, charged, back, refund }: Record<'held' | 'charged' | 'back' | 'refund', bigint>) {
  if (charged === held) return 'charged'
  if (refund > 0n && charged === 0n && back === held) return 'refunded'
  if (back === held) return 'cameBack'
  return charged === 0n && back === 0n ? 'setAside' : 'partly'
}

function isOfPurchase(kind: Entry['parts'][number]['kind']): kind is 'hold' | 'capture' | 'release' | 'refund' {
  return kind === 'hold' || kind === 'capture' || kind === 'release' || kind === 'refund'
}

/** Returns the text key of a money movement. A capture is never shown alone, but in the row of its purchase. */
function wordOf(kind: Entry['parts'][number]['kind']) {
  return kind === 'capture' ? 'charged' : kind
}
