import { expect, test } from 'vitest'
import { findIncompatibleMigrations, readReleased } from './compatible-migrations.mjs'

const BEFORE = {
  name: '0001_first.sql',
  text: 'CREATE TABLE users (id int); ALTER TABLE a RENAME TO numbers; ALTER TABLE users DROP COLUMN gone;',
}
const COMMIT = '904216b3ebaa863de85946ca84a137a841f28dbb'
const RELEASES = [
  { version: '0.1.0', lastMigration: '0001_first', commit: COMMIT },
  { version: '0.2.0', lastMigration: '0001_first', commit: COMMIT },
]

/** Judges the files of the release that follows 0.2.0. */
function judge(...texts) {
  const coming = texts.map((text, nth) => ({ name: `000${nth + 2}_new.sql`, text }))
  return findIncompatibleMigrations({ files: [BEFORE, ...coming], releases: RELEASES, version: '0.3.0' })
}

test('every migration leaves the release before able to run', async () => {
  const released = await readReleased()
  expect(released.files.length).toBeGreaterThan(100)
  expect(findIncompatibleMigrations(released)).toEqual([])
})

test.each([
  ['DROP TABLE users', 'DROP TABLE users'],
  ['create table fresh (a int); drop table if exists fresh, public."users" cascade', 'DROP TABLE users'],
  ['ALTER TABLE users DROP COLUMN name', 'DROP COLUMN on users'],
  ['ALTER TABLE users DROP name', 'DROP COLUMN on users'],
  ['ALTER TABLE ONLY users ADD COLUMN a int, DROP COLUMN IF EXISTS name', 'DROP COLUMN on users'],
  ['DO $$ BEGIN ALTER TABLE users DROP COLUMN name; END $$', 'DROP COLUMN on users'],
  ['DROP VIEW v', 'DROP VIEW'],
  ['DROP MATERIALIZED VIEW v', 'DROP VIEW'],
  ['DROP TYPE t', 'DROP TYPE'],
  ['DROP FUNCTION f(int, text)', 'DROP FUNCTION'],
  ['ALTER TABLE users RENAME COLUMN a TO b', 'RENAME on users'],
  ['ALTER TABLE users RENAME TO people', 'RENAME on users'],
  ['ALTER TABLE users RENAME CONSTRAINT a TO b', 'RENAME on users'],
  ["ALTER TYPE state RENAME VALUE 'a' TO 'b'", 'RENAME of a type'],
  ['ALTER INDEX a RENAME TO b', 'RENAME of a index'],
  ['ALTER TABLE users ALTER COLUMN id TYPE bigint', 'ALTER COLUMN TYPE on users'],
  ['ALTER TABLE users ALTER id SET DATA TYPE numeric(10, 2)', 'ALTER COLUMN TYPE on users'],
  ['ALTER TABLE users ALTER COLUMN id SET NOT NULL', 'SET NOT NULL on users'],
  [
    'ALTER TABLE users ADD COLUMN a int NOT NULL DEFAULT 0; ALTER TABLE users ALTER a DROP DEFAULT',
    'DROP DEFAULT on users',
  ],
  ['ALTER TABLE users ADD CONSTRAINT a CHECK (id > 0)', 'ADD CONSTRAINT on users'],
  ['ALTER TABLE users ADD CONSTRAINT a UNIQUE (id)', 'ADD CONSTRAINT on users'],
  ['ALTER TABLE users ADD FOREIGN KEY (id) REFERENCES numbers', 'ADD CONSTRAINT on users'],
  ['ALTER TABLE users ADD CONSTRAINT a EXCLUDE USING gist (id WITH =)', 'ADD CONSTRAINT on users'],
  ['ALTER TABLE users ADD COLUMN a int NOT NULL', 'NOT NULL without DEFAULT on users'],
  [
    'ALTER TABLE users ADD a int NOT NULL REFERENCES numbers ON DELETE SET DEFAULT',
    'NOT NULL without DEFAULT on users',
  ],
  ["ALTER TABLE users ADD a text NOT NULL CHECK (a <> '' OR DEFAULT)", 'NOT NULL without DEFAULT on users'],
  ['ALTER TABLE users ADD COLUMN a int PRIMARY KEY', 'NOT NULL without DEFAULT on users'],
  ['CREATE UNIQUE INDEX a ON users (id)', 'CREATE UNIQUE INDEX on users'],
  ['CREATE UNIQUE INDEX ON numbers (id)', 'CREATE UNIQUE INDEX on numbers'],
])('the release before would stop: %s', (statement, what) => {
  const advice = 'stops release 0.2.0: leave it to a later release, or begin the file with `-- needs: …`'
  expect(judge(`${statement};\n`)).toEqual([`migrations/0002_new.sql: ${what} ${advice}`])
  expect(judge(`-- needs: 0.2.0\n${statement};\n`)).toEqual([])
  expect(judge(`-- needs: 0.1.0\n${statement};\n`)).toEqual([])
})

test.each([
  ['a new table', 'CREATE TABLE fresh (id int PRIMARY KEY, name text NOT NULL UNIQUE CHECK (name <> $$x$$))'],
  ['a nullable column', 'ALTER TABLE users ADD COLUMN a int REFERENCES numbers CHECK (a IS NOT NULL OR id > 0)'],
  ['a column with a default', "ALTER TABLE users ADD COLUMN a text NOT NULL DEFAULT '', ADD b int NOT NULL DEFAULT 0"],
  ['a generated column', 'ALTER TABLE users ADD COLUMN a int NOT NULL GENERATED ALWAYS AS (id + 1) STORED'],
  ['back-filling', "UPDATE users SET name = 'DROP TABLE users; ALTER TABLE users DROP name' WHERE name IS NULL"],
  ['an escaped string', "SELECT E'\\'; DROP TABLE users; --'"],
  ['comments', '-- DROP TABLE users;\n/* ALTER TABLE users RENAME a TO b; */ SELECT 1'],
  ['an index', 'CREATE INDEX a ON users (id); DROP INDEX b'],
  ['looser columns', 'ALTER TABLE users ALTER a DROP NOT NULL, ALTER a SET DEFAULT 1, DROP CONSTRAINT b'],
  ['a new value', "ALTER TYPE state ADD VALUE 'b'"],
  ['a new form of a function', 'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
])('the release before can run: %s', (_, statement) => {
  expect(judge(`${statement};\n`)).toEqual([])
})

test('a table of the coming release may change freely, unless an earlier release had one of its name', () => {
  const change = (table) =>
    `ALTER TABLE ${table} ADD a int NOT NULL, DROP b; CREATE UNIQUE INDEX ON ${table} (a); DROP TABLE ${table};`
  expect(judge('CREATE UNLOGGED TABLE fresh (b int);', change('fresh'))).toEqual([])
  expect(judge('CREATE TABLE IF NOT EXISTS other (b int);', change('other'))).toHaveLength(4)
  expect(judge('-- needs: 0.2.0\nDROP TABLE users; CREATE TABLE users (b int);', change('users'))).toHaveLength(4)
})

test('the header names a release that is out, on the first line and in its form', () => {
  expect(judge('-- needs: 0.3.0\nSELECT 1;')).toEqual(['migrations/0002_new.sql: needs 0.3.0, which is not out'])
  const wrong = ['migrations/0002_new.sql: the first line must be like `-- needs: 1.2.3`, and nothing else']
  for (const header of ['--needs: 0.2.0', '-- needs 0.2.0', '-- needs: 0.2.0 or so', '-- Needs: 0.2'])
    expect(judge(`${header}\nDROP TABLE users;`)).toEqual(wrong)
  expect(judge('-- Columns.\n-- needs: 0.2.0\nDROP TABLE users;')).toHaveLength(1)
})

test('the list of releases is in order and names migrations that there are', () => {
  const list = (...releases) => findIncompatibleMigrations({ files: [BEFORE], releases, version: '0.10.0' })
  const first = { version: '0.9.0', lastMigration: '0001_first', commit: COMMIT }
  expect(list(first, { ...first, version: '0.10.0' })).toEqual([])
  expect(list()).toEqual(['migrations/releases.json: names no release'])
  expect(list({ ...first, commit: '904216b3' })[0]).toContain('0.9.0 needs the full commit')
  expect(list({ ...first, lastMigration: '0001_b' })).toEqual([
    'migrations/releases.json: 0.9.0 has no migration 0001_b',
  ])
  expect(list(first, first)).toEqual(['migrations/releases.json: 0.9.0 must be greater than 0.9.0'])
  expect(list({ ...first, version: '0.11.0' })[0]).toContain('0.11.0 is newer than package.json, 0.10.0')
  expect(list(first, { version: '0.10.0', lastMigration: '0000_a' })).toContain(
    'migrations/releases.json: 0.10.0 ends before 0.9.0 does',
  )
})
