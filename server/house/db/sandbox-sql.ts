/** SQL: the order with this `supplier_id` was made for real. One look-up a statement. */
export function isReal(supplierId = 'supplier_id'): string {
  return `${supplierId} IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)`
}

/** SQL: of a job for that order. Those of real orders run first. */
export function priorityOf(order: string): string {
  return `CASE WHEN ${isReal(`${order}.supplier_id`)} THEN 0 ELSE 10 END`
}

/** SQL: the order is of the world that `$play` names. */
export const OF_WORLD = `(${isReal()}) <> $play::boolean`
