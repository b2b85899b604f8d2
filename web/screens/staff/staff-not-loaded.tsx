import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { inBackground } from '#web/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type StaffNotLoadedProps = {
  query: { isError: boolean; refetch: () => Promise<unknown> }
  /** Tailwind classes with the final heights. */
  skeletons: readonly string[]
}

export function StaffNotLoaded({ query, skeletons }: StaffNotLoadedProps) {
  const t = useTranslations('staff')
  if (query.isError) {
    return (
      <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
        <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-3">
      {skeletons.map((look) => (
        <Skeleton key={look} className={look} />
      ))}
    </div>
  )
}

/** Who lost the role, or the second factor, sees what everybody sees: throws the refusal. */
export function requireStillThere({ error }: { error: unknown }): void {
  if (error instanceof CallError && error.httpStatus === 404) throw error
}
