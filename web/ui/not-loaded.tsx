import { inBackground } from '#web/house/in-background.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Skeleton } from './skeleton.tsx'

type NotLoadedProps = {
  query: { isError: boolean; refetch: () => Promise<unknown> }
  skeletons: readonly string[]
  words: { title: string; text: string; retry: string }
}

export function NotLoaded({ query, skeletons, words }: NotLoadedProps) {
  if (query.isError) {
    return (
      <EmptyState kind="error" title={words.title} text={words.text}>
        <Button onClick={() => inBackground(query.refetch())}>{words.retry}</Button>
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
