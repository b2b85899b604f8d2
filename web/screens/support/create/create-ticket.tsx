import { useTranslations } from 'use-intl'
import type { SubjectsReply } from '#contract/support/support.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { aboutIn } from '#web/support/about-in.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { TicketForm } from './ticket-form.tsx'

export type Choices = { choices: SubjectsReply['data']; isWanted: boolean }

/** Loads the purchases that a ticket may be about. The 404 page is shown for a purchase of another member. */
export async function loadChoices({ api, url }: LoaderInput): Promise<Choices> {
  const wanted = aboutIn(url.searchParams)
  const { data } = await api('GET /api/v1/support/subjects', wanted ?? {})
  return { choices: data, isWanted: wanted !== null }
}

/** Renders the form at /support/create, which accepts `?activation=ID`, `?rental=ID` or `?payment=ID`. */
export function CreateTicket({ choices, isWanted }: Choices) {
  const t = useTranslations('support')
  const wanted = isWanted ? choices[0] : undefined
  return (
    <div className="mx-auto max-w-2xl">
      <PageHead title={t('createTitle')} indexable={false} />
      <Link to="/support" className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
        {t('toList')}
      </Link>
      <h1 className="text-2xl font-semibold tracking-tight">{t('createTitle')}</h1>
      <p className="mt-1 text-muted">{t('createText')}</p>
      {wanted?.kind === 'activation' ? (
        <Link
          to={`/faq/codes/no-code-came?activation=${wanted.id}`}
          className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}
        >
          {t('noCode')}
        </Link>
      ) : null}
      <TicketForm key={wanted === undefined ? '' : `${wanted.kind} ${wanted.id}`} choices={choices} wanted={wanted} />
    </div>
  )
}
