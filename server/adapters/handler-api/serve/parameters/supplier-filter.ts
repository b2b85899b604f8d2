export type SupplierFilter = (supplierId: number) => boolean

/** Makes a filter of suppliers. Returns undefined if the request names none, so that buyers can share a reply. */
export function supplierFilter(named: {
  providerIds: readonly string[]
  exceptProviderIds: readonly string[]
}): SupplierFilter | undefined {
  const [wanted, unwanted] = [new Set(named.providerIds), new Set(named.exceptProviderIds)]
  if (wanted.size === 0 && unwanted.size === 0) return undefined
  return (id) => (wanted.size === 0 || wanted.has(String(id))) && !unwanted.has(String(id))
}
