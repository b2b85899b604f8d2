import { useTranslations } from 'use-intl'
import type { PaymentRecord } from '#contract/payment.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'

/** Shows where to send a transfer, and which amount (specification 3); nothing for other payments. */
export function CodeForm({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('topUp')
  const { address, amount, asset, network, qrCode, wallet_url: walletUrl, confirmations } = payment
  if (address === null || asset === null || network === null) return null
  return (
    <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-[auto_minmax(0,1fr)]">
      {qrCode === null ? null : (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
          alt={t('qrCode')}
          width={184}
          height={184}
          className="mx-auto rounded border border-hairline sm:row-span-2"
        />
      )}
      <div className="min-w-0">
        <p className="rounded-sm bg-signal-wash px-3 py-2 text-signal">
          <strong className="font-semibold">{t('onlyAsset', { asset, network })}</strong> {t('onlyText')}
        </p>
        <dl className="mt-2 divide-y divide-hairline">
          <Line label={t('transferAmount')} value={`${amount} ${asset}`} copied={amount} isLarge />
          <Line label={t('address')} value={address} copied={address} />
        </dl>
        {walletUrl === null ? null : (
          <a href={walletUrl} className={`${buttonLook()} mt-2 min-h-11`}>
            {t('openWallet')}
          </a>
        )}
      </div>
      <Confirmations confirmations={confirmations} />
    </div>
  )
}

type LineProps = { label: string; value: string; copied: string; isLarge?: boolean }

function Line({ label, value, copied, isLarge = false }: LineProps) {
  const t = useTranslations('topUp')
  return (
    <div className="py-1.5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex items-center justify-between gap-2">
        <span className={`min-w-0 font-mono break-all ${isLarge ? 'text-xl font-semibold' : ''}`}>{value}</span>
        <CopyButton text={copied} label={t('copy', { what: label })} />
      </dd>
    </div>
  )
}

/** A dot stands for several confirmations if more than this number are needed, so that the row fits a phone. */
const MOST_DOTS = 20

/** Shows the confirmations as dots that fill. The place is kept before the first one, so that nothing moves. */
function Confirmations({ confirmations }: Pick<PaymentRecord, 'confirmations'>) {
  const t = useTranslations('topUp')
  if (confirmations === null) {
    return <p className="min-h-16 min-w-0 text-muted sm:col-start-2">{t('confirmationsCome')}</p>
  }
  const { needed } = confirmations
  const seen = Math.min(confirmations.seen, needed)
  const dots = Math.min(needed, MOST_DOTS)
  const filled = Math.floor((seen * dots) / needed)
  return (
    <div className="min-h-16 min-w-0 sm:col-start-2" data-confirmations={seen}>
      <p role="status" className="tabular">
        <span className="font-medium">{t('confirmations', { seen, needed })}</span>{' '}
        <span className="text-muted">{t('confirmationsLeft', { count: needed - seen })}</span>
      </p>
      <div aria-hidden className="mt-2 flex gap-1">
        {Array.from({ length: dots }, (_, place) => place + 1).map((dot) => (
          <span
            key={dot}
            data-filled={dot <= filled || undefined}
            className="size-2.5 rounded-full border border-edge data-filled:border-received data-filled:bg-received"
          />
        ))}
      </div>
    </div>
  )
}
