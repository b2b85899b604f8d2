import { Mail, Send } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { FactsReply } from '#contract/status/facts.ts'
import { useSettings } from '#web/house/app-context.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { Link } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'

/** Shows the ways to pay that are open now. */
export function WaysToPay({ systems }: { systems: FactsReply['payments'] }) {
  const t = useTranslations('home')
  if (systems.length === 0) return null
  return (
    <section>
      <h2 className="text-lg font-semibold tracking-tight">{t('payTitle')}</h2>
      <ul className="mt-3 grid grid-cols-2 gap-x-5 gap-y-3">
        {systems.map(({ key, name, mark }) => (
          <li key={key} className="flex items-center gap-2.5">
            <SystemMark mark={mark} />
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}

const PAGES = ['contacts', 'status', 'terms-of-use'] as const
const LINK = 'inline-flex min-h-10 items-center gap-2 underline-offset-4 hover:underline'

/** Says who answers, by the settings of the site and the measured time of first answers. */
export function WhoAnswers({ support }: { support: FactsReply['support'] }) {
  const t = useTranslations('home.who')
  const tFooter = useTranslations('footer')
  const { closedPages, demo } = useSettings()
  const { email, telegram, median_answer_seconds: seconds } = support
  return (
    <section>
      <h2 className="text-lg font-semibold tracking-tight">{t('title')}</h2>
      {seconds === null ? null : (
        <p className="mt-1">
          {answerWords(seconds, t)} {demo ? <span className="text-muted">{t('simulated')}</span> : null}
        </p>
      )}
      <ul className="mt-1 flex flex-wrap gap-x-6">
        {email === null ? null : (
          <li>
            <a href={`mailto:${email}`} className={`${LINK} font-medium`}>
              <Mail size={16} aria-hidden /> {email}
            </a>
          </li>
        )}
        {telegram === null ? null : (
          <li>
            <a href={`https://t.me/${telegram}`} rel="noopener" className={`${LINK} font-medium`}>
              <Send size={16} aria-hidden /> @{telegram}
            </a>
          </li>
        )}
        {PAGES.map((name) => {
          const path = openRouteNamed(name, closedPages)?.path
          return path === undefined ? null : (
            <li key={name}>
              <Link to={path} className={`${LINK} text-muted hover:text-ink`}>
                {tFooter(`link.${name}`)}
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const HOUR_SECONDS = 3_600
/** From here on hours say it better than minutes. */
const MANY_MINUTES_SECONDS = 90 * 60

function answerWords(seconds: number, t: ReturnType<typeof useTranslations<'home.who'>>): string {
  if (seconds < MANY_MINUTES_SECONDS) return t('minutes', { count: Math.max(1, Math.round(seconds / 60)) })
  return t('hours', { count: Math.round(seconds / HOUR_SECONDS) })
}
