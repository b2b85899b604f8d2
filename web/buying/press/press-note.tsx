import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { NOTE_LOOKS } from '#web/buying/initial/note-look.ts'
import { Link } from '#web/navigation/link.tsx'
import { topUpPath } from '#web/navigation/top-up-path.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { Countdown } from '#web/ui/time/countdown.tsx'
import type { PurchaseOutcome } from './purchase-outcome.ts'

type PressNoteProps = { outcome: PurchaseOutcome }

export function PressNote(props: PressNoteProps) {
  return (
    <WithAllTexts>
      <PressWords {...props} />
    </WithAllTexts>
  )
}

function PressWords({ outcome }: PressNoteProps) {
  const t = useTranslations('press')
  const locale = useLocale()
  const currency = useCurrency()
  const money = (amount: string) => formatMoney(amount, currency, locale)
  switch (outcome.kind) {
    case 'price-changed':
      return (
        <p className={NOTE_LOOKS.soon}>
          {t('priceChanged', { before: money(outcome.before), after: money(outcome.price) })}
        </p>
      )
    case 'no-numbers':
      return <p className={NOTE_LOOKS.soon}>{t('noNumbers')}</p>
    case 'no-balance':
      return (
        <p className={NOTE_LOOKS.soon}>
          {t('noBalance', { amount: money(outcome.missing) })} <TopUpLink missing={outcome.missing} />
        </p>
      )
    case 'paused':
      return (
        <p className={NOTE_LOOKS.soon}>
          {t('paused')} <Countdown at={outcome.until} className="font-semibold" />. {t('pausedAdvice')}
        </p>
      )
    case 'too-many-open':
      return <p className={NOTE_LOOKS.soon}>{t('tooManyOpen', { limit: outcome.limit })}</p>
    case 'spend-limit':
      return <p className={NOTE_LOOKS.soon}>{t('spendLimit', { limit: money(outcome.limit) })}</p>
    case 'above-max':
      return <p className={NOTE_LOOKS.soon}>{t('aboveMax', { lowest: money(outcome.lowest) })}</p>
    case 'unknown':
      return <p className={NOTE_LOOKS.error}>{t('unknown')}</p>
    case 'offline':
      return <p className={NOTE_LOOKS.soon}>{t('offline')}</p>
    case 'failed':
      return null
    default:
      return outcome satisfies never
  }
}

function TopUpLink({ missing }: { missing: string }) {
  const t = useTranslations('press')
  return (
    <Link
      to={topUpPath(missing)}
      className="inline-flex min-h-10 items-center font-semibold underline underline-offset-4"
    >
      {t('topUp')}
    </Link>
  )
}
