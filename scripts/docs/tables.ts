import { STATUS_COMPONENTS } from '#contract/status/status.ts'
import remedies from '#contract/words/remedies-en.json' with { type: 'json' }
import { SETTING_NAMES, SETTINGS } from '#server/house/config/settings.ts'
import { listSentences } from '#server/house/errors/error-words.ts'
import { createMetrics } from '#server/house/http/door/metrics.ts'
import { Memory, memoryKinds } from '#server/house/memory.ts'
import { commands } from '#server/programs/cli/commands.ts'
import { DRY_RUN, JSON_LINES } from '#server/programs/cli/parse-command.ts'
// These imports load every module, so that each module declares the values that it holds in memory.
import '#server/programs/boot/start.ts'
import '#server/programs/boot/load-pages.ts'
import { formOf } from '#server/programs/cli/usage.ts'
import { THRESHOLDS } from '#server/surfaces/site/status/thresholds.ts'

/** A table of a documentation page. The first row is the table's head. */
export type Table = { page: string; name: string; rows: readonly (readonly string[])[] }

export const TABLES: readonly Table[] = [
  { page: 'docs/errors.md', name: 'errors', rows: [['code', 'status', 'words', 'what to do'], ...errorRows()] },
  { page: 'docs/commands.md', name: 'commands', rows: [['command', 'summary'], ...commandRows()] },
  { page: 'docs/settings.md', name: 'settings', rows: [['setting', 'standard', 'must', 'meaning'], ...settingRows()] },
  { page: 'docs/metrics.md', name: 'metrics', rows: [['metric', 'type', 'labels', 'meaning'], ...metricRows()] },
  {
    page: 'docs/status.md',
    name: 'thresholds',
    rows: [['part', 'measured', 'slow', 'partly', 'down', 'why'], ...thresholdRows()],
  },
  {
    page: 'docs/memory.md',
    name: 'memory',
    rows: [['memory', 'play money', 'several nodes', 'a node that dies loses'], ...memoryRows()],
  },
]

function errorRows(): string[][] {
  return listSentences().map(({ code, status, words }) => [literal(code), String(status), words, remedies[code]])
}

function commandRows(): string[][] {
  return commands.map((command) => {
    const left = command.changes === true ? [JSON_LINES, DRY_RUN, 'by'] : [JSON_LINES]
    return [literal(formOf(command, left)), command.summary]
  })
}

function settingRows(): string[][] {
  return SETTING_NAMES.map((name) => {
    const [{ shown, must }, words] = SETTINGS[name]
    return [literal(name), shown, must.replaceAll('<', '\\<'), words]
  })
}

function metricRows(): string[][] {
  const { registry } = createMetrics({ ofProcess: false, memory: new Memory() })
  return registry.getMetricsAsArray().map((metric) => {
    const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    return [
      literal(metric.name),
      String(metric.type),
      labels.map((label) => literal(String(label))).join(', '),
      metric.help,
    ]
  })
}

function thresholdRows(): string[][] {
  return STATUS_COMPONENTS.map((component) => {
    const { measured, worse, slow, partly, down, why } = THRESHOLDS[component]
    const bounds = [slow, partly, down].map((bound) => (bound === undefined ? '' : `${worse} ${bound}`))
    return [literal(component), measured, ...bounds, why]
  })
}

/** Lists the values held in memory. Values whose loss matters stand first, because most are lost without harm. */
function memoryRows(): string[][] {
  const rows = memoryKinds().map(({ name, scope, nodes, lost }) => {
    return [name, scope === 'world' ? 'its own' : 'shared', nodes, lost]
  })
  const losesNothing = (lost = '') => lost.startsWith('nothing')
  return rows.toSorted(
    ([a = '', , , lostA], [b = '', , , lostB]) =>
      Number(losesNothing(lostA)) - Number(losesNothing(lostB)) || (a < b ? -1 : 1),
  )
}

function literal(word: string): string {
  return `\`${word}\``
}
