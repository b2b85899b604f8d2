import { useTranslations } from 'use-intl'

const STEPS = ['bought', 'waiting', 'code'] as const

export type StepName = (typeof STEPS)[number]

/** Lists the three steps from a number to its code. `reached` is the step that runs. */
export function Steps({ reached }: { reached: StepName }) {
  const t = useTranslations('home.ticket.step')
  const at = STEPS.indexOf(reached)
  return (
    <ol className="grid grid-cols-3 gap-2 text-[13px]">
      {STEPS.map((name, place) => (
        <li key={name} data-reached={place <= at || undefined} className="played-step">
          <span className="tabular mr-1.5">{place + 1}</span>
          {t(name)}
        </li>
      ))}
    </ol>
  )
}
