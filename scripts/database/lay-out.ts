const CLAUSE =
  /^(WITH|SELECT|FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|OFFSET|UNION|EXCEPT|INTERSECT|INSERT|UPDATE|DELETE|MERGE|SET|VALUES|ON CONFLICT|RETURNING|FOR|(LEFT |CROSS |FULL |INNER )?JOIN)\b|^\(/
const NAMED_PART = /^\w+ (\(.*\) )?AS (NOT MATERIALIZED |MATERIALIZED )?\(/
const STEP = 2

/** Indents SQL by its brackets and keeps its line breaks. */
export function layOut(sql: string): string {
  const lines = sql
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const open: number[] = []
  let inQuotes = false
  const laid: string[] = []
  for (const line of lines) {
    const closed = inQuotes ? 0 : (/^\)+/.exec(line)?.[0].length ?? 0)
    const outer = closed === 0 ? (open.at(-1) ?? 0) : Math.max((open.at(-closed) ?? 0) - STEP, 0)
    const indent = closed > 0 || CLAUSE.test(line) || NAMED_PART.test(line) || laid.length === 0 ? outer : outer + STEP
    for (const sign of line) {
      if (sign === "'") inQuotes = !inQuotes
      else if (inQuotes) continue
      else if (sign === '(') open.push(indent + STEP)
      else if (sign === ')') open.pop()
    }
    laid.push(`${' '.repeat(indent)}${line}`)
  }
  return laid.join('\n')
}
