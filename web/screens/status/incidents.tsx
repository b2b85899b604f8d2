import { useTranslations } from 'use-intl'
import type { StatusReply } from '#contract/status/status.ts'
import { StatusMoment } from './status-moment.tsx'

type Incident = StatusReply['incidents'][number]

/** An incident under way is a ticket, one that is over a line with its notes. */
export function Incidents({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <ul className="mt-4 grid gap-3">
      {incidents.map((incident) => (
        <OneIncident key={incident.id} incident={incident} />
      ))}
    </ul>
  )
}

function OneIncident({ incident }: { incident: Incident }) {
  const t = useTranslations('status')
  const { id, components, closed_at: closedAt, notes } = incident
  const [first, ...later] = notes
  const isOver = closedAt !== null
  return (
    <li
      id={`incident-${id}`}
      className={`rounded border border-hairline p-4 sm:px-5 ${isOver ? '' : 'status-open bg-soon-wash'}`}
    >
      <p className="flex flex-wrap items-baseline gap-x-3 text-[13px] text-muted">
        <span className={isOver ? '' : 'font-semibold text-soon'}>{isOver ? t('over') : t('underWay')}</span>
        <span>{components.map((component) => t(`component.${component}`)).join(', ')}</span>
      </p>
      <h3 className="mt-1 font-semibold [overflow-wrap:anywhere]">{first?.text}</h3>
      {first === undefined ? null : (
        <p className="text-[13px] text-muted">
          <StatusMoment at={first.at} />
        </p>
      )}
      {later.length === 0 ? null : (
        <ol className="mt-3 border-t border-dashed border-edge pt-2">
          {later.map(({ at, text }) => (
            <li key={at} className="flex flex-wrap gap-x-4 py-1">
              <span className="w-28 shrink-0 text-[13px] leading-6 text-muted">
                <StatusMoment at={at} />
              </span>
              <span className="min-w-48 flex-1 [overflow-wrap:anywhere]">{text}</span>
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}
