import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { CallError } from '#contract/calls/calls.ts'
import { useSession } from '#web/app-context.ts'

/** What a loader brought, and when. `reply` is null when the server could not give it just now. */
export type Seed<Reply> = { loadedAt: string; reply: Reply | null }

/** Failures that may be over in a moment: the screen is shown without this part, which asks again and says when it cannot. */
const PASSING_FAILURES = new Set(['NO_REPLY', 'SERVER_ERROR', 'TOO_MANY_REQUESTS'])

/** The seed of a query from a call of a loader. Whatever does not pass by itself is the whole page's failure. */
export async function loadSeed<Reply>(now: string, call: Promise<Reply>): Promise<Seed<Reply>> {
  try {
    return { loadedAt: now, reply: await call }
  } catch (error) {
    if (!(error instanceof CallError) || !PASSING_FAILURES.has(error.code)) throw error
    return { loadedAt: now, reply: null }
  }
}

type SeededQuery<Reply> = Pick<UseQueryOptions<Reply>, 'queryFn' | 'refetchInterval'> & {
  name: string
  seed: Seed<Reply>
}

/**
 * A query that begins with what the loader of this visit brought. Nothing is kept for the next visit, which brings its
 * own, and a loader that runs again (another person signed in) begins it anew.
 */
export function useSeededQuery<Reply>({ name, seed, ...options }: SeededQuery<Reply>) {
  const { signedIn } = useSession()
  return useQuery<Reply>({
    ...options,
    queryKey: [name, seed.loadedAt],
    enabled: signedIn,
    gcTime: 0,
    ...(seed.reply === null ? {} : { initialData: () => seed.reply ?? undefined }),
  })
}
