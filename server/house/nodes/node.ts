import { perContext } from '#server/house/memory.ts'

/** The id of a process that is no node, such as a command or a test. Any node may take over what such a process left. */
export const NO_NODE = 0n

/** This process as a node. `takeServing` sets the id. */
export const nodeOf = perContext('node', { scope: 'process', lost: 'nothing: each start is a new node' }, () => ({
  id: NO_NODE,
}))
