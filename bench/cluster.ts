/** Measures what work costs on one, two and four nodes, and how fast a code reaches a page of another node. */
import { CLIENTS, measureCosts } from './parts/cluster/costs.ts'
import { measureLive } from './parts/cluster/live.ts'
import { openCluster } from './parts/cluster/nodes.ts'
import { runBenchmark } from './parts/run-benchmark.ts'

const LIMIT_SECONDS = 2_400

await runBenchmark(
  async (stack) => {
    const cluster = await openCluster(stack, CLIENTS)
    await measureLive(cluster)
    await measureCosts(cluster)
  },
  { limitSeconds: LIMIT_SECONDS },
)
