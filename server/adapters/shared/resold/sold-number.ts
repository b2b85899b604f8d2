/** A number that a supplier sold. `costMicros` is null if unknown. `lifetimeMs` is from purchase to end, if known. */
export type SoldNumber = {
  activationId: string
  phone: string
  costMicros: bigint | null
  lifetimeMs: number | null
}

/** `id` is null if the supplier gives messages no ids. `code` is the one that the supplier names (`readToldCode`). */
export type ReadMessage = { id: string | null; sender: string; text: string; code: string | null }
