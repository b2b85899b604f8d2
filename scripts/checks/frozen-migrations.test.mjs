import { expect, test } from 'vitest'
import { findMigrationViolations, readChecksums } from './frozen-migrations.mjs'

test('every migration is as it landed', async () => {
  const { files, frozen } = await readChecksums()
  expect(files.size).toBeGreaterThan(20)
  expect(findMigrationViolations({ files, frozen })).toEqual([])
})

test('one that was edited, taken away or not noted is named, with what to do', () => {
  const files = new Map([
    ['0001_a.sql', 'other'],
    ['0003_c.sql', 'c'],
  ])
  const frozen = new Map([
    ['0001_a.sql', 'a'],
    ['0002_b.sql', 'b'],
  ])
  expect(findMigrationViolations({ files, frozen })).toEqual([
    'migrations/0001_a.sql has landed and was edited: put it back, and change the tables by a new file',
    'migrations/0002_b.sql has landed and is gone: put it back',
    'migrations/0003_c.sql is new: `node scripts/freeze-migrations.mjs` adds its checksum',
  ])
})
