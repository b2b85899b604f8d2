import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { DELETION_DAYS } from '#contract/account-constants.ts'
import { formatMoney } from '#contract/money.ts'
import type { Privacy } from '#contract/privacy.ts'
import { useDeletion } from '#web/account/use-deletion.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Button } from '#web/ui/button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { GiveUpDialog } from './give-up-dialog.tsx'
import { RefundHint } from './refund-hint.tsx'

export function DeleteAccount({ privacy }: { privacy: Privacy }) {
  const t = useTranslations('privacy.deletion')
  const [asking, setAsking] = useState<'delete' | 'give-up' | null>(null)
  const { pending, begin } = useDeletion()
  const { deletion } = privacy
  const isGuest = useUser()?.guest === true
  return (
    <SettingsGroup title={t('title')}>
      {deletion !== null && isGuest ? (
        <Guest until={deletion.due_at} />
      ) : deletion === null ? (
        <>
          <p className="mb-4">{t('goes', { days: DELETION_DAYS })}</p>
          <Button aria-disabled={pending} onClick={() => setAsking('delete')}>
            {t('begin')}
          </Button>
        </>
      ) : (
        <Waiting privacy={privacy} deletion={deletion} onGiveUp={() => setAsking('give-up')} />
      )}
      {asking === 'delete' ? (
        <DeleteDialog
          privacy={privacy}
          onClose={() => setAsking(null)}
          onConfirmed={(givesUp) => {
            // The dialog closes before the deletion begins, because the identity dialog must be the only open dialog.
            setAsking(givesUp ? 'give-up' : null)
            if (!givesUp) begin(null)
          }}
        />
      ) : null}
      {asking === 'give-up' ? (
        <GiveUpDialog
          privacy={privacy}
          onClose={() => setAsking(null)}
          onConfirmed={(giveUp) => {
            setAsking(null)
            begin(giveUp)
          }}
        />
      ) : null}
    </SettingsGroup>
  )
}

/** Shows when a guest's account ends. Registering is the only way to keep it. */
function Guest({ until }: { until: string }) {
  const t = useTranslations('privacy.notice')
  const { dialogs } = useAppContext()
  return (
    <>
      <p className="mb-4">
        {t('guestEnds')} <LocalMoment at={until} />
      </p>
      <Button kind="primary" onClick={() => dialogs.open('registration', {})}>
        {t('guestKeep')}
      </Button>
    </>
  )
}

type WaitingProps = { privacy: Privacy; deletion: NonNullable<Privacy['deletion']>; onGiveUp: () => void }

function Waiting({ privacy, deletion, onGiveUp }: WaitingProps) {
  const t = useTranslations('privacy.deletion')
  const locale = useLocale()
  const { pending, keep } = useDeletion()
  const amount = formatMoney(privacy.balance, privacy.currency, locale)
  const waitsForBalance = deletion.waits_for.includes('balance')
  return (
    <div>
      <p role="status" className="font-semibold">
        {t('begun')}
      </p>
      <p className="mt-1 text-muted">
        {t('due')} <LocalMoment at={deletion.due_at} /> · {t('left', { days: deletion.days_left })}
      </p>
      {Number(deletion.gives_up) === 0 ? null : (
        <p className="text-muted">
          {t('givenUp', { amount: formatMoney(deletion.gives_up, privacy.currency, locale) })}
        </p>
      )}
      {deletion.waits_for.length === 0 ? null : (
        <div className="mt-4">
          <p>{t('open')}</p>
          <ul className="mt-1 list-disc pl-5">
            {deletion.waits_for.map((name) => (
              <li key={name}>{t(`waitsFor.${name}`, { amount })}</li>
            ))}
          </ul>
          {waitsForBalance ? <RefundHint className="mt-2" /> : null}
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button kind="primary" aria-disabled={pending} onClick={keep}>
          {t('keep')}
        </Button>
        {waitsForBalance ? (
          <Button aria-disabled={pending} onClick={onGiveUp}>
            {t('giveUpNow', { amount })}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
