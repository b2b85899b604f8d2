import { useTranslations } from 'use-intl'
import { QUEUE_STATES } from '#contract/staff/staff-constants.ts'
import { SUPPORT_CATEGORIES } from '#contract/support/support-constants.ts'
import { Link } from '#web/navigation/link.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { SelectFilter } from '#web/past/select-filter.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { type QueueChoice, writeQueue } from './queue-filter.ts'

export function QueueToolbar({ choice }: { choice: QueueChoice }) {
  const t = useTranslations('staff')
  const tSupport = useTranslations('support')
  const [, setParams] = useSearchParams()
  const choose = (next: QueueChoice) => {
    setParams(() => new URLSearchParams(writeQueue(next)), { replace: true, preventScrollReset: true })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <nav aria-label={t('queue.states.label')} className={`flex max-sm:w-full ${SEGMENTS}`}>
        {QUEUE_STATES.toSorted((one, other) => Number(one === 'all') - Number(other === 'all')).map((state) => (
          <Link
            key={state}
            to={{ search: writeQueue({ ...choice, state }) }}
            aria-current={choice.state === state ? 'page' : undefined}
            preventScrollReset
            className={`${segmentLook(choice.state === state)} max-sm:px-2`}
          >
            {t(`queue.states.${state}`)}
          </Link>
        ))}
      </nav>
      <SearchField
        label={t('queue.search')}
        search={choice.search}
        onSearch={(search) => choose({ ...choice, search, state: search === '' ? choice.state : 'all' })}
        className="max-sm:basis-full sm:max-w-72 sm:min-w-60"
      />
      <SelectFilter
        label={t('queue.category')}
        all={t('queue.anyCategory')}
        value={choice.category}
        options={SUPPORT_CATEGORIES.map((value) => ({ value, text: tSupport(`category.${value}`) }))}
        onChoose={(category) => choose({ ...choice, category })}
      />
      <button
        type="button"
        aria-pressed={choice.mine}
        className={`${segmentLook(choice.mine)} flex-none border border-edge`}
        onClick={() => choose({ ...choice, mine: !choice.mine })}
      >
        {t('queue.mine')}
      </button>
    </div>
  )
}
