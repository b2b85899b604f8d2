import type pg from 'pg'
import type { Statement } from './statement-files.ts'

type Described = Pick<Statement, 'takes' | 'returns'>
type Field = { name: string; dataTypeID: number }
type Answer = { parameters: readonly number[]; fields: readonly Field[] | null }

export async function describer(client: pg.Client): Promise<(statement: Statement) => Promise<Described>> {
  const { rows } = await client.query<{ oid: number; type: string }>(
    `SELECT t.oid::integer AS oid, COALESCE(e.typname || '[]', t.typname) AS type
      FROM pg_type t LEFT JOIN pg_type e ON e.typarray = t.oid`,
  )
  const types = new Map(rows.map(({ oid, type }) => [oid, type]))
  const typeOf = (oid: number) => types.get(oid) ?? String(oid)
  return async ({ name, text, takes }) => {
    const { parameters, fields } = await ask(client, text).catch((error: unknown) => {
      throw new Error(`${name} cannot be prepared`, { cause: error })
    })
    return {
      takes: parameters.map((oid, place) => ({ ...takes[place], type: typeOf(oid) })),
      returns: fields?.map((field) => ({ name: field.name, type: typeOf(field.dataTypeID) })) ?? null,
    }
  }
}

/**
 * Asks PostgreSQL to describe a statement without running it. pg has no call for it, so a custom query object is used.
 */
function ask(client: pg.Client, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { parameters: [], fields: null }
    client.query({
      submit(connection: pg.Connection) {
        connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          answer.parameters = dataTypeIDs
        })
        connection.parse({ name: '', text, types: [] }, false)
        connection.describe({ type: 'S', name: '' }, false)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        answer.fields = fields
      },
      handleError(error: Error) {
        reject(error)
      },
      handleReadyForQuery() {
        resolve(answer)
      },
    })
  })
}
