import type { AlarmKind } from '#contract/mails.ts'

type AlarmWords = Record<AlarmKind, { begun: string; over: string; about: string; todo: string }>

export const englishAlarms: AlarmWords = {
  'link-down': {
    begun: 'The link to a supplier is down',
    over: 'The link to a supplier is up again',
    about: 'Supplier',
    todo: 'It sells nothing meanwhile. The log says why; `supplier:list` shows its state.',
  },
  'books-wrong': {
    begun: 'The books are wrong',
    over: 'The books are right again',
    about: 'First fault',
    todo: 'Stop buying with `buying:stop` and run `ledger:verify --full` before anything else.',
  },
  'rate-old': {
    begun: 'An exchange rate is older than a day',
    over: 'The exchange rate is fresh again',
    about: 'Currency',
    todo: 'Its source does not answer: see `rate:list`. Set it by `rate:set` meanwhile.',
  },
  'rate-doubtful': {
    begun: 'An exchange rate moved by more than 10 %',
    over: 'The exchange rate is settled',
    about: 'Currency',
    todo: 'The earlier rate still holds. See `rate:list`, and set the right one by `rate:set`.',
  },
  'referral-withdrawals': {
    begun: 'Referral withdrawals wait for you',
    over: 'No referral withdrawal waits any more',
    about: 'How many',
    todo: '`referral:list` shows them. Approve or refuse each, pay the approved ones and note that by `referral:paid`.',
  },
  'referral-suspects': {
    begun: 'Invitations look like people who invite themselves',
    over: 'No suspected invitation waits any more',
    about: 'How many',
    todo: '`referral:list` shows them with the reasons. Let each go on by `referral:clear`, or end it by `referral:bar`.',
  },
  'chain-stopped': {
    begun: 'A chain is no longer read',
    over: 'The chain is read again',
    about: 'Gateway',
    todo: 'Nothing that arrives is credited meanwhile. The reason is in `gateway:list`.',
  },
  'chain-behind': {
    begun: 'Reading of a chain has fallen behind',
    over: 'The chain is read to its end again',
    about: 'Gateway',
    todo: 'Its nodes do not answer, lag or disagree: see `gateway:list` and the log.',
  },
  'chain-node': {
    begun: 'A node contradicts the others',
    over: 'The node no longer contradicts',
    about: 'Gateway and node',
    todo: 'Where too few agree nothing is credited. Compare it with a block explorer, and replace it by `gateway:set`.',
  },
  'coin-rate': {
    begun: 'Coins have arrived, and there is no fresh rate for them',
    over: 'No coins wait for a rate any more',
    about: 'Gateway',
    todo: 'Set the rate of the coin by `rate:set`: see `rate:list`. `payment:list --state waiting` names the payments. Their coins are credited by themselves then, or at once by `payment:recheck`.',
  },
  'chain-finding': {
    begun: 'Something on a chain needs a decision',
    over: 'Everything found on the chain is decided',
    about: 'Gateway',
    todo: '`chain:findings` lists it. Credit it by `user:credit`, then close it by `chain:settle`.',
  },
  unmatched: {
    begun: 'Many messages reach nobody',
    over: 'Messages reach somebody again',
    about: 'More in an hour than',
    todo: 'See `message:list`: a sender is not known, or a range gets advertising.',
  },
}

export const russianAlarms: AlarmWords = {
  'link-down': {
    begun: 'Нет связи с поставщиком',
    over: 'Связь с поставщиком восстановлена',
    about: 'Поставщик',
    todo: 'Пока связи нет, он ничего не продаёт. Причина записана в журнале, состояние показывает `supplier:list`.',
  },
  'books-wrong': {
    begun: 'Книги не сходятся',
    over: 'Книги снова сходятся',
    about: 'Первая ошибка',
    todo: 'Остановите продажи командой `buying:stop` и сразу запустите `ledger:verify --full`.',
  },
  'rate-old': {
    begun: 'Курс не обновлялся больше суток',
    over: 'Курс снова свежий',
    about: 'Валюта',
    todo: 'Источник не отвечает: смотрите `rate:list`. Пока задайте курс командой `rate:set`.',
  },
  'rate-doubtful': {
    begun: 'Курс изменился больше чем на 10 %',
    over: 'Курс подтверждён',
    about: 'Валюта',
    todo: 'Действует прежний курс. Посмотрите `rate:list` и задайте верный командой `rate:set`.',
  },
  'referral-withdrawals': {
    begun: 'Реферальные выводы ждут вашего решения',
    over: 'Реферальных выводов в ожидании больше нет',
    about: 'Сколько',
    todo: 'Список даёт `referral:list`. Одобрите или отклоните каждый, одобренные оплатите и отметьте через `referral:paid`.',
  },
  'referral-suspects': {
    begun: 'Похоже, кто-то приглашает самого себя',
    over: 'Подозрительных приглашений больше нет',
    about: 'Сколько',
    todo: 'Список с причинами даёт `referral:list`. Пропустите через `referral:clear` или запретите через `referral:bar`.',
  },
  'chain-stopped': {
    begun: 'Блокчейн больше не читается',
    over: 'Блокчейн снова читается',
    about: 'Шлюз',
    todo: 'Пока это так, переводы не зачисляются. Причину показывает `gateway:list`.',
  },
  'chain-behind': {
    begun: 'Чтение блокчейна отстало',
    over: 'Блокчейн снова прочитан до конца',
    about: 'Шлюз',
    todo: 'Узлы не отвечают, отстают или расходятся: смотрите `gateway:list` и журнал.',
  },
  'chain-node': {
    begun: 'Узел противоречит остальным',
    over: 'Узел больше не противоречит',
    about: 'Шлюз и узел',
    todo: 'Где согласных узлов мало, ничего не зачисляется. Сверьте с обозревателем блоков, замените узел через `gateway:set`.',
  },
  'coin-rate': {
    begun: 'Пришла криптовалюта, а свежего курса для неё нет',
    over: 'Криптовалюта больше не ждёт курса',
    about: 'Шлюз',
    todo: 'Посмотрите `rate:list` и задайте её курс через `rate:set`. Какие платежи ждут, покажет `payment:list --state waiting`. Дальше она зачислится сама, а через `payment:recheck` — сразу.',
  },
  'chain-finding': {
    begun: 'В блокчейне найдено то, что решает человек',
    over: 'По всем находкам принято решение',
    about: 'Шлюз',
    todo: 'Список даёт `chain:findings`. Зачислите через `user:credit` и закройте через `chain:settle`.',
  },
  unmatched: {
    begun: 'Много сообщений никому не достаётся',
    over: 'Сообщения снова находят адресатов',
    about: 'За час больше чем',
    todo: 'Посмотрите `message:list`: неизвестен отправитель или на номера идёт реклама.',
  },
}
