import { expect, test } from 'vitest'
import { layOut } from './lay-out.ts'
import { groupStatements, parseStatements, type Statement } from './statement-files.ts'

const END: Statement = {
  name: 'activation-end',
  source: 'server/core/numbers/activations/queries/end.ts',
  takes: [{ name: 'id', type: 'int8' }, { type: 'timestamptz' }],
  returns: [
    { name: 'id', type: 'int8' },
    { name: 'codes', type: 'text[]' },
  ],
  text: 'UPDATE activations SET ended_at = $2\n      WHERE id = $1\n    RETURNING id, codes',
}
const LOOK: Statement = { ...END, name: 'activation-look', takes: [], returns: [], text: 'SELECT FROM activations' }
const MARK: Statement = { ...END, name: 'mail-mark', source: 'server/house/mail/queries.ts', takes: [], returns: null }

test('a room has a file, a statement its source, what it takes and returns, and its text', () => {
  const files = groupStatements([MARK, LOOK, END])
  expect([...files.keys()]).toEqual(['mail.sql', 'numbers-activations.sql'])
  expect(files.get('numbers-activations.sql')).toContain(`
-- server/core/numbers/activations/queries/end.ts: activation-end, activation-look

-- activation-end
-- server/core/numbers/activations/queries/end.ts
-- $1 id int8, $2 timestamptz
-- returns: id int8, codes text[]
UPDATE activations SET ended_at = $2
WHERE id = $1
RETURNING id, codes;

-- activation-look
`)
})

test('what was written is read again as it was', () => {
  const files = groupStatements([END, LOOK, MARK])
  const read = [...files.values()].flatMap(parseStatements)
  expect(read).toEqual([MARK, END, LOOK].map((each) => ({ ...each, text: layOut(each.text) })))
  expect(groupStatements(read)).toEqual(files)
})

test('a source that moved takes its statement to another file', () => {
  const moved = { ...MARK, source: 'server/house/mail/letters/queries/mark.ts' }
  expect([...groupStatements([moved]).keys()]).toEqual(['mail-letters.sql'])
})

test('the lines of pieces are indented by their brackets, but not by those in quotes', () => {
  const glued = `WITH made AS (
          INSERT INTO a (b)
            SELECT '(' || c,
        d FROM e
    ), told AS (SELECT 1)
      SELECT count(*)
        AND EXISTS (SELECT FROM x
    WHERE y)`
  expect(layOut(glued)).toBe(`WITH made AS (
  INSERT INTO a (b)
  SELECT '(' || c,
    d FROM e
), told AS (SELECT 1)
SELECT count(*)
  AND EXISTS (SELECT FROM x
    WHERE y)`)
  expect(layOut(layOut(glued))).toBe(layOut(glued))
})
