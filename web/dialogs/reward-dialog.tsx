import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Telegram } from '#contract/telegram/chat.ts'
import { useApi, useAppContext, useSettings } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { useShowTelegram, useTelegram } from '#web/notifications/use-telegram.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

type Reward = NonNullable<Telegram['reward']>

export function RewardDialog() {
  const t = useTranslations('reward')
  const { dialogs } = useAppContext()
  const isOffered = Number(useSettings().telegramSubscribeReward) > 0
  const close = () => dialogs.close('reward')
  return (
    <Dialog title={t(isOffered ? 'title' : 'linkedTitle')} onClose={close}>
      {isOffered ? <Offer onLeave={close} /> : <Ending words={t('noReward')} onLeave={close} />}
    </Dialog>
  )
}

function Offer({ onLeave }: { onLeave: () => void }) {
  const t = useTranslations('reward')
  const telegram = useTelegram()
  if (telegram === undefined) return <Skeleton className="h-24" />
  if (telegram.reward === null) return <Ending words={t('noReward')} onLeave={onLeave} />
  return <Steps reward={telegram.reward} onLeave={onLeave} />
}

function Ending({ words, onLeave }: { words: string; onLeave: () => void }) {
  const t = useTranslations('reward')
  const button = useRef<HTMLButtonElement>(null)
  // The pressed button is gone, so this button takes the focus.
  useEffect(() => button.current?.focus(), [])
  return (
    <div role="status">
      <p className="mb-6">{words}</p>
      <Button ref={button} kind="primary" className="w-full" onClick={onLeave}>
        {t('close')}
      </Button>
    </div>
  )
}

function Steps({ reward, onLeave }: { reward: Reward; onLeave: () => void }) {
  const t = useTranslations('reward')
  const locale = useLocale()
  const { currency } = useSettings()
  const amount = formatMoney(reward.amount, currency, locale)
  switch (reward.state) {
    case 'given':
      return <Ending words={t('given', { amount })} onLeave={onLeave} />
    case 'not-linked':
      return (
        <>
          <p className="mb-6">{t('notLinked', { amount })}</p>
          <Link to="/settings/notifications" onClick={onLeave} className={`${buttonLook('primary')} w-full`}>
            {t('connect')}
          </Link>
        </>
      )
    case 'too-young':
      return <p>{t.rich('tooYoung', { amount, from: () => <LocalMoment at={reward.from ?? ''} /> })}</p>
    case 'needs-top-up':
      return (
        <>
          <p className="mb-6">{t('needsTopUp', { amount })}</p>
          <Link to="/top-up" onClick={onLeave} className={`${buttonLook('primary')} w-full`}>
            {t('topUp')}
          </Link>
        </>
      )
    case 'join':
      return <Join reward={reward} amount={amount} />
    default:
      return reward.state satisfies never
  }
}

function Join({ reward, amount }: { reward: Reward; amount: string }) {
  const t = useTranslations('reward')
  const api = useApi()
  const { queryClient } = useAppContext()
  const show = useShowTelegram()
  const { pending, once } = useSingleFlight()
  const [hasOpened, setOpened] = useState(false)
  async function claim(): Promise<void> {
    show(await api('POST /api/v1/telegram/reward', {}))
    await refetch(queryClient, { queryKey: ['user'] })
  }
  return (
    <div className="grid gap-3">
      <p className="mb-3">{t('join', { amount, channel: `@${reward.channel}` })}</p>
      <a
        href={reward.url}
        target="_blank"
        rel="noreferrer"
        onClick={() => setOpened(true)}
        className={buttonLook(hasOpened ? 'plain' : 'primary')}
      >
        {t('openChannel')}
      </a>
      <Button kind={hasOpened ? 'primary' : 'plain'} aria-disabled={pending} onClick={() => once(claim)}>
        {t('joined')}
      </Button>
    </div>
  )
}
