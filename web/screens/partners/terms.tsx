import { useLocale, useTranslations } from 'use-intl'
import type { ProgrammesReply } from '#contract/content.ts'
import { percentWords } from '#web/text/percent-words.ts'

export function Terms({ referral }: Pick<ProgrammesReply, 'referral'>) {
  const t = useTranslations('programmes')
  const locale = useLocale()
  return (
    <>
      <h2 className="text-lg font-semibold tracking-tight">{t('referralTitle')}</h2>
      {referral === null ? (
        <p className="mt-1">{t('referralNone')}</p>
      ) : (
        <>
          <p className="mt-1">
            {t(referral.of === 'spend' ? 'referralOfSpend' : 'referralOfTopUp', {
              percent: percentWords(String(referral.percent), locale),
              months: referral.months,
            })}
          </p>
          <p className="mt-1 text-muted">{t('referralPending', { days: referral.pending_days })}</p>
          <p className="mt-1 text-muted">{t('referralLink', { days: referral.days })}</p>
        </>
      )}
    </>
  )
}
