import { html } from '#server/surfaces/telegram/html.ts'
import { settingsAddress, type TelegramWords } from './telegram-words.ts'

const HELP = '/numbers — открытые номера\n/stop — отключить этот чат'

export const russian: TelegramWords = {
  connect: {
    question: (email) =>
      `Подключить этот чат к аккаунту${email === null ? ', из которого вы пришли' : ` ${html(email)}`}? Сюда будут приходить уведомления и коды. Если вы не подключали чат на сайте или это не ваш аккаунт, не нажимайте кнопку.`,
    button: (email) => (email === null ? 'Подключить чат' : `Подключить к ${email}`),
  },
  linked: (email) => `Чат подключён к аккаунту${email === null ? '' : ` ${html(email)}`}.\n\n${HELP}`,
  taken: (email) =>
    `Этот чат подключён к другому аккаунту${email === null ? '' : `, ${html(email)}`}. Отправьте /stop, затем откройте ссылку снова.`,
  expired: (site) => `Ссылка больше не действует. Получите новую: ${html(settingsAddress(site))}`,
  stranger: (site) =>
    `Этот чат не подключён к аккаунту. Подключить его можно в настройках: ${html(settingsAddress(site))}`,
  stopped: (site) => `Готово, мы больше ничего сюда не пришлём. Подключить снова: ${html(settingsAddress(site))}`,
  help: HELP,
  noNumbers: 'Открытых номеров нет.',
  waiting: 'ждёт код',
  onSite: 'код показан на сайте',
  buttons: { again: 'Ещё код', done: 'Готово', cancel: 'Отменить' },
  done: { again: 'Ждём ещё один код', done: 'Номер завершён', cancel: 'Номер отменён, деньги вернулись на баланс' },
  notYours: 'Этот номер куплен с другого аккаунта',
}
