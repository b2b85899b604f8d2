import { useTranslations } from 'use-intl'
import { inBackground } from '#web/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type NotLoadedProps = {
  query: { isError: boolean; refetch: () => Promise<unknown> }
  /** Tailwind classes with the final heights. */
  skeletons: readonly string[]
}

export function NotLoaded({ query, skeletons }: NotLoadedProps) {
  const t = useTranslations('settings')
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
