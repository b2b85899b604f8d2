export async function perSecond<Client>(
  clients: readonly Client[],
  forMs: number,
  work: (client: Client) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  const until = startedAt + forMs
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        await work(client)
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - startedAt)
}

export async function eachOf(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const index = next
        next += 1
        await work(index)
      }
    }),
  )
}
