/** `costMicros` null: the reply does not tell. `lifetimeMs`: from the purchase to the supplier's end, where told. */
export type SoldNumber = {
  activationId: string
  phone: string
  costMicros: bigint | null
  lifetimeMs: number | null
}

/** `id` null: the other does not number its messages. `code`: what the other says the code is (`readToldCode`). */
export type ReadMessage = { id: string | null; sender: string; text: string; code: string | null }
