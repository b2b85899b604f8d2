import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useSettings, useUser } from '#web/app-context.ts'
import { NOTE_LOOKS } from '#web/buying/first/note-look.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/routes.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { CopyButton } from '#web/ui/first/copy-button.tsx'

/** Explains a button that the balance has disabled. */
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
  const { demo } = useSettings()
  const topUp = routeNamed('top-up')
  if (user === null) return null
  const balance = formatMoney(user.balance, user.currency, locale)
  if (topUp !== undefined) {
    return (
      <p className={NOTE_LOOKS.soon}>
        {t('shortTopUp', { balance })}{' '}
        <Link to={topUp.path} className="inline-flex min-h-10 items-center font-semibold underline underline-offset-4">
          {t('topUp')}
        </Link>
      </p>
    )
  }
  if (!demo) return <p className={NOTE_LOOKS.soon}>{t('short', { balance })}</p>
  const command = `npm run cli -- user:credit ${user.email} 500 --key first --reason trial`
  return (
    <div className={NOTE_LOOKS.soon}>
      <p>{t('shortDemo', { balance })}</p>
      <p className="mt-1 flex items-center gap-1">
        <code className="min-w-0 flex-1 font-mono text-[13px] break-words">{command}</code>
        <CopyButton text={command} label={t('copyCommand')} />
      </p>
    </div>
  )
}
