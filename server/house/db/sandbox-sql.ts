/** Returns SQL that is true if an order's supplier is not the sandbox's, which is looked up once per statement. */
export function isReal(supplierId = 'supplier_id'): string {
  return `${supplierId} IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)`
}

/** Returns SQL for the priority of an order's job. Jobs for real orders run before those for the sandbox. */
export function priorityOf(order: string): string {
  return `CASE WHEN ${isReal(`${order}.supplier_id`)} THEN 0 ELSE 10 END`
}

export const OF_WORLD = `(${isReal()}) <> $play::boolean`
