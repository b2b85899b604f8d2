/** A replacement of some text of a file, which the file must have once. */
export type Patch = { file: string; from: string; to: string }

/** A mistake that several nodes could have. A test, or a complaint in a round of the cluster, must find it. */
export type PlantedFault = {
  name: string
  patches: readonly Patch[]
  foundBy: { file: string; test: string } | { round: string; complaint: string }
}

const STORE_PLAINLY = 'const plain = await storePlainly(ctx.db, {'
const TELL = `tellUser(ctx, row.user_id, { kind: 'message', id: message.id.toString() })`

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a lease without an epoch: a node settles an order that another node has taken over',
    patches: [
      {
        file: 'server/core/numbers/activations/queries/purchase.ts',
        from: 'AND attempt = $attempt AND node_id = $nodeId AND state',
        to: 'AND attempt = $attempt AND $nodeId::bigint IS NOT NULL AND state',
      },
    ],
    foundBy: {
      file: 'server/core/numbers/activations/taken-over.test.ts',
      test: 'a node that was paused settles nothing of what another node has taken over',
    },
  },
  {
    name: 'a lease without an end: a node that was declared dead renews itself',
    patches: [
      {
        file: 'server/house/nodes/queries.ts',
        from: 'WHERE id = $id AND ended_at IS NULL RETURNING',
        to: 'WHERE id = $id RETURNING',
      },
    ],
    foundBy: { round: 'a node is frozen for longer than its lease', complaint: 'does not end' },
  },
  {
    name: 'news told before the commit: another node looks for a message that is not there yet',
    patches: [
      {
        file: 'server/core/numbers/delivery/receive-sms.ts',
        from: STORE_PLAINLY,
        to: `const plain = await transaction(ctx.db, async (tx) => { const kept = await storePlainly(tx, {`,
      },
      {
        file: 'server/core/numbers/delivery/receive-sms.ts',
        from: `    nobody,\n  })\n`,
        to: `    nobody,\n  })
  if (kept?.activation != null) {
    tellUser(ctx, kept.activation.user_id, { kind: 'message', id: kept.messageId.toString() })
  }
  return kept })\n`,
      },
      {
        file: 'server/core/numbers/delivery/receive-sms.ts',
        from: `import { isUniqueViolation }`,
        to: `import { tellUser } from '#server/house/news/tell.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { isUniqueViolation }`,
      },
      { file: 'server/core/numbers/activations/announce.ts', from: TELL, to: '' },
    ],
    foundBy: { round: 'a node is renewed', complaint: 'by page never came' },
  },
  {
    name: 'a limit for each node: three nodes allow three times as much',
    patches: [
      {
        file: 'server/house/limits/rate-limit.ts',
        from: 'if (redis === null) return takenFrom(',
        to: 'if (redis !== undefined) return takenFrom(',
      },
    ],
    foundBy: {
      file: 'server/house/limits/limits-of-nodes.test.ts',
      test: 'a limit of ten is ten over three nodes, also at once and by a clock an hour ahead',
    },
  },
  {
    name: 'a read from a stale stand-by: a reader who wrote something reads where it is not yet',
    patches: [
      {
        file: 'server/house/replica/fresh.ts',
        from: '  if (cookieOf(request, FRESH_COOKIE) !== undefined) return caller\n',
        to: '',
      },
    ],
    foundBy: {
      file: 'server/house/replica/read-behind.test.ts',
      test: 'a stand-by answers lists, but never who wrote or was told of news, and not once it is too far behind',
    },
  },
  {
    name: 'a sweep on two nodes: each does the work of a lease that one holds',
    patches: [
      {
        file: 'server/house/nodes/work.ts',
        from: 'if (lease === undefined || holdsLease(ctx, lease)) await work()',
        to: 'await work()',
      },
    ],
    foundBy: {
      file: 'server/programs/boot/news/work-of-others.test.ts',
      test: 'a sweep is done by the node that holds its lease, and by no other',
    },
  },
]
