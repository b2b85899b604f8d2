import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Memory } from '#server/house/memory.ts'
import type { Release } from '#server/house/release.ts'
import { createBusinessMetrics } from './business-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

type Options = { ofProcess?: boolean; memory?: Memory; release?: Release }

/**
 * Creates the metrics. `ofProcess` adds Node's own, which wake the process a hundred times a second; use false if
 * nobody reads them. `memory` adds cache sizes.
 */
export function createMetrics({ ofProcess = true, memory, release }: Options = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) collectDefaultMetrics({ register: registry })
  tellRelease(registers, release)
  if (memory !== undefined) tellMemory(registers, memory)
  return {
    registry,
    ...createBusinessMetrics(registers),
    keptPages: plainCounter(registers, {
      name: 'ringpost_kept_pages_total',
      help: 'Pages of visitors answered again as they were answered before; not among ringpost_http_seconds',
    }),
    cachedReplies: plainCounter(registers, {
      name: 'ringpost_kept_replies_total',
      help: 'Calls answered again as they were answered before; not among ringpost_http_seconds',
    }),
    requests: new Histogram({
      name: 'ringpost_http_seconds',
      help: 'Time to answer a request, by route and status class',
      labelNames: ['route', 'status'] as const,
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    refusals: new Counter({
      name: 'ringpost_refusals_total',
      help: 'What people and programs were refused, by kind: credentials, rights, captchas, limits',
      labelNames: ['kind'] as const,
      registers,
    }),
    purchases: new Counter({
      name: 'ringpost_purchases_total',
      help: 'Purchases, by result',
      labelNames: ['result'] as const,
      registers,
    }),
    supplierCalls: new Counter({
      name: 'ringpost_supplier_calls_total',
      help: 'Calls to suppliers, by supplier, call and result',
      labelNames: ['supplier', 'call', 'result'] as const,
      registers,
    }),
    liveEvents: new Counter({
      name: 'ringpost_live_events_total',
      help: 'Live events published, by name',
      labelNames: ['event'] as const,
      registers,
    }),
    supplierLinks: new Gauge({
      name: 'ringpost_supplier_link_up',
      help: 'Whether messages of the supplier can reach us: 1 or 0',
      labelNames: ['supplier'] as const,
      registers,
    }),
    suppliersAside: new Gauge({
      name: 'ringpost_supplier_aside',
      help: 'Whether the supplier is suspended for its errors or its share of codes: 1 or 0',
      labelNames: ['supplier'] as const,
      registers,
    }),
    supplierBalance: new Gauge({
      name: 'ringpost_supplier_balance',
      help: 'What is left of our money at the supplier, in its currency',
      labelNames: ['supplier', 'currency'] as const,
      registers,
    }),
    unsettled: new Gauge({
      name: 'ringpost_unsettled',
      help: 'Money held for an outcome nobody knows yet: activations, rentals, preorders being bought, extensions',
      labelNames: ['kind'] as const,
      registers,
    }),
    unsettledOldest: new Gauge({
      name: 'ringpost_unsettled_oldest_seconds',
      help: 'Age of the oldest of these; 0 when there is none',
      labelNames: ['kind'] as const,
      registers,
    }),
    uploads: new Gauge({ name: 'ringpost_uploads', help: 'Files of tickets on their way in', registers }),
    ...createReplicaMetrics(registers),
    waitingCalls: new Gauge({ name: 'ringpost_waiting_calls', help: 'Calls that wait for a code', registers }),
    liveSockets: new Gauge({ name: 'ringpost_live_sockets', help: 'Open live sockets', registers }),
    ...createNodeMetrics(registers),
  }
}

function createReplicaMetrics(registers: Registry[]) {
  const labelNames = ['place'] as const
  return {
    replicaUp: new Gauge({
      name: 'ringpost_replica_up',
      help: 'Whether this node reads the stand-by of the database: 1 or 0',
      labelNames,
      registers,
    }),
    replicaLag: new Gauge({
      name: 'ringpost_replica_lag_seconds',
      help: 'Age of what the stand-by shows, at most; nothing while it does not answer',
      labelNames,
      registers,
    }),
    replicaReads: new Counter({
      name: 'ringpost_replica_reads_total',
      help: 'Lists that a stand-by may answer, by who did: stand_by, primary',
      labelNames: ['at'] as const,
      registers,
    }),
  }
}

/** Every node tells of all nodes, so that an alarm can ask any of them. */
function createNodeMetrics(registers: Registry[]) {
  const labelNames = ['node', 'host', 'version'] as const
  return {
    redisUp: new Gauge({ name: 'ringpost_redis_up', help: 'Whether Redis answers this node: 1 or 0', registers }),
    nodes: new Gauge({
      name: 'ringpost_nodes',
      help: 'Nodes of this database that have not ended, by state: serves, leaves, stand_by',
      labelNames: ['state'] as const,
      registers,
    }),
    nodeLate: new Gauge({
      name: 'ringpost_node_late_seconds',
      help: 'Time since a renewal of the node was due; 0 while it is in time',
      labelNames,
      registers,
    }),
    nodeAhead: new Gauge({
      name: 'ringpost_node_ahead_seconds',
      help: "Lead of the node's clock over PostgreSQL's; the clocks of nodes must agree to a second",
      labelNames,
      registers,
    }),
    nodeLeases: new Gauge({ name: 'ringpost_node_leases', help: 'Leases that the node holds', labelNames, registers }),
    nodeSockets: new Gauge({ name: 'ringpost_node_sockets', help: 'Live sockets of the node', labelNames, registers }),
  }
}

function tellRelease(registers: Registry[], release: Release | undefined): void {
  const info = new Gauge({
    name: 'ringpost_build_info',
    help: 'Always 1; the labels name the version and the commit that run, and an unknown commit is empty',
    labelNames: ['version', 'commit'] as const,
    registers,
  })
  if (release !== undefined) info.set({ version: release.version, commit: release.commit ?? '' }, 1)
}

function tellMemory(registers: Registry[], memory: Memory): void {
  new Gauge({
    name: 'ringpost_memory_entries',
    help: 'What is kept in memory, in entries, by name; 1 for what has no size',
    labelNames: ['memory'] as const,
    registers,
    collect() {
      this.reset()
      for (const [{ name }, size] of memory.sizes()) this.inc({ memory: name }, size)
    },
  })
}

/** Creates a counter that is a plain number until Prometheus reads it, because `inc()` would slow cached replies. */
function plainCounter(registers: Registry[], { name, help }: { name: string; help: string }): { count: number } {
  const counted = { count: 0 }
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset()
      this.inc(counted.count)
    },
  })
  return counted
}
