import { useTranslations } from 'use-intl'
import type { Telegram } from '#contract/telegram/chat.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { useShowTelegram } from '#web/notifications/use-telegram.ts'
import { SwitchRow } from '#web/screens/settings/other/switch-row.tsx'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'

type Chat = NonNullable<Telegram['chat']>

export function ConnectedChat({ chat, bot }: { chat: Chat; bot: string }) {
  const t = useTranslations('telegram')
  const api = useApi()
  const confirm = useConfirm()
  const show = useShowTelegram()
  const { pending, once } = useSingleFlight()
  async function chooseCodes(codes: boolean): Promise<void> {
    show(await api('PATCH /api/v1/telegram', { codes }))
  }
  async function disconnect(): Promise<void> {
    if (!(await confirm({ text: t('confirm'), action: t('disconnect'), force: true }))) return
    show(await api('DELETE /api/v1/telegram', {}))
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="min-w-0 truncate font-medium">{t('connected', { name: chat.name })}</p>
        <Button aria-disabled={pending} onClick={() => once(disconnect)}>
          {t('disconnect')}
        </Button>
      </div>
      {chat.blocked ? (
        <p className="text-muted">
          {t.rich('blocked', {
            bot: () => (
              <a
                href={`https://t.me/${bot}`}
                target="_blank"
                rel="noreferrer"
                className="text-signal underline underline-offset-4"
              >
                @{bot}
              </a>
            ),
          })}
        </p>
      ) : null}
      <SwitchRow
        label={t('codes')}
        text={t('codesText')}
        checked={chat.codes}
        onChange={(codes) => once(() => chooseCodes(codes))}
      />
    </div>
  )
}
