export type SupplierFilter = (supplierId: number) => boolean

/** Undefined where none is named: what is the same for all buyers is then made once. */
export function supplierFilter(named: {
  providerIds: readonly string[]
  exceptProviderIds: readonly string[]
}): SupplierFilter | undefined {
  const [wanted, unwanted] = [new Set(named.providerIds), new Set(named.exceptProviderIds)]
  if (wanted.size === 0 && unwanted.size === 0) return undefined
  return (id) => (wanted.size === 0 || wanted.has(String(id))) && !unwanted.has(String(id))
}
