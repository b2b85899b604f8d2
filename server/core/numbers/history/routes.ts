import { past } from '#contract/calls/past-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { listBalanceEntries } from './entries/list-entries.ts'
import { exportHistory } from './export-history.ts'
import { exportMovements } from './export-movements.ts'
import { listHistory } from './list-history.ts'
import { listBalanceMovements } from './list-movements.ts'
import { exportStatement } from './statement/export-statement.ts'
import { readStatement } from './statement/read-statement.ts'
import { readTotals } from './totals/read-totals.ts'

export const historyCalls: Call[] = [
  route(past.history, listHistory),
  route(past.historyTotals, readTotals),
  route(past.movements, listBalanceMovements),
  route(past.entries, listBalanceEntries),
  route(past.historyFile, exportHistory),
  route(past.movementsFile, exportMovements),
  route(past.statement, readStatement),
  route(past.statementFile, exportStatement),
]
