import type { Command } from './command.ts'
import { optionsOf, switchesOf } from './parse-command.ts'

const CALL = 'npm run cli --'

export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `${CALL} <command> …

${lines.join('\n')}

\`${CALL} <command> --help\` says how a command is written. Each that changes something needs --reason "…", which is
kept in the audit log with who did it (--by, else the user of this machine); with --dry-run it is done, undone, and told.
With --json every command writes one JSON object a line, errors too. Exit code: 0 done, 1 refused, 2 wrong usage.
Where the data is, DATABASE_URL or DATA_DIR says, as for the server; the server may run meanwhile.
`
}

export function describeCommand(command: Command): string {
  return `${CALL} ${formOf(command)}\n  ${command.summary}\n`
}

/** Returns the syntax of a command. `left` names switches and options to leave out. */
export function formOf(command: Command, left: readonly string[] = []): string {
  const options = Object.entries(optionsOf(command)).filter(([name]) => !left.includes(name))
  const switches = switchesOf(command).filter((name) => !left.includes(name))
  return [
    command.name,
    ...(command.values ?? []),
    ...(command.rest === undefined ? [] : [`${command.rest} …`]),
    ...switches.map((name) => `[--${name}]`),
    ...options.map(([name, { shows, required }]) =>
      required === true ? `--${name} ${shows}` : `[--${name} ${shows}]`,
    ),
  ].join(' ')
}
