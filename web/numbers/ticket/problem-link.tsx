import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'

type ProblemLinkProps = { kind: 'activation' | 'rental' | 'payment'; id: number | string; className: string }

export function ProblemLink({ kind, id, className }: ProblemLinkProps) {
  const t = useTranslations('ticket')
  return (
    <Link
      to={`/support/create?${kind}=${id}`}
      aria-label={t(`problemWith.${kind}`)}
      className={`inline-flex min-h-10 items-center text-[13px] text-muted underline underline-offset-2 ${className}`}
    >
      {t('problem')}
    </Link>
  )
}
