import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { CallError } from '#contract/calls/calls.ts'
import { useSession } from '#web/house/app-context.ts'

/** `loadedAt` is ISO 8601. `reply` is null if the call failed with a temporary error. */
export type Seed<Reply> = { loadedAt: string; reply: Reply | null }

/** After these temporary errors the screen renders without this part, whose query retries and shows its own failure. */
const PASSING_FAILURES = new Set(['NO_REPLY', 'SERVER_ERROR', 'TOO_MANY_REQUESTS'])

/**
 * Loads the first data of a part of a page. After a temporary error `reply` is null. Any other error rejects, so the
 * whole page fails.
 */
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
 * Runs a query that begins with the loader's reply. Each new reply begins a new query, because `loadedAt` is in the
 * key.
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
