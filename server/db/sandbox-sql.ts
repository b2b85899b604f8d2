/** SQL: the order with this `supplier_id` was made for real. One look-up a statement. */
export function isReal(supplierId = 'supplier_id'): string {
  return `${supplierId} IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)`
}
