import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { NOTE_LOOKS } from '#web/buying/initial/note-look.ts'
import { useUser } from '#web/house/app-context.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'

export function ShortNote() {
  return (
    <WithAllTexts>
      <ShortWords />
    </WithAllTexts>
  )
}

function ShortWords() {
  const t = useTranslations('press')
  const locale = useLocale()
  const user = useUser()
  if (user === null) return null
  const balance = formatMoney(user.balance, user.currency, locale)
  return <p className={`buy-short ${NOTE_LOOKS.soon}`}>{t('shortTopUp', { balance })}</p>
}
