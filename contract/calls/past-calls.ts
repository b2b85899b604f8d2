import { entriesFilterSchema, entriesReplySchema } from '#contract/past/entries.ts'
import {
  csvFileSchema,
  historyFileFilterSchema,
  historyFilterSchema,
  historyReplySchema,
  historyTotalsFilterSchema,
  historyTotalsReplySchema,
  movementsFileFilterSchema,
  movementsFilterSchema,
  movementsReplySchema,
  qualityFilterSchema,
  qualityReplySchema,
  statementFileFilterSchema,
  statementFilterSchema,
  statementReplySchema,
  statisticsFilterSchema,
  statisticsReplySchema,
} from '#contract/past/history.ts'
import { type DeclaredCalls, READER, STRANGER } from './call.ts'

const CSV = 'text/csv; charset=utf-8'

export const past = {
  history: { key: 'GET /api/v1/history', who: READER, input: historyFilterSchema, reply: historyReplySchema },
  historyTotals: {
    key: 'GET /api/v1/history/totals',
    who: READER,
    input: historyTotalsFilterSchema,
    reply: historyTotalsReplySchema,
  },
  movements: { key: 'GET /api/v1/movements', who: READER, input: movementsFilterSchema, reply: movementsReplySchema },
  entries: { key: 'GET /api/v1/entries', who: READER, input: entriesFilterSchema, reply: entriesReplySchema },
  historyFile: {
    key: 'GET /api/v1/history.csv',
    who: READER,
    input: historyFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
  },
  movementsFile: {
    key: 'GET /api/v1/movements.csv',
    who: READER,
    input: movementsFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
  },
  statement: { key: 'GET /api/v1/statement', who: READER, input: statementFilterSchema, reply: statementReplySchema },
  statementFile: {
    key: 'GET /api/v1/statement.csv',
    who: READER,
    input: statementFileFilterSchema,
    reply: csvFileSchema,
    contentType: CSV,
  },
  statistics: {
    key: 'GET /api/v1/statistics',
    who: READER,
    input: statisticsFilterSchema,
    reply: statisticsReplySchema,
  },
  quality: { key: 'GET /api/v1/quality', who: STRANGER, input: qualityFilterSchema, reply: qualityReplySchema },
} as const satisfies DeclaredCalls
