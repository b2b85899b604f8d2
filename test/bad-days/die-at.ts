import type { TestApp } from '#test/harness/harness.ts'

/** Makes the process die at the named SQL statement: before it is sent, or after its commit. */
export function dieAt(t: TestApp, name: string, when: 'before' | 'after'): Disposable {
  const { db } = t.ctx
  const query = db.query.bind(db)
  db.query = async (statement) => {
    if (statement.name !== name) return query(statement)
    if (when === 'after') await query(statement)
    throw new Error('the process is gone')
  }
  return {
    [Symbol.dispose]: () => {
      db.query = query
    },
  }
}
