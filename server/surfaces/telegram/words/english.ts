import { html } from '#server/surfaces/telegram/html.ts'
import { settingsAddress, type TelegramWords } from './telegram-words.ts'

const HELP = '/numbers — your open numbers\n/stop — disconnect this chat'

export const english: TelegramWords = {
  connect: {
    question: (email) =>
      `Connect this chat to ${email === null ? 'the account you opened this link from' : `the account ${html(email)}`}? You’ll get its notifications and codes here. If you didn’t request this on the site, or this isn’t your account, don’t press the button.`,
    button: (email) => (email === null ? 'Connect this chat' : `Connect to ${email}`),
  },
  linked: (email) =>
    `This chat is connected to the account ${email === null ? 'you opened the link from' : html(email)}.\n\n${HELP}`,
  taken: (email) =>
    `This chat belongs to another account${email === null ? '' : `, ${html(email)}`}. Send /stop first, then open the link again.`,
  expired: (site) => `This link no longer works. Get a new one: ${html(settingsAddress(site))}`,
  stranger: (site) =>
    `This chat isn’t connected to an account. Connect it in the settings: ${html(settingsAddress(site))}`,
  stopped: (site) => `Done. We won’t send you anything else here. To reconnect: ${html(settingsAddress(site))}`,
  help: HELP,
  noNumbers: 'You don’t have any open numbers.',
  waiting: 'waiting for the code',
  onSite: 'see the code on the site',
  buttons: { again: 'Another code', done: 'Done', cancel: 'Cancel' },
  done: { again: 'Waiting for another code', done: 'Number closed', cancel: 'Cancelled and refunded to your balance' },
  notYours: 'This number doesn’t belong to your account',
}
