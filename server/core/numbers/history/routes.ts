import { entriesFilterSchema, entriesReplySchema } from '#contract/past/entries.ts'
import {
  csvFileSchema,
  historyFileFilterSchema,
  historyFilterSchema,
  historyReplySchema,
  movementsFileFilterSchema,
  movementsFilterSchema,
  movementsReplySchema,
  statementFileFilterSchema,
  statementFilterSchema,
  statementReplySchema,
} from '#contract/past/history.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { listBalanceEntries } from './entries/list-entries.ts'
import { exportHistory } from './export-history.ts'
import { exportMovements } from './export-movements.ts'
import { listHistory } from './list-history.ts'
import { listBalanceMovements } from './list-movements.ts'
import { exportStatement } from './statement/export-statement.ts'
import { readStatement } from './statement/read-statement.ts'

const CSV = 'text/csv; charset=utf-8'

export const historyCalls: Call[] = [
  defineCall('GET /api/v1/history', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: historyFilterSchema,
    reply: historyReplySchema,
    handle: listHistory,
  }),
  defineCall('GET /api/v1/movements', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: movementsFilterSchema,
    reply: movementsReplySchema,
    handle: listBalanceMovements,
  }),
  defineCall('GET /api/v1/entries', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: entriesFilterSchema,
    reply: entriesReplySchema,
    handle: listBalanceEntries,
  }),
  defineCall('GET /api/v1/history.csv', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: historyFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
    handle: exportHistory,
  }),
  defineCall('GET /api/v1/movements.csv', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: movementsFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
    handle: exportMovements,
  }),
  defineCall('GET /api/v1/statement', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: statementFilterSchema,
    reply: statementReplySchema,
    handle: readStatement,
  }),
  defineCall('GET /api/v1/statement.csv', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: statementFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
    handle: exportStatement,
  }),
]
