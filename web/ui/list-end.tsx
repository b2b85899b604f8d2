import { useEffect, useEffectEvent, useRef } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from './button.tsx'

type ListEndProps = {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
  words: { loading: string; failed: string; retry: string }
}

export function ListEnd({ query, words }: ListEndProps) {
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const waits = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const loadMore = useEffectEvent(() => inBackground(fetchNextPage()))
  useEffect(() => {
    const element = end.current
    if (element === null || !waits) return
    const observer = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? loadMore() : undefined), {
      rootMargin: '600px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [waits])
  if (!hasNextPage) return null
  return (
    <div ref={end} className="flex min-h-12 flex-wrap items-center justify-center gap-3 text-muted">
      {isFetchNextPageError ? (
        <>
          <p role="alert">{words.failed}</p>
          <Button onClick={() => inBackground(fetchNextPage())}>{words.retry}</Button>
        </>
      ) : (
        <p role="status">{isFetchingNextPage ? words.loading : null}</p>
      )}
    </div>
  )
}
