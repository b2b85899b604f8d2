import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useUser } from '#web/app-context.ts'
import { NOTE_LOOKS } from '#web/buying/first/note-look.ts'
import { Link } from '#web/navigation/link.tsx'
import { topUpPath } from '#web/navigation/top-up-path.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'

/** `missing`: decimal string. */
type ShortNoteProps = { missing: string }

/** Explains a button that the balance has disabled. */
export function ShortNote(props: ShortNoteProps) {
  return (
    <WithAllTexts>
      <ShortWords {...props} />
    </WithAllTexts>
  )
}

function ShortWords({ missing }: ShortNoteProps) {
  const t = useTranslations('press')
  const locale = useLocale()
  const user = useUser()
  if (user === null) return null
  const balance = formatMoney(user.balance, user.currency, locale)
  return (
    <p className={NOTE_LOOKS.soon}>
      {t('shortTopUp', { balance })}{' '}
      <Link
        to={topUpPath(missing)}
        className="inline-flex min-h-10 items-center font-semibold underline underline-offset-4"
      >
        {t('topUp')}
      </Link>
    </p>
  )
}
