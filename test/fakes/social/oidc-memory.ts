import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Returns a store for one provider's data. The library's own store is shared by the whole process. */
export function oidcMemory(): (kind: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (kind) => {
    const find = async (matches: (payload: AdapterPayload) => boolean) => {
      for (const [key, payload] of kept) if (key.startsWith(`${kind} `) && matches(payload)) return payload
      return undefined
    }
    return {
      upsert: async (id, payload) => {
        kept.set(`${kind} ${id}`, payload)
      },
      find: async (id) => kept.get(`${kind} ${id}`),
      findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
      findByUid: (uid) => find((payload) => payload.uid === uid),
      async consume(id) {
        const payload = kept.get(`${kind} ${id}`)
        if (payload !== undefined) payload.consumed = true
      },
      destroy: async (id) => {
        kept.delete(`${kind} ${id}`)
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
